"""Contracts that the leader makes by force: against every distribution of the other cards and every
play of the three others, the partner's included.

sure_points(hand, deck, trump)  # what the leader can't be kept from making
forced_hands()  # [points] the number of the full deck's 10,518,300 hands sure of these points

The leader leads trumps from the top. If as many of them beat all outstanding ones as there are
outstanding ones, these are drawn even if one player holds them all; every other trump, and every
plain card that no outstanding one of its suit beats, then wins a trick too. The test is sufficient,
not necessary: other hands may be sure of a contract as well. A player who does not lead must fear
that their plain cards are trumped first, so the test is for seat 0 alone.
"""

import numpy as np

from spielgames.coinche.rules import ALL, PLAYERS
from spielgames.coinche.tables import BEATERS, CARDS, LAST_TRICK, POINTS, RANKS, SUITS
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, Cards, bit, count, inlined, lane, lowest

ALL_POINTS = 162
BY_POINTS = np.argsort(POINTS[0, RANKS : 2 * RANKS], kind="stable")  # plain ranks, cheapest first


@inlined
def sure_points(hand: Cards, deck: Cards, trump: int) -> int:
    """A lower bound on what the hand makes in a trump suit when it leads, or 0."""
    others, trumps = deck & ~hand, lane(trump, RANKS)
    out = min(count(others & trumps), count(hand))  # at most so many in one hand
    if count(unbeaten(hand & trumps, others, trump)) < out:
        return 0
    winners = (hand & trumps) | unbeaten(hand & ~trumps, others & ~trumps, trump)
    tricks = count(winners)
    points = worth((winners | others) & trumps, trump) + worth(winners & ~trumps, trump)
    thrown = 3 * tricks - count(others & trumps)
    points += cheapest(others & ~trumps, trump, thrown)
    return points + (LAST_TRICK if winners == hand else 0)


@inlined
def unbeaten(cards: Cards, others: Cards, trump: int) -> Cards:
    """The cards that none of the others beats."""
    found = NONE
    while cards != NONE:
        card = lowest(cards)
        cards ^= bit(card)
        if BEATERS[trump, card] & others == NONE:
            found |= bit(card)
    return found


@inlined
def worth(cards: Cards, trump: int) -> int:
    total = 0
    while cards != NONE:
        card = lowest(cards)
        cards ^= bit(card)
        total += POINTS[trump, card]
    return total


@inlined
def cheapest(plain: Cards, trump: int, number: int) -> int:
    """The least total worth of this many plain cards."""
    total = 0
    for rank in BY_POINTS:
        for suit in range(SUITS):
            if number > 0 and plain & bit(RANKS * suit + rank) != NONE:
                total += POINTS[trump, RANKS * suit + rank]
                number -= 1
    return total


@compiled
def forced_hands() -> np.ndarray:
    """The number of hands by sure points in the best of their four trump suits."""
    hands = np.zeros(ALL_POINTS + 1, np.int64)
    hand = lane(0, CARDS // PLAYERS)
    while hand <= ALL:
        best = 0
        for trump in range(SUITS):
            best = max(best, sure_points(hand, ALL, trump))
        hands[best] += 1
        hand = next_set(hand)
    return hands


@inlined
def next_set(cards: Cards) -> Cards:
    """The next larger set with the same number of cards (Gosper's hack: Beeler et al. 1972, item
    175).
    """
    last = cards & (~cards + ONE)
    carried = cards + last
    return carried | ((cards ^ carried) >> np.uint64(2)) // last
