"""Sheephead's rule-based player before the play: picking, burying, calling.

The numbers are the best that were found by duels between players differing in one of them.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, has, inlined, lowest, make_set
from spielgames.core.record import State
from spielgames.sheephead.cards import ACES, JACKS, JOKER, QUEENS, STRENGTH, TRUMPS, points
from spielgames.sheephead.rules import (
    ALONE,
    CALL_ACE,
    CALL_CARDS,
    CALL_SUITS,
    PASS,
    PICK,
    suit_of,
)

TOP = QUEENS | make_set([JOKER])

PICKS_FROM = 14.0  # strength, for the first to speak;
LATER = 0.75  # and so much less for each seat after him
ALONE_FROM = 22.0  # of the eight cards less the buried ones
VOID, HALF_VOID = 8.0, 4.0  # what burying a suit's only card is worth in points; one of two
WINNER = 9.0  # what an ace is worth in the hand
CALLABLE = 30.0  # what it is worth to be able to call


@inlined
def strength(hand: Cards) -> float:
    """Trumps count most, top trumps twice and a half as much as small ones."""
    return 2.0 * count(hand & TRUMPS) + 3.0 * count(hand & TOP) + 1.0 * count(hand & JACKS)


@inlined
def bid(s: State) -> Cards:
    """Later seats need less: the strong hands before them have passed."""
    needed = PICKS_FROM - LATER * s.turn
    return bit(PICK) if strength(s.hands[s.turn]) >= needed else bit(PASS)


@inlined
def bury(s: State, options: Cards) -> Cards:
    """Points, and the suits he then is void in; but no trump, nor the last card to call with."""
    best, found = -np.inf, NONE
    while options != NONE:
        card = lowest(options)
        options ^= bit(card)
        value = burying(s, card)
        if value >= best:
            found = bit(card) | (found if value == best else NONE)
            best = value
    return found


@inlined
def burying(s: State, card: int) -> float:
    if has(TRUMPS, card):
        return -100.0 - STRENGTH[card]
    hand = s.hands[s.turn]
    value = 1.0 * points(bit(card))
    held = count(hand & suit_of(s, card))
    if held <= 2:
        value += VOID if held == 1 else HALF_VOID
    if has(ACES, card):
        value -= WINNER
    return value if can_call(hand ^ bit(card)) else value - CALLABLE


@inlined
def can_call(hand: Cards) -> bool:
    """Whether there is a fail suit of which he has a card and not the ace."""
    possible = False
    for i in range(3):
        possible |= hand & CALL_SUITS[i] != NONE and hand & CALL_CARDS[i] == NONE
    return possible


@inlined
def call(s: State, options: Cards) -> Cards:
    """The suit in which he is shortest, so that his partner's ace takes his only card of it; best
    one with points."""
    hand = s.hands[s.turn]
    calls = options & ~bit(ALONE)
    if calls == NONE or strength(hand) >= ALONE_FROM:
        return bit(ALONE)
    best, found = -np.inf, NONE
    while calls != NONE:
        a = lowest(calls)
        calls ^= bit(a)
        held = hand & CALL_SUITS[(a - CALL_ACE) % 3]
        value = points(held) - 10.0 * count(held)
        if value >= best:
            found = bit(a) | (found if value == best else NONE)
            best = value
    return found
