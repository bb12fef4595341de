"""Thousands of traversals in lock-step: all their positions of one depth are one batch.

A level's positions get their strategies from one network call; the actions that are followed lead
to the next level. Values then come back up: with b a baseline (or 0) and p(a) the probability with
which action a was to be followed,

    q(a) = b(a) + [a followed] · (value behind a − b(a)) / p(a),     value = Σ strategy(a) · q(a)

which is right on average whatever b is (VR-MCCFR, Schmidt et al. 2019). Regrets are q − value.
"""

import numpy as np
from numba import prange

from solvers.deep_cfr.levels import Level, child_weights, encodings_of, expand
from solvers.deep_cfr.plan import Harvest, Plan, Rows
from solvers.deep_cfr.rows import pack, put_targets
from solvers.deep_cfr.sampling import EVERYBODY
from solvers.environment import Positions
from solvers.strategies import Decided
from spielgames.core.cards import NONE, Cards, bit, inlined, lowest
from spielgames.core.loops import Kernel


def traverse(plan: Plan, traverser: int, deals: Positions) -> Harvest:
    """Down to the ends and back up, viewed by the traverser, or by all seats at once."""
    levels, strategies = go_down(plan, traverser, deals)
    visited = len(deals.actors) + sum(len(level.actions) for level in levels)
    regrets: list[Rows] = []
    histories = [np.zeros(0, plan.histories.dtype)]
    values, expected = np.zeros((0, viewers_of(plan, traverser))), np.zeros(0)
    while levels:
        level = levels.pop()
        level.worth[level.onward] = values
        if level.believed:
            histories.append(history_samples(level, expected, plan.env.actions))
        values = value_positions(level)
        expected = expectations(level, values)
        regrets.append((regret_samples(plan, level, values), level.actors[level.own]))
    return Harvest(
        *joined(plan, regrets), *joined(plan, strategies), np.concatenate(histories), visited
    )


def joined(plan: Plan, parts: list[Rows]) -> Rows:
    """In one piece."""
    nothing = np.zeros(0, plan.samples.dtype), np.zeros(0, np.int8)
    rows, seats = zip(nothing, *parts, strict=True)
    return np.concatenate(rows), np.concatenate(seats)


def viewers_of(plan: Plan, traverser: int) -> int:
    return plan.env.players if traverser == EVERYBODY else 1


def go_down(plan: Plan, traverser: int, deals: Positions) -> tuple[list[Level], list[Rows]]:
    """All levels, and the others' strategies on the way."""
    levels: list[Level] = []
    strategies: list[Rows] = []
    live = np.flatnonzero(~deals.ended)
    positions, weights = deals.take(live), np.ones((len(live), viewers_of(plan, traverser)))
    while len(positions.actors):
        decided = plan.decide(positions)
        level, children = expand(plan, traverser, positions, decided, weights)
        if plan.keep_strategies:
            strategies.append(strategy_samples(plan, level, positions, decided))
        levels.append(level)
        weights = child_weights(plan, level, traverser)
        positions = children.take(level.onward)
    return levels, strategies


def value_positions(level: Level) -> np.ndarray:
    """`[n, viewers]`"""
    values = np.zeros(level.weights.shape)
    nothing = np.zeros(0, np.float32)
    believed = level.believed
    expected, behind = (believed.positions, believed.children) if believed else (nothing, nothing)
    given = level.first, level.likely, level.shares, level.worth
    value_all(level.actors, *given, expected, behind, values)
    return values


@Kernel
def value_all(
    actors: np.ndarray,
    first: np.ndarray,
    likely: np.ndarray,
    shares: np.ndarray,
    worth: np.ndarray,
    expected: np.ndarray,
    behind: np.ndarray,
    values: np.ndarray,
) -> None:
    """A baseline tells of one viewer: the traverser, or whoever is to move."""
    for i in prange(len(actors)):
        viewer = actors[i] if values.shape[1] > 1 else 0
        if len(expected) > 0:
            values[i, viewer] = expected[i]
        for j in range(first[i], first[i + 1]):
            for v in range(values.shape[1]):
                known = behind[j] if len(behind) > 0 and v == viewer else np.float32(0)
                values[i, v] += likely[j] * (worth[j, v] - known) / shares[j]


def expectations(level: Level, values: np.ndarray) -> np.ndarray:
    """What a baseline should expect at each position: its own expectation, which is less noisy
    than the sampled value, once it has one.
    """
    believed = level.believed
    return believed.positions if believed and believed.learnt else values[:, 0]


def regret_samples(plan: Plan, level: Level, values: np.ndarray) -> np.ndarray:
    """The samples of a level: the regrets of the seats to move, or what is made of these."""
    samples, believed = level.samples, level.believed
    own = level.own
    viewers = level.actors[own] if values.shape[1] > 1 else np.zeros(len(own), np.int8)
    samples["weight"] = level.weights[own, viewers]
    if believed and believed.learnt and plan.trust:
        regrets = believed.own - believed.positions[own, None]
    else:
        known = believed.own if believed else None
        regrets = np.zeros((len(own), plan.env.actions), np.float32) if known is None else known
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


def strategy_samples(plan: Plan, level: Level, positions: Positions, decided: Decided) -> Rows:
    """What those do who follow their strategy, and who they are."""
    where = np.ones(len(level.actors), bool)
    if plan.sampling.breadth > 1 or not plan.sampling.everybody:
        where[level.own] = False
    rows = np.flatnonzero(where)
    samples = pack(plan.samples, encodings_of(plan, positions, decided, rows), positions.sets[rows])
    if level.worth.shape[1] == 1:
        samples["weight"] = level.weights[rows, 0]
    put_targets(samples, decided.strategy[rows])
    return samples, level.actors[rows]


def history_samples(level: Level, expected: np.ndarray, actions: int) -> np.ndarray:
    """What followed each action, for the baseline: at an end the utility; before that what it
    expects itself, `expected` of the next level, if there is one viewer; or else what came of it.
    """
    rows = np.repeat(np.arange(len(level.actors)), np.diff(level.first))
    if level.worth.shape[1] == 1:
        worth = level.worth[:, 0].copy()
        worth[level.onward] = expected
    else:
        worth = level.worth[np.arange(len(rows)), level.actors[rows]]
    targets = np.zeros((len(level.actors), actions), np.float32)
    targets[rows, level.actions] = worth
    put_targets(level.believed.samples, targets)
    return level.believed.samples
