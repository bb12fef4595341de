"""The order and the points of Coinche's cards by trump suit (docs/rules/coinche.md, "Cards")."""

import numpy as np

SUITS = 4
RANKS = 8
CARDS = 32

# For 7 8 9 10 J Q K A, the order of card ids.
PLAIN_STRENGTH = (0, 1, 2, 6, 3, 4, 5, 7)
TRUMP_STRENGTH = (0, 1, 6, 4, 7, 2, 3, 5)
PLAIN_POINTS = (0, 0, 0, 10, 2, 3, 4, 11)
TRUMP_POINTS = (0, 0, 14, 10, 20, 3, 4, 11)
LAST_TRICK = 10


def beaters_of(trump: int, card: int) -> int:
    """The cards that beat `card`: the stronger of its suit, and all trumps if it is plain."""
    suit, rank = divmod(card, RANKS)
    strength = TRUMP_STRENGTH if suit == trump else PLAIN_STRENGTH
    stronger = [RANKS * suit + r for r in range(RANKS) if strength[r] > strength[rank]]
    trumps = [] if suit == trump else [RANKS * trump + r for r in range(RANKS)]
    return sum(1 << c for c in stronger + trumps)


def points_of(trump: int, card: int) -> int:
    suit, rank = divmod(card, RANKS)
    return TRUMP_POINTS[rank] if suit == trump else PLAIN_POINTS[rank]


# One look-up instead of comparing in two orders.
BEATERS = np.array([[beaters_of(t, c) for c in range(CARDS)] for t in range(SUITS)], np.uint64)
POINTS = np.array([[points_of(t, c) for c in range(CARDS)] for t in range(SUITS)], np.int64)
