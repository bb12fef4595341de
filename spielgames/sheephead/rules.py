"""The rules of one deal of Sheephead for five (docs/rules/sheephead.md): the family rules of B.
Brau, "An Exploration of Multi-agent Learning Within the Game of Sheephead", 2011.

What may be played is in `legal.py`, what it pays in `scoring.py`.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, lane, make_set
from spielgames.core.record import NOBODY, TERMINAL, State, clear, state_dtype
from spielgames.sheephead.cards import (
    CARDS,
    CLUBS,
    HEARTS,
    RANKS,
    SPADES,
    STRENGTH,
    TRUMPS,
)

PLAYERS = 5
BLIND, BURIED, UNDER = 5, 6, 7  # the piles after the hands; UNDER holds the unknown card
PASS, PICK, ALONE, CALL_ACE, CALL_TEN, CALL_UNKNOWN = 32, 33, 34, 35, 38, 41
ACTIONS = 44
CALL_SUITS = np.array([CLUBS, SPADES, HEARTS])  # in the order of the calls
CALL_CARDS = np.array([make_set([card]) for card in (7, 31, 23, 3, 27, 19, 7, 31, 23)])

BIDDING, BURYING, CALLING, LAYING, PLAYING = range(5)
SHOW, KEEP = 1, 2  # the duties of the called card's holder and of the picker: see legal.py

EVENTS = 7 + CARDS  # bids, call and unknown card; every card is buried or played
SHEEPHEAD_STATE = state_dtype(
    PLAYERS,
    3,
    EVENTS,
    [
        ("hand", "u1"),  # parameter: how many cards a seat gets
        ("blind", "u1"),  # parameter: how many cards the blind gets
        ("duties", "u1"),  # parameter: SHOW and KEEP, as bits
        ("doubled", "u1"),  # parameter: whether payments are doubled
        ("nola", "u1"),  # parameter: whether Nola is played if all pass
        ("phase", "u1"),  # BIDDING … PLAYING
        ("passes", "u1"),  # before somebody picked
        ("picker", "u1"),  # NOBODY before, and in Nola
        ("call", "u1"),  # the action; 0 before
        ("partner", "u1"),  # hidden until the called card is played
        ("called", "u8"),  # the called card
        ("suit", "u8"),  # all cards of its suit
        ("answered", "u1"),  # whether the picker has played to a trick in that suit
        ("trumps", "u8"),  # none in Nola
        ("led", "u8"),  # all cards of the suit led
        ("leader", "u1"),
        ("trick", "u1", (PLAYERS,)),  # the cards of the current trick, in order
        ("in_trick", "u1"),  # how many of them have been played
        ("trick_cards", "u8"),  # the same as a set
        ("best", "u1"),  # the strength that wins the trick so far
        ("winning", "u1"),  # the seat that wins the trick so far
        ("taken", "u8", (PLAYERS,)),  # cards in tricks
        ("voids", "u8", (PLAYERS,)),  # all cards of the suits that a seat is known not to hold
    ],
)


def reset(s: State) -> None:
    clear(s)
    s.room[BLIND] = s.blind
    s.phase = BIDDING
    s.passes = 0
    s.picker = NOBODY
    s.partner = NOBODY
    s.call = 0
    s.called = NONE
    s.suit = NONE
    s.answered = 0
    s.trumps = TRUMPS
    s.leader = 0
    s.winning = 0
    for seat in range(PLAYERS):
        s.room[seat] = s.hand
        s.taken[seat] = NONE
        s.voids[seat] = NONE
    clear_trick(s)


@inlined
def clear_trick(s: State) -> None:
    s.led = NONE
    s.in_trick = 0
    s.trick_cards = NONE
    s.best = 0


def begin(s: State) -> None:
    for place in range(BLIND + 1):
        s.hands[place] = s.dealt[place]
    s.turn = 0


def apply(s: State, a: int) -> None:
    if s.phase == PLAYING:
        play_card(s, a)
    elif s.phase == BIDDING:
        bid(s, a)
    elif s.phase == BURYING:
        bury(s, a)
    elif s.phase == CALLING:
        call_card(s, a)
    else:
        lay_unknown(s, a)


@inlined
def bid(s: State, a: int) -> None:
    if a == PICK:
        take_blind(s)
        return
    s.passes += 1
    if s.passes != PLAYERS:
        s.turn += 1
    elif s.nola:
        s.trumps = NONE  # the blind stays hidden
        start_play(s)
    else:
        s.turn = TERMINAL


@inlined
def take_blind(s: State) -> None:
    s.picker = s.turn
    s.gained[s.turn] = s.hands[BLIND]
    s.hands[s.turn] |= s.hands[BLIND]
    s.hands[BLIND] = NONE
    s.phase = BURYING
    s.private = 1


@inlined
def bury(s: State, a: int) -> None:
    s.hands[s.turn] ^= bit(a)
    s.hands[BURIED] |= bit(a)
    if count(s.hands[BURIED]) == s.blind:
        s.phase = CALLING
        s.private = 0


@inlined
def call_card(s: State, a: int) -> None:
    """The called card is never the picker's own, so its holder becomes the hidden partner."""
    s.call = a
    if a == ALONE:
        start_play(s)
        return
    s.called = CALL_CARDS[a - CALL_ACE]
    s.suit = CALL_SUITS[(a - CALL_ACE) % 3]
    for seat in range(PLAYERS):
        if s.hands[seat] & s.called != NONE:
            s.partner = seat
    if a < CALL_UNKNOWN:
        start_play(s)
    else:
        s.voids[s.picker] = (
            s.suit
        )  # with a card of it, the picker would have had to call it regularly
        s.phase = LAYING
        s.private = 1


@inlined
def lay_unknown(s: State, a: int) -> None:
    s.hands[s.turn] ^= bit(a)
    s.hands[UNDER] = bit(a)
    s.private = 0
    start_play(s)


@inlined
def start_play(s: State) -> None:
    s.phase = PLAYING
    s.turn = 0


@inlined
def is_nola(s: State) -> bool:
    return s.phase == PLAYING and s.picker == NOBODY


@inlined
def play_card(s: State, a: int) -> None:
    seat = s.turn
    unknown = s.hands[UNDER] & bit(a) != NONE
    suit = s.suit if unknown else suit_of(s, a)
    if s.in_trick == 0:
        s.led = suit
    elif suit != s.led:
        s.voids[seat] |= s.led
    if seat == s.picker and s.led == s.suit:
        s.answered = 1
    strength = 0 if unknown else strength_of(s, a, suit)
    if strength > s.best:
        s.best = strength
        s.winning = seat
    lay_open(s, seat, a)
    if s.in_trick == PLAYERS:
        end_trick(s)
    else:
        s.turn = seat + 1 if seat < PLAYERS - 1 else 0


@inlined
def suit_of(s: State, a: int) -> Cards:
    """All cards of the card's suit; the trumps form one suit."""
    if bit(a) & s.trumps != NONE:
        return s.trumps
    return lane(a // RANKS, RANKS) & ~s.trumps


@inlined
def strength_of(s: State, a: int, suit: Cards) -> int:
    """The strength of a card in the current trick. In Nola ranks are in natural order, and the
    joker is the lowest diamond. An unknown card that is led has strength 0, and any card beats it.
    """
    if suit != s.led and suit != s.trumps:
        return 1
    return STRENGTH[a] if s.trumps != NONE else 2 + a % RANKS


@inlined
def lay_open(s: State, seat: int, a: int) -> None:
    card = bit(a)
    s.hands[seat] &= ~card
    s.hands[UNDER] &= ~card
    s.played[seat] |= card
    s.public |= card
    s.trick_cards |= card
    s.trick[s.in_trick] = a
    s.in_trick += 1


@inlined
def end_trick(s: State) -> None:
    winner = s.winning
    s.taken[winner] |= s.trick_cards
    s.leader = winner
    clear_trick(s)
    s.turn = winner if s.hands[winner] | s.hands[UNDER] != NONE else TERMINAL
