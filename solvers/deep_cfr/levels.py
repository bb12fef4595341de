"""The way down: all positions of one depth are a level, and the actions that are followed lead to
the next.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from solvers.deep_cfr.plan import TraversalPlan
from solvers.deep_cfr.rows import pack
from solvers.deep_cfr.sampling import EVERYBODY, Sampling, choose_actions, draw_repeatedly
from solvers.environments.environment import Positions
from solvers.networks.decisions import Decided
from spielgames.core.cards import NONE, bit, lowest
from spielgames.core.loops import Kernel


class Believed(NamedTuple):
    """The expectations of a baseline where a level needs them; 0 until it has learnt something."""

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
    first: np.ndarray  # [n + 1] position i has children first[i] … first[i+1] − 1
    actions: np.ndarray  # [children] how they are reached
    likely: np.ndarray  # [children] how often the strategy does that
    shares: np.ndarray  # [children] how often it is followed
    worth: np.ndarray  # [children, viewers] the utilities of ends; the others' come later
    onward: np.ndarray  # [next level] which children are no ends
    believed: Believed | None


def expand(
    plan: TraversalPlan,
    traverser: int,
    positions: Positions,
    decided: Decided,
) -> tuple[Level, Positions]:
    """Return a level, and the children of its positions."""
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
        advantages=decided.outputs[own] if plan.aim else np.zeros((0, 0), np.float32),
        first=first,
        actions=actions.astype(np.int8),
        likely=decided.strategy[rows, actions],
        shares=share[rows, actions],
        worth=np.ascontiguousarray(plan.env.returns(children)[:, viewers]),
        onward=np.flatnonzero(~children.ended),
        believed=believe(
            plan, traverser, positions, decided.strategy, (chosen, rows, actions), own
        ),
    )
    return level, children


def believe(
    plan: TraversalPlan,
    traverser: int,
    positions: Positions,
    strategy: np.ndarray,
    followed: tuple[np.ndarray, np.ndarray, np.ndarray],
    own: np.ndarray,
) -> Believed | None:
    """Return what a baseline expects, if there is one. `followed` are the sets of actions, and
    each child's row and action.
    """
    if not plan.baseline:
        return None
    chosen, rows, actions = followed
    baseline = plan.baseline(positions, np.full(len(chosen), traverser))
    learnt = len(baseline.values) > 0
    values = baseline.values if learnt else np.zeros_like(strategy)
    return Believed(
        learnt,
        positions=(strategy * values).sum(axis=1),
        children=values[rows, actions],
        own=values[own],
        samples=pack(plan.histories, baseline.histories, chosen),
    )


def encodings_of(
    plan: TraversalPlan, positions: Positions, decided: Decided, rows: np.ndarray
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
    """Return the actions that are followed, and how likely each was to be followed."""
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
