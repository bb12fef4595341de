"""Plain minimax over the verbs, the oracle of the solver."""

import numpy as np
from numba import prange

from solvers.search.double_dummy_search import play
from spielgames.core.cards import NONE, bit, has, int64, lowest
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.record import TERMINAL
from spielgames.core.verbs import allies, legal, returns

DEPTH = 40


@linked
def minimax(rows, left, values, seat, side, seed, out):
    """The value of `rows[1]` for a seat: no bounds, no table, no order."""
    depth, entered, value = 1, True, 0.0
    while True:
        s = rows[depth]
        if entered:
            if s.turn == TERMINAL:
                returns(s, out)
                value, left[depth] = out[seat], NONE
            else:
                left[depth] = legal(s)
                values[depth] = -np.inf if has(side, s.turn) else np.inf
        else:
            wins = has(side, s.turn)
            value = max(value, values[depth]) if wins else min(value, values[depth])
            values[depth] = value
        if left[depth] == NONE:
            if depth == 1:
                return value
            depth, entered = depth - 1, False
        else:
            a = lowest(left[depth])
            left[depth] ^= bit(a)
            rows[depth + 1] = s
            play(rows[depth + 1], a, seed)
            depth, entered = depth + 1, True


@Kernel
def minimax_games(states, seed, utilities, out):
    for i in prange(len(states)):
        rows = np.zeros(DEPTH, states.dtype)
        left, values = np.zeros(DEPTH, np.uint64), np.zeros(DEPTH)
        rows[0] = states[i]
        seat = int64(states[i].turn)
        actions = legal(states[i])
        while actions != NONE:
            a = lowest(actions)
            actions ^= bit(a)
            rows[1] = rows[0]
            play(rows[1], a, seed)
            out[i, a] = minimax(
                rows, left, values, seat, allies(states[i], seat), seed, utilities[i]
            )


def minimax_values(states, actions, seed=0):
    """As `solve`, without its means."""
    out = np.full((len(states), actions), np.nan, np.float32)
    minimax_games(states, seed, np.zeros(states["played"].shape), out)
    return out
