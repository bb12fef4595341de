"""The trees of some positions: one for each of their worlds."""

import numpy as np
from numba import prange

from solvers.alphazero.edges import EDGE, improve_logits, mixed_value
from solvers.alphazero.teacher import Guide
from solvers.alphazero.trees import (
    ASKED,
    NO_SLOT,
    OPEN,
    ROOT,
    Terms,
    Trees,
    back_up,
    descend,
    open_nodes,
    plant,
    roll_out,
)
from solvers.environments.environment import Positions
from solvers.search.endings import exact_values
from solvers.search.worlds import Worlds
from spielgames.core.arrays import take
from spielgames.core.cards import count
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel


class Forest:
    """Trees that advance together: those of position i are `starts[i]` … `starts[i + 1] − 1`."""

    def __init__(
        self,
        guide: Guide,
        positions: Positions,
        drawn: Worlds,
        simulations: int,
        terms: Terms,
        bootstrap: bool,
    ) -> None:
        self.guide, self.positions, self.terms, self.bootstrap = guide, positions, terms, bootstrap
        env, n = guide.env, len(positions.actors)
        exist = drawn.weights > 0
        self.weights, self.owners = drawn.weights[exist], np.nonzero(exist)[0]
        self.starts = np.searchsorted(self.owners, np.arange(n + 1))
        states = take(drawn.states.reshape(-1), np.flatnonzero(exist))
        alike = positions.actors, positions.sets, positions.depth
        self.worlds = Positions(
            states, drawn.luck[exist], *(column[self.owners] for column in alike)
        )
        self.leaves = Positions(*(column.copy() for column in self.worlds))
        self.trees = plant(len(states), simulations, env.slots, env.players)
        self._judge(0)

    def simulate(self, k: int, first: np.ndarray | None = None) -> None:
        """Simulation k, from 1 on. `first` has the slot of each position's first action; without
        it, each tree chooses that for itself.
        """
        slots = np.full(len(self.owners), NO_SLOT) if first is None else first[self.owners]
        descend(slots, k, self.worlds, self.leaves, self.trees, self.terms)
        self._judge(k)
        back_up(self.trees.at, self.trees)

    def _judge(self, k: int) -> None:
        """Value the leaves that simulation k has reached."""
        asked, known = (np.flatnonzero(self.trees.judges == judge) for judge in (ASKED, OPEN))
        if len(asked):
            logits, values = self.guide.judge(self.leaves.take(asked))
            open_nodes(asked, logits, self.leaves, self.trees)
            if self.bootstrap:
                values = np.empty(len(asked))
                roll_out(asked, k, self.worlds, self.leaves, self.trees, self.terms, values)
            self._note(asked, values)
        if len(known):
            utilities = exact_values(self.guide.env.game, take(self.leaves.states, known))
            self._note(known, utilities / self.terms.scale)

    def _note(self, rows: np.ndarray, values: np.ndarray) -> None:
        """Note values for the seats to move."""
        signs = self.terms.signs[self.leaves.actors[rows]]
        self.trees.nodes["value"][rows, self.trees.at[rows]] = signs * values

    def mix_priors(self, share: float, noise: np.ndarray) -> None:
        """Replace a share of the priors at the roots by noise, `[positions, slots]`."""
        priors = self.trees.edges["prior"][:, ROOT]
        priors[:] = (1 - share) * priors + share * noise[self.owners]

    def pool(self, by_visits: bool) -> tuple[np.ndarray, np.ndarray]:
        """The edges of each position, for its seat to move: means over its worlds, `[positions,
        slots]`; and its value when it was new. Values count by visits, or each world's as much.
        """
        pooled = np.zeros((len(self.positions.actors), self.trees.edges.shape[2]), EDGE)
        raws = np.zeros(len(pooled))
        given = self.starts, self.weights, self.worlds, self.trees, self.terms.signs
        pool_worlds(pooled, raws, *given, by_visits)
        return pooled, raws

    def improved(self, pooled: np.ndarray, raws: np.ndarray) -> np.ndarray:
        """The improved logits of each slot, −∞ where there is none. `[positions, slots]`"""
        out = np.full(pooled.shape, -np.inf)
        improve_all(pooled, raws, self.positions.sets, out)
        return out


@Kernel
def pool_worlds(
    pooled: np.ndarray,
    raws: np.ndarray,
    starts: np.ndarray,
    weights: np.ndarray,
    worlds: Positions,
    trees: Trees,
    signs: np.ndarray,
    by_visits: bool,
) -> None:
    for i in prange(len(pooled)):
        for t in range(starts[i], starts[i + 1]):
            n, sign = count(worlds.sets[t]), signs[worlds.actors[t]]
            raw = trees.nodes[t, ROOT].value
            raws[i] += weights[t] * sign * raw
            add_world(pooled[i], trees.edges[t, ROOT], n, sign, raw, weights[t], by_visits)
        if not by_visits:
            for k in range(pooled.shape[1]):
                pooled[i, k].total *= pooled[i, k].visits


@linked
def add_world(
    means: np.ndarray,
    row: np.ndarray,
    n: int,
    sign: float,
    raw: float,
    weight: float,
    by_visits: bool,
) -> None:
    mixed = mixed_value(row, n, sign, raw)
    for k in range(n):
        e, mean = row[k], means[k]
        value = sign * e.total / e.visits if e.visits > 0 else mixed
        mean.prior += weight * e.prior
        mean.visits += weight * e.visits
        mean.total += weight * value * (e.visits if by_visits else 1)


@Kernel
def improve_all(pooled: np.ndarray, raws: np.ndarray, sets: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(pooled)):
        improve_logits(pooled[i], count(sets[i]), 1.0, raws[i], out[i])
