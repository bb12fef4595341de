"""Perfect play once the talon is exhausted, when each seat knows the other's cards.

The search has its own stack, because Numba cannot load recursive functions from its cache (Numba
issue 6061).
"""

import numpy as np
from numba import njit

from spielgames.core.cards import NONE, Cards, bit, count, highest, inlined, int64
from spielgames.core.record import State
from spielgames.core.verbs import apply, legal
from spielgames.snapszer.record import PLAYERS, SNAPSZER_STATE, TALON

HAND = 5  # larger hands, in variants, are not searched
DEPTH = 1 + 2 * HAND + 4  # the position, then its cards and marriages
LOSS = -4  # worse than any result


@inlined
def is_solvable(s: State) -> bool:
    return s.hands[TALON] == NONE and count(s.hands[s.turn]) <= HAND


@inlined
def best_action(s: State, options: Cards) -> int:
    """The option that gains most if both seats play perfectly from here on."""
    line = np.empty(DEPTH, SNAPSZER_STATE)
    return search(
        s, options, line, np.empty(DEPTH, np.uint64), np.empty((DEPTH, PLAYERS), np.int64)
    )


@njit
def search(
    s: State, options: Cards, line: np.ndarray, untried: np.ndarray, sure: np.ndarray
) -> int:
    """Alpha-beta along `line`, the positions from `s` to the current one. Per position, `untried`
    has the actions still to try, and `sure` what each seat is sure to gain by one already tried.
    """
    line[0] = s
    untried[0] = options
    sure[0, :] = LOSS
    depth, action, best = 0, 0, 0
    while True:
        if untried[depth] != NONE and sure[depth, 0] + sure[depth, 1] < 0:
            a = highest(untried[depth])
            try_action(line, untried, sure, depth, a)
            action = a if depth == 0 else action
            depth += 1
        elif depth == 0:
            return best
        else:
            depth -= 1
            seat = line[depth].turn
            value = result_for(seat, line[depth + 1], sure[depth + 1])
            if value > sure[depth, seat]:
                sure[depth, seat] = value
                best = action if depth == 0 else best


@inlined
def try_action(line: np.ndarray, untried: np.ndarray, sure: np.ndarray, depth: int, a: int) -> None:
    untried[depth] ^= bit(a)
    line[depth + 1] = line[depth]
    s = line[depth + 1]
    apply(s, a)
    untried[depth + 1] = legal(s) if s.turn >= 0 else NONE
    sure[depth + 1] = sure[depth]


@inlined
def result_for(seat: int, s: State, sure: np.ndarray) -> int:
    """The value of a searched position to a seat."""
    if s.turn < 0:
        return int64(s.worth) if s.winner == seat else -int64(s.worth)
    return sure[s.turn] if s.turn == seat else -sure[s.turn]
