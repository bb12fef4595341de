"""Thousands of traversals in lock-step: all their positions of one depth are one batch.

A level's positions get their strategies from one network call; the actions that are followed lead
to the next level. Values then come back up: with b a baseline (or 0) and p(a) the probability with
which action a was to be followed,

    q(a) = b(a) + [a followed] · (value behind a − b(a)) / p(a),     value = Σ strategy(a) · q(a)

which is right on average whatever b is (VR-MCCFR, Schmidt et al. 2019). Regrets are q − value.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import prange

from solvers.deep_cfr.environment import Environment, Positions, Skip
from solvers.deep_cfr.rows import RowFormat, pack, put_targets
from solvers.deep_cfr.sampling import EVERYBODY, Sampling, choose_actions, draw_repeatedly
from spielgames.core.cards import NONE, Cards, bit, inlined, lowest
from spielgames.core.loops import Kernel


class Decided(NamedTuple):
    """What the players think at some positions."""

    encodings: np.ndarray | None  # [n, width]; None if nobody needed them
    advantages: np.ndarray  # [n, actions]; 0 where a seat has no network yet
    strategy: np.ndarray  # [n, actions]


class Foreseen(NamedTuple):
    """What a baseline expects at some positions."""

    histories: np.ndarray  # [n, history width]
    values: np.ndarray  # [n, actions]; no rows before it has learnt anything


Decide = Callable[[Positions], Decided]
Foresee = Callable[[Positions, np.ndarray], Foreseen]  # and for whom, at each position
Rows = tuple[np.ndarray, np.ndarray]  # and the seat that each is of
Aim = Callable[[np.ndarray, np.ndarray], np.ndarray]  # advantages, regrets -> targets


@dataclass(frozen=True)
class Plan:
    """How to traverse, and what to keep."""

    env: Environment
    decide: Decide
    sampling: Sampling
    samples: RowFormat
    histories: RowFormat  # of what a baseline learns from
    foresee: Foresee | None = None
    aim: Aim | None = None  # targets other than the regrets
    reach_weights: bool = False  # see `child_weights`
    trust: bool = False  # regrets are what the baseline expects, as it is
    keep_strategies: bool = False
    skip: Skip | None = None  # decisions that need not be looked at


class Harvest(NamedTuple):
    """What traversals found, as rows to store."""

    regrets: np.ndarray
    regret_seats: np.ndarray  # whose each is
    strategies: np.ndarray  # of those who do not traverse
    strategy_seats: np.ndarray
    histories: np.ndarray  # what followed actions, for the baseline
    positions: int  # visited: decisions, and ends


class Level(NamedTuple):
    """The positions of one depth, and what is followed from there."""

    positions: Positions
    strategy: np.ndarray  # [n, actions]
    own: np.ndarray  # [n] whether the position gives a sample of regrets
    weights: np.ndarray  # [n, viewers] what a sample counts
    samples: np.ndarray  # [own] those samples, without targets yet
    advantages: np.ndarray  # [own, actions]
    first: np.ndarray  # [n + 1] position i has children first[i] … first[i+1] − 1
    actions: np.ndarray  # [children] how they are reached
    shares: np.ndarray  # [children] how likely it was that they are followed
    worth: np.ndarray  # [children, viewers] the utilities of ends; the others' come later
    onward: np.ndarray  # [next level] which children are no ends
    chosen: np.ndarray  # [n] the actions followed, as sets
    foreseen: Foreseen | None


def traverse(plan: Plan, traverser: int, deals: Positions) -> Harvest:
    """Down to the ends and back up, viewed by the traverser, or by all seats at once."""
    levels, strategies = go_down(plan, traverser, deals)
    visited = len(deals.actors) + sum(len(level.actions) for level in levels)
    regrets: list[Rows] = []
    histories = [np.zeros(0, plan.histories.dtype)]
    values, expected = np.zeros((0, viewers_of(plan, traverser))), np.zeros(0)
    for level in reversed(levels):
        level.worth[level.onward] = values
        if level.foreseen:
            histories.append(history_samples(plan, level, expected))
        values, found = back_up(plan, level)
        expected = expectations(level, values)
        regrets.append((with_targets(plan, level, found), level.positions.actors[level.own]))
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
        levels.append(level)
        if plan.keep_strategies:
            strategies.append(strategy_samples(plan, level, decided))
        weights = child_weights(plan, level, traverser)
        positions = children.take(level.onward)
    return levels, strategies


def expand(
    plan: Plan,
    traverser: int,
    positions: Positions,
    decided: Decided,
    weights: np.ndarray,
) -> tuple[Level, Positions]:
    """A level, and the children of its positions."""
    own = plan.sampling.own(positions, traverser)
    chosen, share = follow_actions(plan.sampling, positions, decided.strategy, own)
    first = np.append(0, np.cumsum(np.bitwise_count(chosen), dtype=np.int64))
    rows, actions = np.empty((2, first[-1]), np.int64)
    shares = np.empty(first[-1])
    list_children(chosen, first, share, rows, actions, shares)
    children = plan.env.follow(positions, rows, actions, plan.skip)
    worth = plan.env.returns(children)
    viewers = slice(None) if traverser == EVERYBODY else slice(traverser, traverser + 1)
    level = Level(
        positions,
        decided.strategy,
        own,
        weights,
        samples=pack(
            plan.samples, encodings_of(plan, positions, decided, own), positions.sets[own]
        ),
        advantages=decided.advantages[own],
        first=first,
        actions=actions,
        shares=shares,
        worth=np.ascontiguousarray(worth[:, viewers]),
        onward=np.flatnonzero(~children.ended),
        chosen=chosen,
        foreseen=plan.foresee(positions, viewers_at(positions, traverser))
        if plan.foresee
        else None,
    )
    return level, children


def encodings_of(
    plan: Plan, positions: Positions, decided: Decided, where: np.ndarray
) -> np.ndarray:
    if decided.encodings is None:
        return plan.env.encode(positions.take(np.flatnonzero(where)))
    return decided.encodings[where]


def viewers_at(positions: Positions, traverser: int) -> np.ndarray:
    """From whose point of view a position is valued."""
    everybody = traverser == EVERYBODY
    return positions.actors if everybody else np.full(len(positions.actors), traverser)


def follow_actions(
    sampling: Sampling,
    positions: Positions,
    strategy: np.ndarray,
    own: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """The actions that are followed, and with which probability each was to be."""
    chosen, share = np.empty(len(own), np.uint64), np.zeros(strategy.shape)
    breadth = np.where(own, sampling.breadth, 1)
    if sampling.corrected:
        exploration = np.where(own, sampling.exploration, 0.0)
        drawing = positions.luck, share, chosen
        choose_actions(positions.sets, strategy, breadth, exploration, *drawing)
    else:
        draw_repeatedly(positions.sets, strategy, breadth, positions.luck, share, chosen)
    return chosen, share


@Kernel
def list_children(
    chosen: np.ndarray,
    first: np.ndarray,
    share: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    shares: np.ndarray,
) -> None:
    for i in prange(len(chosen)):
        rest = chosen[i]
        j = first[i]
        while rest != NONE:
            a = lowest(rest)
            rest ^= bit(a)
            rows[j] = i
            actions[j] = a
            shares[j] = share[i, a]
            j += 1


def child_weights(plan: Plan, level: Level, traverser: int) -> np.ndarray:
    """The weights of the next level's samples: 1, or so that an information set counts in
    proportion to how likely the others and chance lead there, however it was sampled.
    """
    out = np.ones_like(level.worth)
    if plan.reach_weights:
        given = level.strategy, level.first, level.actions, level.shares, level.weights
        weigh_children(level.positions.actors, *given, traverser, out)
    return out[level.onward]


@Kernel
def weigh_children(
    actors: np.ndarray,
    strategy: np.ndarray,
    first: np.ndarray,
    actions: np.ndarray,
    shares: np.ndarray,
    weights: np.ndarray,
    traverser: int,
    out: np.ndarray,
) -> None:
    for i in prange(len(actors)):
        for j in range(first[i], first[i + 1]):
            for v in range(out.shape[1]):
                viewer = v if traverser == EVERYBODY else traverser
                likely = 1.0 if viewer == actors[i] else strategy[i, actions[j]]
                out[j, v] = weights[i, v] * likely / shares[j]


def back_up(plan: Plan, level: Level) -> tuple[np.ndarray, np.ndarray]:
    """The values of the positions to each viewer, and the regrets of the seats to move."""
    values = np.zeros(level.weights.shape)
    regrets = np.zeros(level.strategy.shape, np.float32)
    baseline = level.foreseen.values if level.foreseen else np.zeros((0, 0), np.float32)
    given = level.first, level.actions, level.shares, level.worth
    out = values, regrets
    seats = level.positions.actors, level.positions.sets
    value_positions(*seats, level.strategy, baseline, *given, plan.sampling.corrected, *out)
    if plan.trust and len(baseline):
        return values, baseline - (level.strategy * baseline).sum(axis=1, keepdims=True)
    return values, regrets


@Kernel
def value_positions(
    actors: np.ndarray,
    sets: np.ndarray,
    strategy: np.ndarray,
    baseline: np.ndarray,
    first: np.ndarray,
    actions: np.ndarray,
    shares: np.ndarray,
    worth: np.ndarray,
    corrected: bool,
    values: np.ndarray,
    regrets: np.ndarray,
) -> None:
    """`regrets` first become the q of this module's docstring."""
    for i in prange(len(actors)):
        viewer = actors[i] if values.shape[1] > 1 else 0
        followed = NONE
        if len(baseline) > 0:
            for a in range(strategy.shape[1]):
                regrets[i, a] = baseline[i, a]
                values[i, viewer] += strategy[i, a] * baseline[i, a]
        for j in range(first[i], first[i + 1]):
            a = actions[j]
            followed |= bit(a)
            for v in range(values.shape[1]):
                expected = regrets[i, a] if v == viewer else np.float32(0)
                values[i, v] += strategy[i, a] * (worth[j, v] - expected) / shares[j]
            regrets[i, a] += (worth[j, viewer] - regrets[i, a]) / shares[j]
        subtract_value(sets[i] if corrected else followed, values[i, viewer], regrets[i])


@inlined
def subtract_value(actions: Cards, value: float, regrets: np.ndarray) -> None:
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        regrets[a] -= value


def expectations(level: Level, values: np.ndarray) -> np.ndarray:
    """What a baseline should expect at each position: its own expectation, which is less noisy
    than the sampled value, once it has one.
    """
    if level.foreseen and len(level.foreseen.values):
        return (level.strategy * level.foreseen.values).sum(axis=1)
    return values[:, 0]


def with_targets(plan: Plan, level: Level, regrets: np.ndarray) -> np.ndarray:
    """The samples of a level."""
    own, samples = level.own, level.samples
    viewers = level.positions.actors if level.weights.shape[1] > 1 else np.zeros(len(own), np.int8)
    samples["weight"] = level.weights[own, viewers[own]]
    targets = regrets[own]
    put_targets(samples, plan.aim(level.advantages, targets) if plan.aim else targets)
    return samples


def strategy_samples(plan: Plan, level: Level, decided: Decided) -> Rows:
    """What those do who follow their strategy, and who they are."""
    sampling = plan.sampling
    where = ~level.own if sampling.breadth > 1 or not sampling.everybody else level.own
    encodings = encodings_of(plan, level.positions, decided, where)
    samples = pack(plan.samples, encodings, level.positions.sets[where])
    samples["weight"] = level.weights[where, 0]
    put_targets(samples, decided.strategy[where])
    return samples, level.positions.actors[where]


def history_samples(plan: Plan, level: Level, expected: np.ndarray) -> np.ndarray:
    """What followed each action, for the baseline: at an end the utility; before that what it
    expects itself, `expected` of the next level, if there is one viewer; or else what came of it.
    """
    rows = np.repeat(np.arange(len(level.own)), np.diff(level.first))
    if level.worth.shape[1] == 1:
        worth = level.worth[:, 0].copy()
        worth[level.onward] = expected
    else:
        worth = level.worth[np.arange(len(rows)), level.positions.actors[rows]]
    targets = np.zeros(level.strategy.shape, np.float32)
    targets[rows, level.actions] = worth
    samples = pack(plan.histories, level.foreseen.histories, level.chosen)
    put_targets(samples, targets)
    return samples
