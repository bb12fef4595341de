"""Sheephead's cards: suits, strengths and points (docs/rules/sheephead.md, "Cards")."""

import numpy as np

from spielgames.core.cards import Cards, count, inlined, make_set

RANKS = 8
CARDS = 32
JOKER = 8  # in the place of ♦7

# From low to high: ♦8 9 K 10 A, ♦J ♥J ♠J ♣J, ♦Q ♥Q ♠Q, Joker, ♣Q; fail suits 7 8 9 K 10 A.
TRUMP_ORDER = (9, 10, 14, 11, 15, 12, 20, 28, 4, 13, 21, 29, JOKER, 5)
FAIL_ORDER = (0, 1, 2, 6, 3, 7)

TRUMPS = make_set(TRUMP_ORDER)
CLUBS, HEARTS, SPADES = (make_set(RANKS * suit + rank for rank in FAIL_ORDER) for suit in (0, 2, 3))
FAIL = CLUBS | HEARTS | SPADES
TENS, JACKS, QUEENS, KINGS, ACES = (make_set(range(rank, CARDS, RANKS)) for rank in (3, 4, 5, 6, 7))


def _strengths() -> np.ndarray:
    """The strength of every card where there are trumps; 1 is a discard, 0 the unknown card."""
    table = np.zeros(CARDS, np.int64)
    for strength, rank in enumerate(FAIL_ORDER, 2):
        table[[rank, 16 + rank, 24 + rank]] = strength
    for strength, card in enumerate(TRUMP_ORDER, 2 + len(FAIL_ORDER)):
        table[card] = strength
    return table


STRENGTH = _strengths()


@inlined
def points(cards: Cards) -> int:
    """A 11, 10 10, K 4, Q 3, J 2: 120 in all; the joker is worth nothing."""
    high = 11 * count(cards & ACES) + 10 * count(cards & TENS)
    return high + 4 * count(cards & KINGS) + 3 * count(cards & QUEENS) + 2 * count(cards & JACKS)
