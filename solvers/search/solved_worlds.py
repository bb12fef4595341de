"""Worlds that are played on perfectly by all, everybody seeing all cards."""

import numpy as np
from numba import get_num_threads, prange

from solvers.search.double_dummy import value_of
from solvers.search.double_dummy_search import Memory, forget, memory_for, play
from spielgames.core.advance import advance, settle
from spielgames.core.cards import NONE, Cards, bit, count, int64, lowest, nth
from spielgames.core.forks import is_forked
from spielgames.core.game import Game
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import Luck, below, forward
from spielgames.core.players import choices
from spielgames.core.record import TERMINAL, State
from spielgames.core.verbs import allies, returns


@linked
def solve_world(
    m: Memory,
    world: np.ndarray,
    tried: Cards,
    level: int,
    luck: Luck,
    utilities: np.ndarray,
    out: np.ndarray,
) -> None:
    """The utility of each action tried in one world, for its mover."""
    seat, seed, best = int64(world[0].turn), int64(luck >> np.uint64(1)), -np.inf
    while tried != NONE:
        a = lowest(tried)
        tried ^= bit(a)
        m.rows[1] = world[0]
        if allies(world[0], seat) != NONE:
            play(m.rows[1], a, seed)
        else:
            advance(m.rows[1], a)
            bid(m.rows[1], seat, level, luck)
        if m.rows[1].turn == TERMINAL:
            returns(m.rows[1], utilities)
            out[a] = utilities[seat]
        else:
            side = allies(m.rows[1], seat)
            out[a], _ = value_of(m, seat, side, best, seed)
        best = max(best, out[a])


@linked
def bid(s: State, seat: int, level: int, luck: Luck) -> None:
    """Bid by the rules until it is known what is played for."""
    luck = settle(s, luck)
    while s.turn != TERMINAL and allies(s, seat) == NONE:
        luck = forward(luck)
        actions = choices(s, level)
        advance(s, nth(actions, below(luck, count(actions))))
        luck = settle(s, luck)


@Kernel
def solve_worlds(
    m: Memory,
    worlds: np.ndarray,
    tried: np.ndarray,
    luck: np.ndarray,
    level: int,
    players: int,
    out: np.ndarray,
) -> None:
    """World j is solved in memory j mod lanes, of which there is one per thread."""
    lanes = len(m.rows)
    for k in prange(lanes):
        own, utilities = Memory(m.rows[k], m.frames[k], m.table[k], m.notes[k]), np.zeros(players)
        for j in range(k, len(worlds), lanes):
            forget(own)
            solve_world(own, worlds[j : j + 1], tried[j], level, luck[j], utilities, out[j])


def solved_utilities(
    game: Game, worlds: np.ndarray, tried: np.ndarray, luck: np.ndarray, level: int
) -> np.ndarray:
    """The mover's utility after each of the actions `tried` (sets) in each world, NaN for the
    others; what is left of the bidding goes by the rules of that level. `[worlds, actions]`
    """
    out = np.full((len(worlds), game.actions), np.nan)
    lanes = 1 if is_forked() else max(min(get_num_threads(), len(worlds)), 1)
    loop = solve_worlds.parallel if lanes > 1 else solve_worlds.serial
    loop(memory_for(game, lanes), worlds, tried, luck, level, game.players, out)
    return out
