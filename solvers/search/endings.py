"""Positions in which nothing is hidden any more, and their exact values.

When all cards that are left are in two hands, each of the two sees what the other holds, as in
Snapszer once the talon is gone. Whoever gets there needs no belief and no network.
"""

import numpy as np
from numba import get_num_threads, prange

from solvers.search.double_dummy import solve, value_of
from solvers.search.double_dummy_search import Memory, forget, memory_for
from spielgames.core.cards import NONE, inlined, int64
from spielgames.core.forks import is_forked
from spielgames.core.game import Game
from spielgames.core.loops import Kernel
from spielgames.core.record import State
from spielgames.core.verbs import allies

JUST_WON = 1e-9  # the first question is who wins


@inlined
def is_open(s: State) -> bool:
    """Whether a seat is to move, and all cards that are left are in two hands."""
    players, filled = len(s.played), 0
    for place in range(len(s.hands)):
        if s.hands[place] != NONE:
            filled += 1 if place < players else 3
    return s.turn >= 0 and filled <= 2


@Kernel
def fill_open(states: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        out[i] = is_open(states[i])


def open_rows(states: np.ndarray) -> np.ndarray:
    """Which positions are open. `[n] bool`"""
    out = np.empty(len(states), bool)
    fill_open(states, out)
    return out


@Kernel
def solve_open(m: Memory, states: np.ndarray, out: np.ndarray) -> None:
    """Position i is solved in memory i mod lanes, of which there is one per thread."""
    lanes = len(m.rows)
    for k in prange(lanes):
        own = Memory(m.rows[k], m.frames[k], m.table[k], m.notes[k])
        for i in range(k, len(states), lanes):
            s = states[i]
            forget(own)
            own.rows[1] = s
            out[i], _ = value_of(own, int64(s.turn), allies(s, s.turn), JUST_WON, int64(0))


def exact_values(game: Game, states: np.ndarray) -> np.ndarray:
    """What open positions are worth to the seat to move. `[n]`"""
    out = np.empty(len(states))
    lanes = 1 if is_forked() else max(min(get_num_threads(), len(states)), 1)
    loop = solve_open.parallel if lanes > 1 else solve_open.serial
    loop(memory_for(game, lanes), states, out)
    return out


def best_endings(game: Game, states: np.ndarray) -> np.ndarray:
    """The best actions in open positions, with equal probability. `[n, actions] float32`"""
    values = np.nan_to_num(solve(states, game), nan=-np.inf)
    best = values == values.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).astype(np.float32)
