"""Five cards each; follow suit if you can; the higher card of the suit led takes the trick and its
winner leads. Whoever has more tricks wins a point.
"""

import numpy as np

from spielgames.core import verbs
from spielgames.core.cards import NONE, Cards, count, inlined, lane, unless_empty
from spielgames.core.pieces import Pieces, put_set
from spielgames.core.record import TERMINAL, State, clear, lay_open, state_dtype

PLAYERS, RANKS, HAND, STOCK = 2, 4, 5, 2
NOTHING_LED = -1
WHIST_STATE = state_dtype(PLAYERS, 1, 2 * HAND, [("led", "i1"), ("tricks", "i1", (PLAYERS,))])
PIECES = Pieces({"hand": (16,), "played": (PLAYERS, 16), "led": (16,)})
_, PLAYED, LED = PIECES.starts()


def reset(s: State) -> None:
    clear(s)
    for seat in range(PLAYERS):
        s.room[seat] = HAND
        s.tricks[seat] = 0
    s.room[STOCK] = count(s.deck) - PLAYERS * HAND
    s.led = NOTHING_LED


def begin(s: State) -> None:
    for place in range(PLAYERS + 1):
        s.hands[place] = s.dealt[place]
    s.turn = 0


def legal(s: State) -> Cards:
    hand = s.hands[s.turn]
    if s.led == NOTHING_LED:
        return hand
    return unless_empty(hand & lane(s.led // RANKS, RANKS), hand)


def apply(s: State, a: int) -> None:
    lay_open(s, s.turn, np.uint64(1) << np.uint64(a))
    if s.led == NOTHING_LED:
        s.led = a
        s.turn = 1 - s.turn
    else:
        end_trick(s, a)


@inlined
def end_trick(s: State, a: int) -> None:
    if not (a // RANKS == s.led // RANKS and a > s.led):
        s.turn = 1 - s.turn
    s.tricks[s.turn] += 1
    s.led = NOTHING_LED
    if s.hands[0] | s.hands[1] == NONE:
        s.turn = TERMINAL


def returns(s: State, out: np.ndarray) -> None:
    out[0] = 1.0 if s.tricks[0] > s.tricks[1] else -1.0
    out[1] = -out[0]


def observe(s: State, seat: int, out: np.ndarray) -> None:
    put_set(out, 0, s.hands[seat])
    for k in range(PLAYERS):
        put_set(out, PLAYED + 16 * k, s.played[(seat + k) % PLAYERS])
    if s.led != NOTHING_LED:
        out[LED + s.led] = 1


def choose(s: State, level: int) -> Cards:
    """The lowest card allowed."""
    cards = verbs.legal(s)
    return cards & (~cards + np.uint64(1))
