"""The exact values of actions when everybody sees all cards and one side plays against the rest
("double dummy" in bridge); docs/double_dummy.md explains the search.

    solve(batch.states, batch.game, seed=1)  # [games, actions], NaN where an action is illegal
"""

import numpy as np
from numba import get_num_threads, prange

from solvers.search.double_dummy_search import (
    Memory,
    forget,
    memory_for,
    play,
    search,
)
from spielgames.core.cards import NONE, Cards, bit, inlined, int64, lowest
from spielgames.core.forks import is_forked
from spielgames.core.game import Game
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.record import State
from spielgames.core.verbs import allies, legal, score_bounds, utility_of

UNSETTLED = int64(-1)


@linked
def solve_one(m: Memory, seed: int, out: np.ndarray) -> int:
    """Fill the utility, for the seat to move, of each legal action in the position `m.rows[0]`, NaN
    for the others. Returns the number of positions searched; UNSETTLED, and only NaN, where nobody
    is to move, or bidding has yet to decide what is played for.
    """
    s = m.rows[0]
    seat, nodes = int64(s.turn), int64(0)
    for a in range(len(out)):
        out[a] = np.nan
    side = allies(s, seat) if seat >= 0 else NONE
    if side == NONE:
        return UNSETTLED
    forget(m)
    actions, best = legal(s), -np.inf
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        m.rows[1] = m.rows[0]
        play(m.rows[1], a, seed)
        out[a], searched = value_of(m, seat, side, best, seed)
        best = max(best, out[a])
        nodes += searched
    return nodes


@linked
def value_of(m: Memory, seat: int, side: Cards, guess: float, seed: int) -> tuple[float, int]:
    """The utility of the position `m.rows[1]` for a seat, found by asking whether its final score
    reaches this or that goal, at first one that is worth `guess`; and the positions searched.
    """
    s, nodes = m.rows[1], int64(0)
    low, high = score_bounds(s, seat)
    goal = first_goal(s, seat, low, high, guess)
    while utility_of(s, seat, low) < utility_of(s, seat, high):
        bound, searched = search(m, seat, side, goal, seed)
        nodes += searched
        if bound >= goal:
            low = bound
        else:
            high = bound
        goal = middle_goal(s, seat, low, high)
    return utility_of(s, seat, low), nodes


@linked
def reaches_one(m: Memory, utility: float, seed: int) -> int:
    """Whether the seat to move in the position `m.rows[0]` gets at least this utility; UNSETTLED as
    above. Takes far less time than all values.
    """
    m.rows[1] = m.rows[0]
    s = m.rows[1]
    side = allies(s, s.turn) if s.turn >= 0 else NONE
    if side == NONE:
        return UNSETTLED
    forget(m)
    seat = int64(s.turn)
    low, high = score_bounds(s, seat)
    if utility_of(s, seat, high) < utility:
        return int64(0)
    if utility_of(s, seat, low) >= utility:
        return int64(1)
    goal = utility if low == -np.inf else first_worth(s, seat, low, high, utility)
    return int64(search(m, seat, side, goal, seed)[0] >= goal)


@inlined
def first_goal(s: State, seat: int, low: float, high: float, guess: float) -> float:
    """The lowest score worth the guess, if that is possible."""
    if low > -np.inf and utility_of(s, seat, low) < guess <= utility_of(s, seat, high):
        return first_worth(s, seat, low, high, guess)
    return middle_goal(s, seat, low, high)


@inlined
def first_worth(s: State, seat: int, low: float, high: float, utility: float) -> float:
    """The lowest whole score worth at least this utility; `high` is, and `low` is not."""
    while high - low > 1:
        middle = np.floor((low + high) / 2)
        if utility_of(s, seat, middle) >= utility:
            high = middle
        else:
            low = middle
    return high


@inlined
def middle_goal(s: State, seat: int, low: float, high: float) -> float:
    """A score between the bounds that is worth more than any below. Where nothing is known of the
    scores that can occur, that is the upper bound, which one did reach: goals go down from one
    score that occurs to the next.
    """
    if low == -np.inf:
        return high
    middle = np.ceil((low + high) / 2)
    top = middle if utility_of(s, seat, middle) > utility_of(s, seat, low) else high
    return first_worth(s, seat, low, top, utility_of(s, seat, top))


@Kernel
def solve_games(
    m: Memory, states: np.ndarray, seed: int, out: np.ndarray, nodes: np.ndarray
) -> None:
    """Game i is solved in memory i mod lanes, of which there is one per thread."""
    lanes = len(m.rows)
    for k in prange(lanes):
        own = Memory(m.rows[k], m.frames[k], m.table[k], m.notes[k])
        for i in range(k, len(states), lanes):
            own.rows[0] = states[i]
            nodes[i] = solve_one(own, seed, out[i])


@Kernel
def reach_games(m: Memory, states: np.ndarray, utility: float, seed: int, out: np.ndarray) -> None:
    lanes = len(m.rows)
    for k in prange(lanes):
        own = Memory(m.rows[k], m.frames[k], m.table[k], m.notes[k])
        for i in range(k, len(states), lanes):
            own.rows[0] = states[i]
            out[i] = reaches_one(own, utility, seed)


def solve(states: np.ndarray, game: Game, seed: int = 0) -> np.ndarray:
    """The utility, for the seat to move, of each legal action, NaN for the others. `[games,
    actions] float32`. The seed says what chance has in store, such as the order of a talon.
    """
    return solve_counted(states, game, seed)[0]


def solve_counted(states: np.ndarray, game: Game, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """The same, and how many positions were searched. `[games]`"""
    out = np.empty((len(states), game.actions), np.float32)
    nodes = np.zeros(len(states), np.int64)
    run(solve_games, game, states, seed, out, nodes)
    check_settled(nodes)
    return out, nodes


def reaches(states: np.ndarray, game: Game, utility: float, seed: int = 0) -> np.ndarray:
    """Whether the seat to move gets at least this utility. `[games] bool`"""
    out = np.zeros(len(states), np.int64)
    run(reach_games, game, states, utility, seed, out)
    check_settled(out)
    return out == 1


def run(loop: Kernel, game: Game, states: np.ndarray, *rest: object) -> None:
    """Run a loop over games that take long, so that a few are worth a thread each."""
    lanes = 1 if is_forked() else max(min(get_num_threads(), len(states)), 1)
    chosen = loop.parallel if lanes > 1 else loop.serial
    chosen(memory_for(game, lanes), states, *rest)


def check_settled(found: np.ndarray) -> None:
    unsettled = np.flatnonzero(found == UNSETTLED)
    if len(unsettled):
        raise ValueError(
            f"game {unsettled[0]} cannot be solved: it is over, or still being dealt or bid;"
            " give positions in which all that is left is to play"
        )
