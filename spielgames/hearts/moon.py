"""Shooting the moon, and stopping a player who tries to."""

import numpy as np

from spielgames.core.cards import NONE, ONE, Cards, bit, count, highest, inlined, lane, lowest
from spielgames.core.record import State
from spielgames.hearts.rules import PLAYERS, RANKS, SCORING

NOBODY, SEVERAL = -1, -2
# CLEARS[n]: how many of the others' cards a run of the n highest cards usually draws.
CLEARS = np.array([0, 2, 5, 8, 10, 11, 12, 13, 13, 13, 13, 13, 13, 13])
# STOPS[n]: how much of a stopper a card is when n unseen cards of its suit are higher.
STOPS = 0.5 ** np.arange(RANKS + 1)


@inlined
def sole_taker(s: State) -> int:
    """The only seat that has taken points; NOBODY or SEVERAL otherwise."""
    found = NOBODY
    for seat in range(PLAYERS):
        if s.points[seat] > 0:
            found = seat if found == NOBODY else SEVERAL
    return found


@inlined
def dares_moon(s: State, hand: Cards, unseen: Cards) -> bool:
    """Whether taking everything promises more than avoiding it: few losers when suits are led from
    the top, sure winners in hearts, void suits, and points already taken.
    """
    taker = sole_taker(s)
    losers, hearts, voids = strength(hand, unseen)
    share = losers / count(hand)
    if taker == NOBODY:
        return 1.5 * hearts + 0.9 * voids > 3.9 + 3.6 * share
    if taker == s.turn:
        return 3.0 * hearts + 0.6 * voids + 0.4 * s.points[taker] + 0.7 > 15 * share
    return False


@inlined
def strength(hand: Cards, unseen: Cards) -> tuple[int, int, int]:
    """The numbers of cards that will not win a trick, of hearts that surely will, and of void
    suits.
    """
    losers = hearts = voids = 0
    for suit in range(4):
        mine, theirs = hand & lane(suit, RANKS), unseen & lane(suit, RANKS)
        top = count(mine & ~up_to(theirs))
        if CLEARS[top] < count(theirs):
            losers += count(mine) - top
        hearts += top if suit == 2 else 0
        voids += mine == NONE
    return losers, hearts, voids


@inlined
def up_to(cards: Cards) -> Cards:
    """All ids up to the highest card of the set."""
    return NONE if cards == NONE else (bit(highest(cards)) << ONE) - ONE


@inlined
def shot(s: State, options: Cards, hand: Cards, unseen: Cards) -> Cards:
    """The best card for a player who wants every point."""
    best, most = NONE, -np.inf
    while options != NONE:
        a = lowest(options)
        options ^= bit(a)
        suit = a // RANKS
        mine, theirs = hand & lane(suit, RANKS), unseen & lane(suit, RANKS)
        higher = count(theirs & ~up_to(bit(a)))
        if s.in_trick == 0:
            value = lead_value(mine, theirs, higher)
        elif suit == s.trick[0] // RANKS:
            value = follow_value(s, bit(a), suit, a % RANKS, higher)
        else:
            value = discard_value(suit, a % RANKS, higher)
        if value > most:
            best, most = bit(a), value
    return best


@inlined
def lead_value(mine: Cards, theirs: Cards, higher: int) -> float:
    """Lead sure winners first, from the suit of which most cards are left."""
    sure = 100.0 if higher == 0 else -10.0 * higher
    return sure + count(mine) + count(theirs)


@inlined
def follow_value(s: State, card: Cards, suit: int, rank: int, higher: int) -> float:
    """Win as cheaply as possible in last place, otherwise as surely; failing that, lose low."""
    if s.trick_cards & lane(suit, RANKS) > card:
        return -1.0 * rank
    if s.in_trick == PLAYERS - 1:
        return 100.0 - rank
    return 50.0 - (rank if higher == 0 else 10.0 * higher)


@inlined
def discard_value(suit: int, rank: int, higher: int) -> float:
    """Throw away what cannot win, but hearts last."""
    return 10.0 * higher - rank - (5.0 if suit == 2 else 0.0)


@inlined
def alarm(s: State) -> float:
    """The value of keeping the only taker of points from taking them all."""
    taker = sole_taker(s)
    if taker < 0 or taker == s.turn:
        return 0.0
    return 0.4 + 0.4 * min(s.points[taker] % 13, 7)


@inlined
def stopping_power(theirs: Cards, card: Cards) -> float:
    """The value of keeping a card that may yet take a trick from a moon shooter."""
    return 0.33 * STOPS[count(theirs & ~(card | (card - ONE)))]


@inlined
def giving_away(s: State, card: Cards) -> float:
    """A point helps the shooter who takes it; given to anybody else, it stops the moon."""
    if s.in_trick == 0 or card & SCORING == NONE:
        return 0.0
    return 0.25 if s.winning == sole_taker(s) else -0.5
