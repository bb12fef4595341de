"""Sheephead's unseen past: what the picker's call proves, and what the picker may have buried."""

import numpy as np

from spielgames.core.cards import NONE, ONE, Cards, bit, count, inlined, int64, lowest, nth
from spielgames.core.deductions import unseen_by
from spielgames.core.hidden_cards import dealt_as_held, subset, write_in_random_order
from spielgames.core.luck import Luck
from spielgames.core.record import NOBODY, State, set_event_action
from spielgames.sheephead.cards import ACES, FAIL, TRUMPS
from spielgames.sheephead.rules import (
    ALONE,
    BLIND,
    BURIED,
    CALL_CARDS,
    CALL_SUITS,
    CALL_TEN,
    CALL_UNKNOWN,
    KEEP,
    LAYING,
    SHOW,
    UNDER,
)

EVERYWHERE = (1 << UNDER + 1) - 1  # all hands and piles
IN_PILES = 1 << BURIED | 1 << UNDER


def relax(s: State) -> None:
    """Drop KEEP, which binds the whole hand; `cases` accounts for it."""
    s.duties &= SHOW


def cases(s: State, seat: int, k: int, allowed: np.ndarray) -> float:
    """The cases that the call has proven of the picker's cards. Every assignment has the same
    number of pasts (choices of the blind among the picker's cards, orders of burying): weights are
    1.
    """
    if s.picker == NOBODY or seat == s.picker or s.call <= ALONE:
        return 1.0 if k == 0 else -1.0
    hand = 1 << int64(s.picker)
    narrow(s.called, EVERYWHERE ^ (hand | IN_PILES), allowed)
    if s.call >= CALL_UNKNOWN:
        return unknown_case(s, seat, k, hand, allowed)
    if s.call >= CALL_TEN:
        narrow(ACES & FAIL, hand | IN_PILES, allowed)
    if not must_hold_suit(s):
        return 1.0 if k == 0 else -1.0
    return first_held(unseen_by(s, seat) & s.suit & ~s.called, k, hand, allowed)


@inlined
def narrow(cards: Cards, places: int, allowed: np.ndarray) -> None:
    """Restrict the cards of a set to these hands and piles."""
    while cards != NONE:
        card = lowest(cards)
        allowed[card] = allowed[card] & places
        cards &= cards - ONE


@inlined
def must_hold_suit(s: State) -> bool:
    """Whether the picker's hand must still have a card of the called suit: it had one at the call,
    which has not been shown; under KEEP there is one until the picker has played to a trick in that
    suit.
    """
    if not s.duties & KEEP:
        return s.played[s.picker] & s.suit == NONE
    return not s.answered and s.hands[s.picker] != NONE  # everybody knows how many cards are left


@inlined
def first_held(cards: Cards, k: int, hand: int, allowed: np.ndarray) -> float:
    """The picker holds one of the cards, as disjoint cases: the k-th is the lowest in the hand."""
    if k >= count(cards):
        return -1.0
    first = bit(nth(cards, k))
    narrow(first, hand, allowed)
    narrow(cards & (first - ONE), EVERYWHERE ^ hand, allowed)
    return 1.0


@inlined
def unknown_case(s: State, seat: int, k: int, hand: int, allowed: np.ndarray) -> float:
    """An unknown card proves that of each fail suit the picker had the ace, or no card in the hand,
    and that there was some fail card. A case says which aces were the picker's and, until the
    unknown card is laid down, which fail card is the lowest in the hand.
    """
    for aces in range(1, 8):
        n = links(s, seat, aces)
        if k < n:
            return suppose_aces(s, seat, aces, k, hand, allowed)
        k -= n
    return -1.0


@inlined
def links(s: State, seat: int, aces: int) -> int:
    """The number of cases that suppose these aces (bits, in the order of the calls); 0 with the
    called one.
    """
    suits = suits_of(aces)
    if suits & s.called != NONE:
        return 0
    return count(unseen_by(s, seat) & suits) if s.phase == LAYING else 1


@inlined
def suits_of(aces: int) -> Cards:
    suits = NONE
    for i in range(3):
        if aces >> i & 1:
            suits |= CALL_SUITS[i]
    return suits


@inlined
def suppose_aces(
    s: State, seat: int, aces: int, link: int, hand: int, allowed: np.ndarray
) -> float:
    """Suppose that the picker had these aces and no others; the weight of the case."""
    for i in range(3):
        had_ace = aces >> i & 1 != 0
        if not (own_ace(s, seat, i, hand, allowed) if had_ace else no_suit(s, i, hand, allowed)):
            return 0.0
    narrow(TRUMPS, EVERYWHERE ^ 1 << UNDER, allowed)
    if s.phase != LAYING:
        return 1.0
    return first_held(unseen_by(s, seat) & suits_of(aces), link, hand, allowed)


@inlined
def own_ace(s: State, seat: int, i: int, hand: int, allowed: np.ndarray) -> bool:
    """Suppose that the picker held or buried an ace; whether that is possible."""
    ace = CALL_CARDS[i]
    if ace & s.played[s.picker] != NONE:
        return True
    narrow(ace, hand | IN_PILES, allowed)
    return ace & unseen_by(s, seat) != NONE


@inlined
def no_suit(s: State, i: int, hand: int, allowed: np.ndarray) -> bool:
    """Suppose that another seat had the ace, and the picker's hand none of its suit; whether that
    is possible.
    """
    narrow(CALL_SUITS[i], EVERYWHERE ^ (hand | 1 << UNDER), allowed)
    narrow(CALL_CARDS[i], EVERYWHERE ^ (hand | IN_PILES), allowed)
    return s.played[s.picker] & CALL_SUITS[i] == NONE


def retrace(s: State, seat: int, w: State, luck: Luck) -> None:
    """Any of the picker's cards may have been the blind; the buried ones came in any order."""
    dealt_as_held(s, w)
    w.dealt[BLIND] = w.hands[BLIND]
    if s.picker == NOBODY:
        return
    if s.picker == seat:
        w.dealt[seat] = s.dealt[seat]
        w.dealt[BLIND] = s.dealt[BLIND]
        return
    cards = w.dealt[s.picker] | w.hands[BURIED] | w.hands[UNDER]
    blind, luck = subset(cards, s.blind, luck)
    w.dealt[BLIND] = blind
    w.dealt[s.picker] = cards & ~blind
    # The bids up to the pick come first, then the buried cards, the call and the unknown card.
    first = s.picker + 1
    write_in_random_order(w, first, w.hands[BURIED], luck)
    if w.hands[UNDER] != NONE:
        set_event_action(w, first + s.blind + 1, lowest(w.hands[UNDER]))
