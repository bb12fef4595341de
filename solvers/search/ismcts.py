"""Information-set Monte Carlo tree search as an agent.

    make_agent("ismcts:sims=1000,exploration=0.7", "python_hearts")

It grows one tree for each decision, anew, through as many worlds as simulations; what it does
follows from the seed and from what its seat has seen. `solvers.search.tree` explains the search.
"""

from collections.abc import Iterator

import numpy as np
from numba import prange

from solvers.search.agent import AT_ONCE
from solvers.search.explain import NORMAL
from solvers.search.tree import NODE, grow_tree
from solvers.search.worlds import Worlds, draw_worlds, seeds_of
from spielgames.agents import Agent, legal_flags, level_of
from spielgames.core.arrays import take
from spielgames.core.game import unit_of
from spielgames.core.loops import Kernel
from spielgames.explanation import Explanation, Verdict


class IsmctsAgent(Agent):
    """Information-set Monte Carlo tree search on uniform worlds: opponents and partners choose what
    serves them in the tree, and leaves are played out by the rules of `level`. `exploration` is the
    constant of UCT in units of the largest utility. It does what it tried most often.
    """

    def __init__(
        self, game: str, sims: int = 1000, exploration: float = 0.7, level: str = "", seed: int = 0
    ) -> None:
        super().__init__(game)
        if sims < 1:
            raise ValueError(f"sims={sims} is not allowed; a search needs at least 1")
        if not exploration >= 0:
            raise ValueError(f"exploration={exploration} is not allowed; it must be at least 0")
        self.sims, self.seed = sims, seed
        self.constant = exploration * self.variant.max_utility
        self.rollout_level = level_of(game, level)

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        """Forced moves are not searched."""
        chances = legal_flags(states, self.game.actions).astype(np.float32)
        rows = np.flatnonzero(chances.sum(axis=1) > 1)
        chances[rows] = most_visited(self.counts(take(states, rows), self.sims))
        return chances

    def values(self, states: np.ndarray) -> np.ndarray:
        """The mean result of the action that was tried most often."""
        counts = self.counts(states, self.sims)
        best = counts[..., 0].argmax(axis=1)
        return means_of(counts)[np.arange(len(states)), best]

    def explain(self, states: np.ndarray) -> list[Explanation]:
        return self._explanations(self.counts(states, self.sims))

    def deepen(self, states: np.ndarray, rounds: int) -> Iterator[list[Explanation]]:
        """Every round grows new trees, twice as large."""
        for k in range(rounds):
            yield self._explanations(self.counts(states, self.sims << k))

    def counts(self, states: np.ndarray, sims: int) -> np.ndarray:
        """The visits of each action, and the sum of its results and of their squares. `[games,
        actions, 3]`
        """
        out, at_once = np.zeros((len(states), self.game.actions, 3)), max(1, AT_ONCE // sims)
        for start in range(0, len(states), at_once):
            rows = slice(start, start + at_once)
            some = take(states, rows)
            self._grow(draw_worlds(some, sims, seeds_of(some, self.seed, 0)), out[rows])
        return out

    def _grow(self, worlds: Worlds, counts: np.ndarray) -> None:
        games, sims = worlds.states.shape
        trees = np.zeros((games, 1 + 2 * sims), NODE)
        paths = np.zeros((games, self.variant.max_moves, 2), np.int64)
        levels = np.full(self.game.players, self.rollout_level)
        grow_trees(worlds.states, worlds.luck, levels, self.constant, trees, paths, counts)

    def _explanations(self, counts: np.ndarray) -> list[Explanation]:
        chances, means, errors = most_visited(counts), means_of(counts), errors_of(counts)
        shares = counts[..., 0] / counts[..., 0].sum(axis=1, keepdims=True)
        told = []
        for i, visits in enumerate(counts[..., 0]):
            verdicts = [
                Verdict(
                    *(int(a), float(chances[i, a]), float(means[i, a])),
                    *(float(means[i, a] - margin), float(means[i, a] + margin)),
                    float(shares[i, a]),
                )
                for a, margin in enumerate(NORMAL * errors[i])
                if visits[a]
            ]
            best, total = int(visits.argmax()), int(visits.sum())
            why = f"{{{best}}} was tried most often, {visits[best]:.0f} of {total} times."
            told.append(
                Explanation(verdicts, why, total, unit_of(self.game, self.variant), share="tried")
            )
        return told


def most_visited(counts: np.ndarray) -> np.ndarray:
    """Uniformly the actions tried most often. `[games, actions] float32`"""
    best = counts[..., 0] == counts[..., 0].max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).astype(np.float32)


def means_of(counts: np.ndarray) -> np.ndarray:
    """The mean result of each action, NaN if it was never tried. `[games, actions]`"""
    with np.errstate(invalid="ignore"):
        return counts[..., 1] / counts[..., 0]


def errors_of(counts: np.ndarray) -> np.ndarray:
    """The standard error of each mean, as if its results did not depend on each other."""
    with np.errstate(invalid="ignore"):
        variances = counts[..., 2] / counts[..., 0] - means_of(counts) ** 2
        return np.sqrt(np.maximum(variances, 0) / counts[..., 0])


@Kernel
def grow_trees(
    worlds: np.ndarray,
    luck: np.ndarray,
    levels: np.ndarray,
    exploration: float,
    trees: np.ndarray,
    paths: np.ndarray,
    counts: np.ndarray,
) -> None:
    for i in prange(len(worlds)):
        grow_tree(worlds[i], luck[i], levels, exploration, trees[i], paths[i], counts[i])
