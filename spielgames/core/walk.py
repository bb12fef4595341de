"""Walking every history of a small variant, one level at a time, and counting them (perft)."""

from collections.abc import Iterator

import numpy as np

from spielgames.core.advance import advance, outcomes
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, count, inlined, lowest, nth
from spielgames.core.loops import options
from spielgames.core.luck import below, forward, stream
from spielgames.core.record import CHANCE, State

MAX_OUTCOMES = 64


@inlined
def branches(s: State, p: np.ndarray) -> np.uint64:
    """The possible actions or outcomes; `p` gets their probabilities if chance moves, else ones."""
    if s.turn != CHANCE:
        p[:] = 1.0
        return options(s)
    outcomes(s, p)
    possible = NONE
    for a in range(MAX_OUTCOMES):
        if p[a] > 0.0:
            possible |= ONE << np.uint64(a)
    return possible


@compiled
def count_children(states: np.ndarray, p: np.ndarray) -> int:
    total = 0
    for i in range(len(states)):
        left = branches(states[i], p)
        while left != NONE:
            left &= left - ONE
            total += 1
    return total


@compiled
def fill_children(
    states: np.ndarray,
    reach: np.ndarray,
    p: np.ndarray,
    children: np.ndarray,
    parents: np.ndarray,
    actions: np.ndarray,
    child_reach: np.ndarray,
) -> None:
    k = 0
    for i in range(len(states)):
        left = branches(states[i], p)
        while left != NONE:
            a = lowest(left)
            left &= left - ONE
            children[k] = states[i]
            advance(children[k], a)
            parents[k] = i
            actions[k] = a
            child_reach[k] = reach[i] * p[a]
            k += 1


class Level:
    """All histories of one length: their states, where they come from, and chance's reach."""

    def __init__(
        self, states: np.ndarray, reach: np.ndarray, parents: np.ndarray, actions: np.ndarray
    ) -> None:
        self.states, self.reach, self.parents, self.actions = states, reach, parents, actions

    @classmethod
    def root(cls, states: np.ndarray) -> "Level":
        n = len(states)
        return cls(states, np.ones(n), np.arange(n), np.full(n, -1))

    def next(self) -> "Level":
        """The histories one action or chance outcome longer."""
        p = np.empty(MAX_OUTCOMES)
        n = count_children(self.states, p)
        level = Level(
            np.empty(n, self.states.dtype),
            np.empty(n),
            np.empty(n, np.int64),
            np.empty(n, np.int64),
        )
        fill_children(
            self.states, self.reach, p, level.states, level.parents, level.actions, level.reach
        )
        return level


def levels(states: np.ndarray) -> Iterator[Level]:
    """The levels of the tree below the given states, the states themselves first."""
    level = Level.root(states)
    while len(level.states):
        yield level
        level = level.next()


def perft(states: np.ndarray, depth: int = 255) -> list[int]:
    """The number of histories of each length up to `depth`, chance outcomes counted as steps."""
    counts = []
    for level in levels(states):
        counts.append(len(level.states))
        if len(counts) > depth:
            break
    return counts


@compiled
def estimate_leaves(
    root: np.ndarray, copy: np.ndarray, p: np.ndarray, probes: int, seed: int
) -> float:
    """Knuth's estimate (1975) of the number of leaves: random paths, each weighted by the product
    of its branchings.
    """
    total = 0.0
    for k in range(probes):
        luck = stream(seed, k)
        copy[0] = root[0]
        paths = 1.0
        ways = branches(copy[0], p)
        while ways != NONE:
            luck = forward(luck)
            n = count(ways)
            paths *= n
            advance(copy[0], nth(ways, below(luck, n)))
            ways = branches(copy[0], p)
        total += paths
    return total / probes
