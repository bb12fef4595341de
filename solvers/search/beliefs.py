"""Beliefs: the worlds that a mover reckons with.

pimc(belief=uniform)                           as if the others had played at random
pimc(belief=reweighted(300,strangers=0.05))    as likely as the rules make what the others did
pimc(belief=importance(net(runs/x),draws=8))   as likely as an agent makes it
pimc(belief=exact)                             all possible deals, where they can be listed
pimc(belief=exact(model=net(runs/x)))          the same, as likely as an agent makes them
pimc(belief=true_hands)                        cheating: the true deal; a ceiling
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import prange

from solvers.search.importance import log_likelihoods
from solvers.search.listing import list_all
from solvers.search.metropolis import move_worlds
from solvers.search.worlds import Worlds, draw_worlds, equal_worlds
from spielgames.agents import Agent, level_of
from spielgames.core.arrays import take
from spielgames.core.cards import count
from spielgames.core.game import Game
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import UNIT, mix
from spielgames.core.verbs import legal
from spielgames.specs import Part

AT_ONCE = 1 << 17  # listed worlds in memory


class Belief(Part):
    """A source of worlds."""

    def size(self, count: int) -> int:
        """The number of worlds in memory for each position if `count` are asked for."""
        return count

    @abstractmethod
    def draw(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        """`count` worlds of each position. What the seat to move has not seen may not matter."""

    def sample(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        """`count` worlds of equal weight, also of a belief that lists them all."""
        return self.draw(game, states, count, seeds)


@dataclass(frozen=True)
class Uniform(Belief):
    """All pasts that agree with what the mover has seen, with equal probability."""

    kind: ClassVar[str] = "uniform"

    def draw(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        return draw_worlds(states, count, seeds)


@dataclass(frozen=True)
class Reweighted(Belief):
    """Uniform worlds that `steps` of Metropolis et al. (1953) move towards those in which the rules
    of `level` explain what the others did. With a probability of `strangers`, an opponent is one
    who plays at random.
    """

    steps: int = 300
    strangers: float = 0.0
    level: str = ""
    kind: ClassVar[str] = "reweighted"

    def __post_init__(self) -> None:
        if self.steps < 1:
            raise ValueError(f"steps={self.steps} is not allowed; it must be at least 1")
        if not 0 <= self.strangers < 1:
            raise ValueError(
                f"strangers={self.strangers} is not allowed; it must be at least 0 and below 1"
            )

    def draw(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        worlds = draw_worlds(states, count, seeds)
        sides, level = np.array(game.sides), level_of(game.name, self.level)
        share, steps = self.strangers, self.steps
        move_all(states, worlds.states, sides, level, share, steps, seeds, worlds.strange)
        return worlds


@dataclass(frozen=True)
class Importance(Belief):
    """Uniform worlds, drawn again as often as `model` makes what the others did likely: `draws`
    times as many worlds are drawn as are kept.
    """

    model: Agent
    draws: int = 8
    kind: ClassVar[str] = "importance"

    def __post_init__(self) -> None:
        if self.draws < 2:
            raise ValueError(f"draws={self.draws} is not allowed; it must be at least 2")

    def size(self, count: int) -> int:
        return count * self.draws

    def draw(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        worlds = draw_worlds(states, self.size(count), seeds)
        weights = likelihoods(states, worlds.states, worlds.weights > 0, self.model)
        return drawn_again(worlds.states, weights, count, seeds)


def drawn_again(worlds: np.ndarray, weights: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
    """`count` of the worlds of each position, each as often as its weight says."""
    rows = np.arange(len(worlds))[:, None]
    return equal_worlds(worlds[rows, resampled(weights, count, seeds)], seeds)


def resampled(weights: np.ndarray, count: int, seeds: np.ndarray) -> np.ndarray:
    """Systematic resampling: `count` columns for each row, each as often as its weight says, give
    or take one. `[rows, count]`
    """
    sums = weights.cumsum(axis=1)
    points = (np.arange(count) + (mix(seeds.astype(np.uint64)) * UNIT)[:, None]) / count
    return (sums[:, None, :] <= (points * sums[:, -1:])[:, :, None]).sum(axis=2)


@dataclass(frozen=True)
class Exact(Belief):
    """All possible deals with their probabilities, where there are at most `most`; uniform worlds
    elsewhere. With a `model`, all of them also count as it makes what the others did likely.
    """

    most: int = 2002  # the hands of Snapszer's opponent at the first trick
    model: Agent | None = None
    kind: ClassVar[str] = "exact"

    def __post_init__(self) -> None:
        if self.most < 1:
            raise ValueError(f"most={self.most} is not allowed; it must be at least 1")

    def size(self, count: int) -> int:
        return max(self.most, count)

    def draw(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        size = self.size(count)
        worlds, weights = np.zeros((len(states), size), states.dtype), np.zeros((len(states), size))
        found = np.empty(len(states), np.int64)
        list_all(states, seeds, worlds[:, : self.most], weights, found)
        many = np.flatnonzero(found < 0)
        weights[np.arange(size) >= found[:, None]] = 0
        if len(many):
            worlds[many, :count] = draw_worlds(take(states, many), count, seeds[many]).states
            weights[many, :count] = 1
        if self.model:
            weights *= likelihoods(states, worlds, weights > 0, self.model)
        weights /= weights.sum(axis=1, keepdims=True)
        used = max(1, int((weights > 0).sum(axis=1).max()))
        drawn = equal_worlds(worlds[:, :used], seeds)
        return drawn._replace(weights=weights[:, :used], complete=found >= 0)

    def sample(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        parts, at_once = [], max(1, AT_ONCE // self.size(count))
        for start in range(0, max(1, len(states)), at_once):
            own = seeds[start : start + at_once]
            listed = self.draw(game, states[start : start + at_once], count, own)
            parts.append(drawn_again(listed.states, listed.weights, count, own))
        return Worlds(*map(np.concatenate, zip(*parts, strict=True)))


def likelihoods(
    states: np.ndarray, worlds: np.ndarray, exist: np.ndarray, model: Agent
) -> np.ndarray:
    """How likely a model makes what the others did in the worlds that exist, compared with the
    world in which it is likeliest; 0 in the others. `[games, worlds]`
    """
    movers = states["turn"].astype(np.int64)[np.nonzero(exist)[0]]
    logs = np.full(exist.shape, -np.inf)
    logs[exist] = log_likelihoods(take(worlds.reshape(-1), np.flatnonzero(exist)), movers, model)
    return np.exp(logs - logs.max(axis=1, keepdims=True))


@dataclass(frozen=True)
class TrueHands(Belief):
    """The true deal: cheating, to measure what seeing all hands would be worth."""

    kind: ClassVar[str] = "true_hands"

    def draw(self, game: Game, states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
        return equal_worlds(states.repeat(count).reshape(-1, count), seeds)


@Kernel
def move_all(
    states: np.ndarray,
    worlds: np.ndarray,
    sides: np.ndarray,
    level: int,
    strangers: float,
    steps: int,
    seeds: np.ndarray,
    strange: np.ndarray,
) -> None:
    for i in prange(len(states)):
        if count(legal(states[i])) > 1:
            own, likely = states[i : i + 1], strange[i]
            move_one(own, worlds[i], sides, level, strangers, steps, seeds[i], likely)


@linked
def move_one(
    position: np.ndarray,
    worlds: np.ndarray,
    sides: np.ndarray,
    level: int,
    strangers: float,
    steps: int,
    seed: int,
    strange: np.ndarray,
) -> None:
    scratch = np.zeros(2, position.dtype)  # which a parallel loop can't make of records
    scratch[0] = position[0]
    scratch[1] = position[0]
    move_worlds(position, worlds, scratch, sides, level, strangers, steps, seed, strange)
