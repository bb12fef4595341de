"""The 540 flags of Berns' project: all that a seat can deduce but the order of past tricks."""

import numpy as np

from spielgames.core.cards import inlined, int64
from spielgames.core.pieces import Pieces, put_bits, put_set
from spielgames.core.record import State
from spielgames.hearts.rules import CARDS, PLAYERS

PIECES = Pieces(
    {
        "hand": (CARDS,),
        "direction": (4,),
        "passed": (CARDS,),  # by the observer
        "received": (CARDS,),
        "finished": (PLAYERS, CARDS),  # played in finished tricks; the observer's row first
        "trick": (PLAYERS - 1, CARDS),  # the current trick, in order
        "voids": (PLAYERS - 1, 4),
        "has_points": (PLAYERS,),
    },
    suited=("voids",),
)
HAND, DIRECTION, PASSED, RECEIVED, FINISHED, TRICK, VOIDS, HAS_POINTS = PIECES.starts()


def observe(s: State, seat: int, out: np.ndarray) -> None:
    put_set(out, HAND, s.hands[seat] & ~s.passed[seat])  # a card that is to be passed is gone
    if s.direction < 4:
        out[DIRECTION + s.direction] = 1
    put_set(out, PASSED, s.passed[seat])
    put_set(out, RECEIVED, s.gained[seat])
    for k in range(PLAYERS):
        put_other(s, (seat + k) & 3, k, out)
    for k in range(min(s.in_trick, PLAYERS - 1)):
        out[TRICK + CARDS * k + int64(s.trick[k])] = 1


@inlined
def put_other(s: State, seat: int, k: int, out: np.ndarray) -> None:
    """Add what is known of the seat k places after the observer."""
    put_set(out, FINISHED + CARDS * k, s.played[seat] & ~s.trick_cards)
    out[HAS_POINTS + k] = s.points[seat] > 0
    if k > 0:
        put_bits(out, VOIDS + 4 * (k - 1), s.voids[seat], 4)
