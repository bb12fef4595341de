"""The rule-based player's choice of the cards to pass."""

import numpy as np

from spielgames.core.cards import NONE, ONE, Cards, bit, count, inlined, lane, lowest
from spielgames.core.record import State
from spielgames.hearts.rules import QUEEN, RANKS

# GUARDED[n]: the share of a card's danger that remains with n lower cards of its suit beside it.
GUARDED = 0.83 ** np.arange(RANKS)


@inlined
def card_to_pass(s: State) -> Cards:
    """The most burdensome card that has not been chosen yet."""
    hand = s.hands[s.turn] & ~s.passed[s.turn]
    options, best, most = hand, NONE, -np.inf
    while options != NONE:
        a = lowest(options)
        options ^= bit(a)
        suit = a // RANKS
        mine = hand & lane(suit, RANKS)
        theirs = s.deck & lane(suit, RANKS) & ~hand
        burden = burden_of(bit(a), suit, mine, theirs)
        if burden >= most:
            best, most = bit(a), burden
    return best


@inlined
def burden_of(card: Cards, suit: int, mine: Cards, theirs: Cards) -> float:
    """High hearts, and high cards of short minor suits, are a burden; spades have their own
    measure.
    """
    if suit == 3:
        return burden_of_spade(card, count(mine))
    if suit == 2:
        return 3.0 * danger(card, mine, theirs)
    return 2.6 * danger(card, mine, theirs) + 1.2 / count(mine)


@inlined
def danger(card: Cards, mine: Cards, theirs: Cards) -> float:
    """The risk that a card takes a trick: the share of the others' cards of its suit that it beats,
    less for each lower card that can be played instead.
    """
    if theirs == NONE:
        return 0.0
    lower = card - ONE
    return count(theirs & lower) / count(theirs) * GUARDED[count(mine & lower)]


@inlined
def burden_of_spade(card: Cards, length: int) -> float:
    """♠Q, ♠A and ♠K endanger a short suit; low spades and a long suit protect against them."""
    if card == QUEEN:
        return 8.9 - 2.0 * length
    if card > QUEEN:
        return 4.0 - 0.7 * length
    return -0.75
