"""The legal actions: bids, calls, and the cards that following suit and the duties leave.

Two duties can be switched off (docs/rules/sheephead.md, "Play"). SHOW: the holder of the called
card plays it when its suit is led, also when leading that suit, and does not discard it while
holding another card. KEEP: until the called suit has been led, the picker does not discard the last
card of it while holding another card, but may lead it. An unknown card stands for a card of the
called suit under any duties: the picker follows suit with it, or else plays it last.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, make_set, unless_empty
from spielgames.core.record import State
from spielgames.sheephead.cards import FAIL
from spielgames.sheephead.rules import (
    ALONE,
    BIDDING,
    BURIED,
    CALL_ACE,
    CALL_CARDS,
    CALL_SUITS,
    CALL_TEN,
    CALL_UNKNOWN,
    CALLING,
    KEEP,
    LAYING,
    PASS,
    PICK,
    PLAYING,
    SHOW,
    UNDER,
)

BIDS = make_set((PASS, PICK))


def legal(s: State) -> Cards:
    hand = s.hands[s.turn]
    if s.phase == PLAYING:
        return playable(s, hand)
    if s.phase == BIDDING:
        return BIDS
    if s.phase == CALLING:
        return calls(s, hand)
    return hand & FAIL if s.phase == LAYING else hand


@inlined
def calls(s: State, hand: Cards) -> Cards:
    """The calls ("Calling a partner"): an ace of a suit the picker holds; else an ace with an
    unknown card; or, if the picker has all aces, a ten of a suit the picker holds; or alone.
    """
    own = hand | s.hands[BURIED]
    aces = lacking(s, own, CALL_ACE)
    if aces == NONE:
        return lacking(s, own, CALL_TEN) & holding(hand, CALL_TEN) | bit(ALONE)
    regular = aces & holding(hand, CALL_ACE)
    if regular != NONE:
        return regular | bit(ALONE)
    if hand & FAIL != NONE:
        return aces << np.uint64(CALL_UNKNOWN - CALL_ACE) | bit(ALONE)
    return bit(ALONE)


@inlined
def lacking(s: State, own: Cards, first: int) -> Cards:
    """The three calls from `first` on whose cards are in the deck but not the picker's own."""
    found = NONE
    for call in range(first, first + 3):
        if CALL_CARDS[call - CALL_ACE] & s.deck & ~own != NONE:
            found |= bit(call)
    return found


@inlined
def holding(hand: Cards, first: int) -> Cards:
    """The three calls from `first` on in whose suits the picker holds a card."""
    found = NONE
    for i in range(3):
        if hand & CALL_SUITS[i] != NONE:
            found |= bit(first + i)
    return found


@inlined
def playable(s: State, hand: Cards) -> Cards:
    if unknown_is_due(s, hand):
        return s.hands[UNDER]
    return leads(s, hand) if s.in_trick == 0 else follows(s, hand)


@inlined
def unknown_is_due(s: State, hand: Cards) -> bool:
    """Whether the unknown card must be played. It stands for a card of the called suit: it follows
    when that is led, and otherwise comes last.
    """
    if s.turn != s.picker or s.hands[UNDER] == NONE:
        return False
    return hand == NONE or s.led == s.suit


@inlined
def leads(s: State, hand: Cards) -> Cards:
    """The holder of the called card leads its suit only with that card."""
    if s.duties & SHOW and hand & s.called != NONE:
        return hand & ~(s.suit ^ s.called)
    return hand


@inlined
def follows(s: State, hand: Cards) -> Cards:
    same = hand & s.led
    if same == NONE:
        return unless_empty(hand & ~reserved(s, hand), hand)
    if s.duties & SHOW and same & s.called != NONE:
        return s.called
    return same


@inlined
def reserved(s: State, hand: Cards) -> Cards:
    """The cards that are not discarded while another is left: the called card; and, until the
    called suit has been led, the picker's last card of it.
    """
    kept = hand & s.suit
    if s.duties & SHOW and kept & s.called != NONE:
        return s.called
    if s.duties & KEEP and s.turn == s.picker and not s.answered and count(kept) == 1:
        return kept
    return NONE
