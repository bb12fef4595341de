"""The compiled loops over many games. Each is written once, and runs on one core or on all of them.

Row i of every array belongs to game i; a game's randomness is a stream of its own, so that results
do not depend on the number of threads.
"""

from collections.abc import Callable
from types import FunctionType

import numpy as np
from numba import prange

from spielgames.core.advance import advance, settle
from spielgames.core.arrays import fill
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, count, has, inlined, nth
from spielgames.core.forks import is_forked
from spielgames.core.inlining import linked
from spielgames.core.luck import Luck, below, forward, stream
from spielgames.core.record import TERMINAL, State
from spielgames.core.verbs import legal, observe, reset, returns

PARALLEL_FROM = 1000  # games; below, starting the threads costs more than they save


class Kernel:
    """A loop over games, compiled for one core and for all."""

    def __init__(self, loop: Callable) -> None:
        self.serial = compiled(loop)
        # Machine code of two functions must not have the same name.
        code = loop.__code__
        named = code.replace(
            co_name=code.co_name + "_parallel", co_qualname=code.co_qualname + "_parallel"
        )
        twin = FunctionType(named, loop.__globals__, named.co_name)
        self.parallel = compiled(parallel=True)(twin)

    def __call__(self, states: np.ndarray, *args: object) -> None:
        chosen = self.parallel if len(states) >= PARALLEL_FROM and not is_forked() else self.serial
        chosen(states, *args)


@inlined
def options(s: State) -> np.uint64:
    """The legal actions of the seat to move; none at the end."""
    return legal(s) if s.turn >= 0 else NONE


@inlined
def play_randomly(s: State, luck: Luck) -> int:
    """Play to the end with uniformly random legal actions; return the number of decisions."""
    moves = 0
    luck = settle(s, luck)
    while s.turn != TERMINAL:
        luck = forward(luck)
        actions = legal(s)
        advance(s, nth(actions, below(luck, count(actions))))
        luck = settle(s, luck)
        moves += 1
    return moves


@Kernel
def start_streams(states: np.ndarray, seed: int, luck: np.ndarray) -> None:
    """Start each game's own stream of randomness."""
    for i in prange(len(states)):
        luck[i] = stream(seed, i)


@Kernel
def deal(
    states: np.ndarray, where: np.ndarray, luck: np.ndarray, actors: np.ndarray, sets: np.ndarray
) -> None:
    """Deal anew in the games marked in `where`."""
    for i in prange(len(states)):
        if where[i]:
            reset(states[i])
            luck[i] = settle(states[i], luck[i])
            actors[i] = states[i].turn
            sets[i] = options(states[i])


@Kernel
def step(
    states: np.ndarray, actions: np.ndarray, luck: np.ndarray, actors: np.ndarray, sets: np.ndarray
) -> None:
    """Play one action in every game that is not over, then whatever chance follows."""
    for i in prange(len(states)):
        s = states[i]
        if s.turn != TERMINAL:
            advance(s, actions[i])
            luck[i] = settle(s, luck[i])
            actors[i] = s.turn
            sets[i] = options(s)


@Kernel
def step_and_redeal(
    states: np.ndarray,
    actions: np.ndarray,
    luck: np.ndarray,
    actors: np.ndarray,
    sets: np.ndarray,
    ended: np.ndarray,
    utilities: np.ndarray,
) -> None:
    """Like `step`, but a game that ends leaves its utilities and starts again."""
    for i in prange(len(states)):
        s = states[i]
        advance(s, actions[i])
        luck[i] = settle(s, luck[i])
        ended[i] = s.turn == TERMINAL
        if ended[i]:
            returns(s, utilities[i])
            reset(s)
            luck[i] = settle(s, luck[i])
        actors[i] = s.turn
        sets[i] = options(s)


@Kernel
def look(states: np.ndarray, actors: np.ndarray, sets: np.ndarray) -> None:
    """Note whose turn it is and the legal actions."""
    for i in prange(len(states)):
        actors[i] = states[i].turn
        sets[i] = options(states[i])


@compiled
def first_illegal(actions: np.ndarray, actors: np.ndarray, sets: np.ndarray) -> int:
    """The first running game whose action is not allowed, or −1."""
    for i in range(len(actions)):
        a = actions[i]
        if actors[i] != TERMINAL and (a < 0 or a > 63 or not has(sets[i], a)):
            return i
    return -1


@Kernel
def expand(sets: np.ndarray, out: np.ndarray) -> None:
    """Write sets of actions as rows of flags."""
    for i in prange(len(sets)):
        for a in range(out.shape[1]):
            out[i, a] = has(sets[i], a)


@Kernel
def observe_all(states: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        fill(out[i], 0)
        observe(states[i], seats[i], out[i])


@Kernel
def final_returns(states: np.ndarray, out: np.ndarray) -> None:
    """Write the utilities of the games that are over; 0 in the others."""
    for i in prange(len(states)):
        fill(out[i], 0)
        if states[i].turn == TERMINAL:
            returns(states[i], out[i])


@linked
def play_out(copy: np.ndarray, luck: Luck, out: np.ndarray) -> None:
    """Play the only game of `copy` to its end. (It is an argument because a record does not keep
    its array alive.)
    """
    play_randomly(copy[0], luck)
    returns(copy[0], out)


@Kernel
def playouts(states: np.ndarray, seed: int, out: np.ndarray) -> None:
    """Play a copy of every game to its end at random."""
    for i in prange(len(states)):
        play_out(states[i : i + 1].copy(), stream(seed, i), out[i])


@Kernel
def random_deals(
    states: np.ndarray, deals: int, seed: int, moves: np.ndarray, out: np.ndarray
) -> None:
    """Play `deals` random deals, split over the rows of `states`; note the moves and the summed
    utilities.
    """
    for i in prange(len(states)):
        s = states[i]
        utilities = np.zeros(out.shape[1])
        for k in range(i, deals, len(states)):
            reset(s)
            moves[i] += play_randomly(s, stream(seed, k))
            returns(s, utilities)
            for seat in range(out.shape[1]):
                out[i, seat] += utilities[seat]
