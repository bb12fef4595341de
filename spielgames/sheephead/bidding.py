"""Sheephead's rule-based player before the play: picking, burying, calling.

The numbers are the best found in duels between players that differ in one of them.
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

PICKS_FROM = 14.0  # the strength with which the first seat picks
LATER = 0.75  # how much less each later seat needs
ALONE_FROM = 22.0  # the strength of the hand after burying with which the picker plays alone
VOID, HALF_VOID = 8.0, 4.0  # the value, in points, of burying a suit's only card; one of two
WINNER = 9.0  # the value of keeping an ace
CALLABLE = 30.0  # the value of being able to call


@inlined
def strength(hand: Cards) -> float:
    """The strength of a hand: every trump counts, jacks half as much again, top trumps 2½ times."""
    return 2.0 * count(hand & TRUMPS) + 3.0 * count(hand & TOP) + 1.0 * count(hand & JACKS)


@inlined
def bid(s: State) -> Cards:
    """Pick or pass. Later seats need less, as the strong hands before them would have picked."""
    needed = PICKS_FROM - LATER * s.turn
    return bit(PICK) if strength(s.hands[s.turn]) >= needed else bit(PASS)


@inlined
def bury(s: State, options: Cards) -> Cards:
    """Bury points, and cards that leave a suit void; but no trump, nor the last card to call
    with.
    """
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
    """Whether the hand has a card of some fail suit, but not its ace."""
    possible = False
    for i in range(3):
        possible |= hand & CALL_SUITS[i] != NONE and hand & CALL_CARDS[i] == NONE
    return possible


@inlined
def call(s: State, options: Cards) -> Cards:
    """Call the suit in which the picker is shortest, preferably with points, so that the partner's
    ace takes the only card of it.
    """
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
