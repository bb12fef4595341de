"""Tree search in sampled worlds, as a teacher: what a network should have said at some positions.

    search = TreeSearch(simulations=80, worlds=6, root=Puct(exploration=1.5))
    policy, values, worth = search.improve(guide, positions, logits, seed=1, share=0.5)

A tree grows in each world of each position, as if all hands were open (Silver et al. 2018, in each
of the worlds of Ginsberg 2001). Where nothing is hidden any more, the exact solution is given.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.alphazero.edges import SMALLEST
from solvers.alphazero.forest import Forest
from solvers.alphazero.roots import Gumbel, Puct
from solvers.alphazero.teacher import Guide, Improved
from solvers.alphazero.trees import Terms
from solvers.environments.environment import Positions
from solvers.networks.decisions import best_actions, flags
from solvers.runs.settings import at_least, between, check_choice
from solvers.search.double_dummy import solve
from solvers.search.endings import open_rows
from solvers.search.worlds import seeds_of
from spielgames.core.game import Game

EDGES_AT_ONCE = 1 << 24  # in memory: 256 MB


@dataclass(frozen=True)
class TreeSearch:
    """`aggregation` says what the worlds of a position have to say together. `visits`: an action
    counts by its visits in all trees. `mean`: by the mean of its values, each world counting as
    much. With Gumbel's root, by which all worlds try the same actions, that is the same.
    """

    kind = "trees"
    simulations: int = 80  # in each tree
    worlds: int = 6  # of each position, and so trees
    root: Puct | Gumbel = Puct()
    aggregation: str = "visits"
    bootstrap: float = 0.0  # share of the annealing in which leaves are played out at random
    acts: ClassVar[bool] = True  # self-play acts by what the search says

    def __post_init__(self) -> None:
        at_least(1, "simulations", self.simulations)
        at_least(1, "worlds", self.worlds)
        check_choice("aggregation", self.aggregation, ("visits", "mean"))
        between(0, 1, "bootstrap", self.bootstrap)

    def improve(
        self, guide: Guide, positions: Positions, logits: np.ndarray, seed: int, share: float
    ) -> Improved:
        """Search positions; `share` of the annealing is done. The result for each depends on the
        seed and on what its seat to move has seen alone.
        """
        game, found = guide.env.game, blank(len(positions.actors), guide.env.actions)
        terms = Terms(signs_of(game), guide.scale, self.root.exploration)
        known = open_rows(positions.states)
        fill(found, np.flatnonzero(known), solved(guide, positions.take(known)))
        for rows in self._parts(guide, np.flatnonzero(~known)):
            part = positions.take(rows)
            seeds = seeds_of(part.states, seed, 0)
            drawn = guide.belief.sample(game, part.states, self.worlds, seeds)
            if drawn.strange.any():
                raise ValueError("tree search knows no strangers: all play well in it")
            bootstraps = share < self.bootstrap
            forest = Forest(guide, part, drawn, self.simulations, terms, bootstraps)
            fill(found, rows, self._grow(forest, seeds))
        return found

    def _parts(self, guide: Guide, rows: np.ndarray) -> Iterator[np.ndarray]:
        """Split positions so that their trees fit into memory."""
        edges = (self.simulations + 1) * guide.env.slots * self.worlds
        at_once = max(1, EDGES_AT_ONCE // edges)
        for start in range(0, len(rows), at_once):
            yield rows[start : start + at_once]

    def _grow(self, forest: Forest, seeds: np.ndarray) -> Improved:
        by_visits = self.aggregation == "visits" and isinstance(self.root, Puct)
        priors = forest.pool(by_visits)[0]["prior"]  # without noise
        first = self.root.begin(forest, seeds)
        for k in range(1, self.simulations + 1):
            forest.simulate(k, first(k))
        pooled, raws = forest.pool(by_visits)
        pooled["prior"] = priors
        shares = pooled["visits"] / self.simulations
        policy = shares if by_visits else softmax(forest.improved(pooled, raws))
        return summary(forest.positions.sets, pooled, policy, forest.guide.env.actions)


def signs_of(game: Game) -> np.ndarray:
    """1 for each seat on the side of seat 0, −1 for those on the other."""
    return np.where(np.array(game.sides) == game.sides[0], 1.0, -1.0)


def solved(guide: Guide, positions: Positions) -> Improved:
    """The exact solution of open positions: the best actions, each as likely."""
    if not len(positions.actors):
        return blank(0, guide.env.actions)
    values = (solve(positions.states, guide.env.game) / guide.scale).astype(np.float32)
    return Improved(best_actions(positions.sets, values), values, np.nanmax(values, axis=1))


def summary(sets: np.ndarray, pooled: np.ndarray, policy: np.ndarray, actions: int) -> Improved:
    """What comes out, with a column for each action instead of each slot."""
    tried = pooled["visits"] > 0
    values = np.where(tried, pooled["total"] / np.maximum(pooled["visits"], SMALLEST), np.nan)
    known = policy * tried
    worth = (known * np.nan_to_num(values)).sum(axis=1) / known.sum(axis=1)
    out, legal = blank(len(sets), actions), flags(sets, actions)
    slots = np.arange(policy.shape[1]) < np.bitwise_count(sets)[:, None]
    out.policy[legal], out.values[legal] = policy[slots], values[slots]
    out.worth[:] = worth
    return out


def blank(n: int, actions: int) -> Improved:
    policy = np.zeros((n, actions), np.float32)
    return Improved(policy, np.full_like(policy, np.nan), np.zeros(n, np.float32))


def fill(out: Improved, rows: np.ndarray, part: Improved) -> None:
    for column, some in zip(out, part, strict=True):
        column[rows] = some


def softmax(logits: np.ndarray) -> np.ndarray:
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)
