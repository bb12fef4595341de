"""Thousands of traversals in lock-step: all their positions of one depth are one batch.

A level's positions get their strategies from one network call; the actions that are followed lead
to the next level. Values then come back up: with b a baseline (or 0) and p(a) the probability with
which action a was to be followed,

    q(a) = b(a) + [a followed] · (value behind a − b(a)) / p(a),     value = Σ strategy(a) · q(a)

which is right on average whatever b is (VR-MCCFR, Schmid et al. 2019). Regrets are q − value.

Where a level would have more than `in_flight` children, its positions are taken in groups: all that
follows from one group is finished before the next begins. So at most `in_flight` positions of each
depth are in memory, besides the deals. What is found comes in the same order all the same, and is
the same, as luck is each position's own; networks alone may round otherwise in batches of a few.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import prange

from solvers.deep_cfr.harvest import Harvest, Rows
from solvers.deep_cfr.levels import Level, encodings_of, expand
from solvers.deep_cfr.plan import TraversalPlan
from solvers.deep_cfr.rows import pack, put_targets
from solvers.deep_cfr.sampling import EVERYBODY
from solvers.environments.environment import Positions
from solvers.networks.decisions import Decided
from spielgames.core.cards import NONE, Cards, bit, inlined, lowest
from spielgames.core.loops import Kernel


def traverse(plan: TraversalPlan, traverser: int, deals: Positions) -> Harvest:
    """Go down to the ends and back up, for the traverser or for all seats at once."""
    harvest = Harvest(plan.samples.dtype, plan.histories.dtype, plan.folder)
    harvest.positions = len(deals.actors)
    live = deals.take(np.flatnonzero(~deals.ended))
    Traversal(plan, traverser, harvest).evaluate(live, depth=0)
    return harvest


class Values(NamedTuple):
    values: np.ndarray  # [n, viewers]
    expected: np.ndarray  # [n] by a baseline


@dataclass(frozen=True)
class Traversal:
    plan: TraversalPlan
    traverser: int
    harvest: Harvest

    def evaluate(self, positions: Positions, depth: int) -> Values:
        """Return the values of positions, which are evaluated group by group."""
        viewers = self.plan.env.players if self.traverser == EVERYBODY else 1
        parts = [Values(np.zeros((0, viewers)), np.zeros(0))]
        most = self.plan.sampling.most(positions, self.traverser)
        for rows in groups(most, self.plan.in_flight):
            parts.append(self.evaluate_group(positions.take(rows), depth))
        return Values(*map(np.concatenate, zip(*parts, strict=True)))

    def evaluate_group(self, positions: Positions, depth: int) -> Values:
        """Visit all that follows from these positions."""
        level, following = self.go_down(positions, depth)
        behind = self.evaluate(following, depth + 1)
        level.worth[level.onward] = behind.values
        return self.come_up(level, behind.expected, depth)

    def go_down(self, positions: Positions, depth: int) -> tuple[Level, Positions]:
        """Return a level and the positions that follow; keep the others' strategies."""
        decided = self.plan.decide(positions)
        level, children = expand(self.plan, self.traverser, positions, decided)
        self.harvest.positions += len(level.actions)
        if self.plan.keep_strategies:
            found = strategy_samples(self.plan, level, positions, decided)
            self.harvest.strategies.add(depth, *found)
        return level, children.take(level.onward)

    def come_up(self, level: Level, behind: np.ndarray, depth: int) -> Values:
        """Keep the samples of a level whose children have values, and return its own values;
        `behind` is what a baseline expects of the children that are not ends.
        """
        if level.believed:
            histories = level.believed.samples
            put_targets(histories, history_targets(level, behind, self.plan.env.actions))
            self.harvest.histories.add(depth, histories, level.actors)
        values = value_positions(level)
        regrets = regret_samples(self.plan, level, values)
        self.harvest.regrets.add(depth, regrets, level.actors[level.own])
        return Values(values, expectations(level, values))


def groups(most: np.ndarray, limit: int) -> Iterator[slice]:
    """Yield neighbours with no more children than the limit (`most[i]` each), or single ones."""
    ends, first, before = np.cumsum(most), 0, 0
    while first < len(most):
        last = max(first + 1, int(np.searchsorted(ends, before + limit, side="right")))
        yield slice(first, last)
        first, before = last, ends[last - 1]


def value_positions(level: Level) -> np.ndarray:
    """Return the values of the positions of a level. `[n, viewers]`"""
    values = np.zeros((len(level.actors), level.worth.shape[1]))
    nothing = np.zeros(0, np.float32)
    believed = level.believed
    expected, behind = (believed.positions, believed.children) if believed else (nothing, nothing)
    given = level.first, level.likely, level.shares, level.worth
    value_all(*given, expected, behind, values)
    return values


@Kernel
def value_all(
    first: np.ndarray,
    likely: np.ndarray,
    shares: np.ndarray,
    worth: np.ndarray,
    expected: np.ndarray,
    behind: np.ndarray,
    values: np.ndarray,
) -> None:
    """Add up values. With a baseline there is one viewer, the traverser."""
    for i in prange(len(values)):
        if len(expected) > 0:
            values[i, 0] = expected[i]
        for j in range(first[i], first[i + 1]):
            for v in range(values.shape[1]):
                known = behind[j] if len(behind) > 0 else np.float32(0)
                values[i, v] += likely[j] * (worth[j, v] - known) / shares[j]


def expectations(level: Level, values: np.ndarray) -> np.ndarray:
    """Return what a baseline should expect at each position: its own expectation, which is less
    noisy than the sampled value, once it has one.
    """
    believed = level.believed
    return believed.positions if believed and believed.learnt else values[:, 0]


def regret_samples(plan: TraversalPlan, level: Level, values: np.ndarray) -> np.ndarray:
    """Return the samples of a level: the regrets of the seats to move, or targets made of them."""
    samples, believed = level.samples, level.believed
    own = level.own
    viewers = level.actors[own] if values.shape[1] > 1 else np.zeros(len(own), np.int8)
    nothing = np.zeros((len(own), plan.env.actions), np.float32)
    regrets = believed.own if believed else nothing
    worth = level.first, level.actions, level.shares, level.worth
    of_own = own, viewers, level.legal, values[own, viewers]
    fill_regrets(*of_own, *worth, plan.sampling.corrected, regrets)
    put_targets(samples, plan.aim(level.advantages, regrets) if plan.aim else regrets)
    return samples


@Kernel
def fill_regrets(
    own: np.ndarray,
    viewers: np.ndarray,
    legal: np.ndarray,
    values: np.ndarray,
    first: np.ndarray,
    actions: np.ndarray,
    shares: np.ndarray,
    worth: np.ndarray,
    corrected: bool,
    regrets: np.ndarray,
) -> None:
    """`regrets` hold the baseline at first, then the q of this module's docstring."""
    for k in prange(len(own)):
        i = own[k]
        followed = NONE
        for j in range(first[i], first[i + 1]):
            a = actions[j]
            followed |= bit(a)
            regrets[k, a] += (worth[j, viewers[k]] - regrets[k, a]) / shares[j]
        subtract_value(legal[k] if corrected else followed, values[k], regrets[k])


@inlined
def subtract_value(actions: Cards, value: float, regrets: np.ndarray) -> None:
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        regrets[a] -= value


def strategy_samples(
    plan: TraversalPlan, level: Level, positions: Positions, decided: Decided
) -> Rows:
    """Return samples of the strategies that were followed, and whose they are."""
    where = np.ones(len(level.actors), bool)
    where[level.own] = False
    rows = np.flatnonzero(where)
    samples = pack(plan.samples, encodings_of(plan, positions, decided, rows), positions.sets[rows])
    put_targets(samples, decided.strategy[rows])
    return samples, level.actors[rows]


def history_targets(level: Level, expected: np.ndarray, actions: int) -> np.ndarray:
    """Return targets for the baseline: what followed each action, that is the utility at an end,
    and elsewhere what the baseline expects itself, `expected` of the next level.
    """
    rows = np.repeat(np.arange(len(level.actors)), np.diff(level.first))
    worth = level.worth[:, 0].copy()
    worth[level.onward] = expected
    targets = np.zeros((len(level.actors), actions), np.float32)
    targets[rows, level.actions] = worth
    return targets
