"""Hokm's compact encoding: the input of the transformer of neuralpensieve (2025), as flags and two
numbers.
"""

import numpy as np

from spielgames.core.cards import inlined, int64
from spielgames.core.pieces import Pieces, put_bits, put_set
from spielgames.core.record import State
from spielgames.hokm.rules import CARDS, NO_TRUMP_YET, PLAYERS, majority

PIECES = Pieces(
    {
        "hand": (CARDS,),
        "trump": (4,),
        "hakem": (PLAYERS,),  # counted from the observer, as all seats are
        "finished": (PLAYERS, CARDS),  # played in finished tricks
        "trick": (PLAYERS - 1, CARDS),  # the current trick, in order
        "voids": (PLAYERS - 1, 4),
        "tricks": (2,),  # ours, theirs; as a share of those that win the deal
    },
    numbers=("tricks",),
    suited=("trump", "voids"),
)
HAND, TRUMP, HAKEM, FINISHED, TRICK, VOIDS, TRICKS = PIECES.starts()


def observe(s: State, seat: int, out: np.ndarray) -> None:
    put_set(out, HAND, s.hands[seat])
    if s.trump != NO_TRUMP_YET:
        out[TRUMP + s.trump] = 1
    out[HAKEM + (-seat & 3)] = 1
    for k in range(PLAYERS):
        put_other(s, (seat + k) & 3, k, out)
    for k in range(s.in_trick):
        card = int64(s.trick[k])
        out[TRICK + CARDS * k + card] = 1
        out[FINISHED + CARDS * ((s.turn - s.in_trick + k - seat) & 3) + card] = 0
    for side in range(2):
        out[TRICKS + side] = s.tricks[(seat + side) & 1] / majority(s)


@inlined
def put_other(s: State, seat: int, k: int, out: np.ndarray) -> None:
    """Add what is known of the seat k places after the observer."""
    put_set(out, FINISHED + CARDS * k, s.played[seat])
    if k > 0:
        put_bits(out, VOIDS + 4 * (k - 1), s.voids[seat], 4)
