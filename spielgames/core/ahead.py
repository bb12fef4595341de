"""What a side gets if everybody goes on by the rules, but that it sees all hands and leaves the
rules wherever this pays it, given that all go on by the rules from there.

Who plays a world on by the rules alone underrates what its side will think of later; who plays it
on like this overrates what its side will know.
"""

import numpy as np
from numba import njit

from spielgames.core.cards import NONE, ONE, bit, count, lowest, nth
from spielgames.core.luck import Luck, below, forward
from spielgames.core.play import advance, settle
from spielgames.core.players import choices, play_on
from spielgames.core.record import TERMINAL
from spielgames.core.verbs import legal, returns


@njit(cache=True, nogil=True)  # called twice: inlined, it would take twice as long to compile
def worth_of(
    rows: np.ndarray, seat: int, levels: np.ndarray, luck: Luck, whim: Luck, out: np.ndarray
) -> float:
    """What the seat gets from `rows[1]` on by the rules."""
    play_on(rows[1], levels, luck, whim)
    returns(rows[1], out)
    return out[seat]


@njit(cache=True, nogil=True)
def look_ahead(
    rows: np.ndarray,
    seat: int,
    sides: np.ndarray,
    levels: np.ndarray,
    ahead: int,
    luck: Luck,
    out: np.ndarray,
) -> float:
    """What the seat gets from `rows[0]` on, if its side may leave the rules in so many of its next
    decisions. `rows[1]` and `out`, a number for each seat, are memory.
    """
    luck, whim = settle(rows[0], luck), forward(luck)
    rows[1] = rows[0]
    best = worth_of(rows, seat, levels, luck, whim, out)
    while ahead > 0 and rows[0].turn != TERMINAL:
        s, whim = rows[0], forward(whim)
        likely = choices(s, levels[s.turn])
        action = nth(likely, below(whim, count(likely)))
        others = legal(s) ^ bit(action) if sides[s.turn] == sides[seat] else NONE
        ahead -= others != NONE
        while others != NONE:
            a = lowest(others)
            others &= others - ONE
            rows[1] = rows[0]
            advance(rows[1], a)
            found = worth_of(rows, seat, levels, luck, whim, out)
            if found > best:
                best, action = found, a
        advance(rows[0], action)
        luck = settle(rows[0], luck)
    return best
