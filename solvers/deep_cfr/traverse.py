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


class Believed(NamedTuple):
    """What a baseline expects where a level needs it; all 0 as long as it has learnt nothing."""

    learnt: bool
    positions: np.ndarray  # [n] when the strategy is followed
    children: np.ndarray  # [children] of the actions followed
    own: np.ndarray  # [own, actions]
    samples: np.ndarray  # [n] for it to learn from, without targets yet


class Level(NamedTuple):
    """The positions of one depth, and what is followed from there. Millions of them wait here for
    their values: nothing is kept that is not needed then.
    """

    actors: np.ndarray  # [n]
    own: np.ndarray  # [own] which positions give a sample of regrets
    legal: np.ndarray  # [own] uint64
    samples: np.ndarray  # [own] those samples, without targets yet
    advantages: np.ndarray  # [own, actions]
    weights: np.ndarray  # [n, viewers] what a sample counts
    first: np.ndarray  # [n + 1] position i has children first[i] … first[i+1] − 1
    actions: np.ndarray  # [children] how they are reached
    likely: np.ndarray  # [children] how often the strategy does that
    shares: np.ndarray  # [children] how often it is followed
    worth: np.ndarray  # [children, viewers] the utilities of ends; the others' come later
    onward: np.ndarray  # [next level] which children are no ends
    believed: Believed | None


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


def expand(
    plan: Plan,
    traverser: int,
    positions: Positions,
    decided: Decided,
    weights: np.ndarray,
) -> tuple[Level, Positions]:
    """A level, and the children of its positions."""
    where = plan.sampling.own(positions, traverser)
    own = np.flatnonzero(where)
    chosen, share = follow_actions(plan.sampling, positions, decided.strategy, where)
    first = np.append(0, np.cumsum(np.bitwise_count(chosen), dtype=np.int64))
    rows, actions = np.empty((2, first[-1]), np.int64)
    list_children(chosen, first, rows, actions)
    children = plan.env.follow(positions, rows, actions, plan.skip)
    viewers = slice(None) if traverser == EVERYBODY else slice(traverser, traverser + 1)
    level = Level(
        positions.actors,
        own,
        legal=positions.sets[own],
        samples=pack(
            plan.samples, encodings_of(plan, positions, decided, own), positions.sets[own]
        ),
        advantages=decided.advantages[own] if plan.aim else np.zeros((0, 0), np.float32),
        weights=weights,
        first=first,
        actions=actions.astype(np.int8),
        likely=decided.strategy[rows, actions],
        shares=share[rows, actions],
        worth=np.ascontiguousarray(plan.env.returns(children)[:, viewers]),
        onward=np.flatnonzero(~children.ended),
        believed=None,
    )
    if plan.foresee:
        viewpoints = positions.actors if traverser == EVERYBODY else np.full(len(where), traverser)
        foreseen = plan.foresee(positions, viewpoints)
        histories = pack(plan.histories, foreseen.histories, chosen)
        believed = believe(foreseen, decided.strategy, rows, actions, own, histories)
        level = level._replace(believed=believed)
    return level, children


def believe(
    foreseen: Foreseen,
    strategy: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    own: np.ndarray,
    samples: np.ndarray,
) -> Believed:
    learnt = len(foreseen.values) > 0
    values = foreseen.values if learnt else np.zeros_like(strategy)
    expected = (strategy * values).sum(axis=1)
    return Believed(learnt, expected, values[rows, actions], values[own], samples)


def encodings_of(
    plan: Plan, positions: Positions, decided: Decided, rows: np.ndarray
) -> np.ndarray:
    if decided.encodings is None:
        return plan.env.encode(positions.take(rows))
    return decided.encodings[rows]


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
    chosen: np.ndarray, first: np.ndarray, rows: np.ndarray, actions: np.ndarray
) -> None:
    for i in prange(len(chosen)):
        rest = chosen[i]
        j = first[i]
        while rest != NONE:
            a = lowest(rest)
            rest ^= bit(a)
            rows[j] = i
            actions[j] = a
            j += 1


def child_weights(plan: Plan, level: Level, traverser: int) -> np.ndarray:
    """The weights of the next level's samples: 1, or so that an information set counts in
    proportion to how likely the others and chance lead there, however it was sampled.
    """
    if not plan.reach_weights:
        return np.ones((len(level.onward), level.worth.shape[1]))
    out = np.empty_like(level.worth)
    given = level.first, level.likely, level.shares, level.weights
    weigh_children(level.actors, *given, traverser, out)
    return out[level.onward]


@Kernel
def weigh_children(
    actors: np.ndarray,
    first: np.ndarray,
    likely: np.ndarray,
    shares: np.ndarray,
    weights: np.ndarray,
    traverser: int,
    out: np.ndarray,
) -> None:
    for i in prange(len(actors)):
        for j in range(first[i], first[i + 1]):
            for v in range(out.shape[1]):
                viewer = v if traverser == EVERYBODY else traverser
                led = 1.0 if viewer == actors[i] else np.float64(likely[j])
                out[j, v] = weights[i, v] * led / shares[j]


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
