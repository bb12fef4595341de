"""αμ as an agent: search that does not act as if it could tell worlds apart.

    make_agent("alpha_mu:worlds=20,depth=2", "python_hokm(trump=heuristic)")

With `depth=1` it is perfect-information Monte Carlo on the solver, counting worlds won
(`solvers.search.alpha_mu_search` explains the search).
"""

from collections.abc import Iterator

import numpy as np
from numba import get_num_threads, prange

from solvers.search.agent import Search, SearchAgent
from solvers.search.alpha_mu_search import (
    MOST_WORLDS,
    Stack,
    descend_root,
    search_front,
    stack_for,
)
from solvers.search.choice import Choice, Evidence
from solvers.search.double_dummy_search import Memory, memory_for
from solvers.search.worlds import draw_worlds, seeds_of
from spielgames.agents import rules
from spielgames.core.cards import NONE, Cards, bit, count, int64, lowest
from spielgames.core.forks import is_forked
from spielgames.core.game import Game
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.verbs import allies, legal
from spielgames.explanation import Explanation

UNIT = "worlds won"


class AlphaMuAgent(SearchAgent):
    """Counts the worlds that it can win, acting alike wherever it cannot tell them apart for
    `depth` moves of its own; after these all hands are open. A utility above 0 is a win. Where
    several actions win as many worlds, it does what the rules would if that is one of them. While
    bidding has yet to decide what is played for, it is `pimc` with as many worlds.
    """

    def __init__(self, game: str, worlds: int = 20, depth: int = 2, seed: int = 0) -> None:
        if not 1 <= worlds <= MOST_WORLDS:
            raise ValueError(
                f"worlds={worlds} is not allowed; it ranges from 1 to {MOST_WORLDS}, as they are"
                " the members of a 64-bit set"
            )
        if depth < 1:
            raise ValueError(f"depth={depth} is not allowed; it must be at least 1")
        super().__init__(game, Search(choice=Choice(worlds, caution=0)), rules(game), seed)
        self.depth = depth

    def deepen(self, states: np.ndarray, rounds: int) -> Iterator[list[Explanation]]:
        for told in super().deepen(states, rounds):
            yield [explanation._replace(unit=UNIT) for explanation in told]

    def _evidence(self, states: np.ndarray, usual: np.ndarray, first_block: int = 0) -> Evidence:
        evidence = super()._evidence(states, usual, first_block)
        seeds = seeds_of(states, self.seed, first_block)
        worlds = draw_worlds(states, self.search.choice.worlds, seeds)
        stores = (worlds.luck >> np.uint64(1)).astype(np.int64)
        won, settled = worlds_won(self.game, worlds.states, stores, self.depth)
        evidence.values[settled] = won[settled]
        return evidence


def worlds_won(
    game: Game, worlds: np.ndarray, seeds: np.ndarray, depth: int
) -> tuple[np.ndarray, np.ndarray]:
    """1 for each world of a position that the best strategy after an action wins, 0 for the others,
    NaN for illegal actions, `[games, worlds, actions]`; and whether bidding is over. `[games]`
    """
    lanes = 1 if is_forked() else max(min(get_num_threads(), len(worlds)), 1)
    loop = search_games.parallel if lanes > 1 else search_games.serial
    sets = np.zeros((len(worlds), game.actions), np.uint64)
    legal_sets = np.zeros(len(worlds), np.uint64)
    stack, memory = stack_for(game, lanes, worlds.shape[1]), memory_for(game, lanes)
    loop(stack, memory, worlds, seeds, depth, game.players, sets, legal_sets)
    bits = np.arange(worlds.shape[1], dtype=np.uint64)[None, :, None]
    won = (sets[:, None, :] >> bits & np.uint64(1)).astype(float)
    actions = np.arange(game.actions, dtype=np.uint64)
    illegal = legal_sets[:, None] >> actions & np.uint64(1) == 0
    return np.where(illegal[:, None, :], np.nan, won), legal_sets != 0


@Kernel
def search_games(
    stack: Stack,
    m: Memory,
    worlds: np.ndarray,
    seeds: np.ndarray,
    depth: int,
    players: int,
    sets: np.ndarray,
    legal_sets: np.ndarray,
) -> None:
    """Game i is searched in memory i mod lanes, of which there is one per thread."""
    lanes = len(m.rows)
    for k in prange(lanes):
        own = Memory(m.rows[k], m.frames[k], m.table[k], m.notes[k])
        mine = Stack(stack.rows[k], stack.nodes[k], stack.fronts[k])
        utilities = np.zeros(players)
        for i in range(k, len(worlds), lanes):
            legal_sets[i] = search_one(mine, own, worlds[i], seeds[i], depth, utilities, sets[i])


@linked
def search_one(
    stack: Stack,
    m: Memory,
    worlds: np.ndarray,
    seeds: np.ndarray,
    depth: int,
    utilities: np.ndarray,
    sets: np.ndarray,
) -> Cards:
    """Fill, for each action, the vector of the front that wins most worlds; the legal actions, or
    none while bidding is not over.
    """
    s = worlds[0]
    seat, known = int64(s.turn), int64(s.length)
    if allies(s, seat) == NONE:
        return NONE
    actions = legal(s)
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        descend_root(stack, worlds, a, depth - 1, seeds)
        search_front(stack, m, seat, known, seeds, utilities)
        for j in range(stack.nodes[0].size):
            vector = stack.fronts[0, j]
            if count(vector) > count(sets[a]):
                sets[a] = vector
    return legal(s)
