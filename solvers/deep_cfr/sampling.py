"""The actions that a traversal follows, and what their values say about all the others.

An action a is followed with a known probability p(a) > 0, and its value counts 1/p(a) (Horvitz and
Thompson 1952), so that every estimate is right on average whatever is left out. What is followed is
drawn systematically: up to `breadth` different actions, action a with p(a) in proportion to
(1 − ε)·strategy + ε·even, but at most 1. Breadth 1 is outcome sampling; all actions, external.
"""

from dataclasses import dataclass

import numpy as np
from numba import prange

from solvers.environments.environment import Positions, expansion_draw
from solvers.runs.settings import at_least
from spielgames.core.arrays import pick_action
from spielgames.core.cards import NONE, Cards, bit, count, inlined, lowest
from spielgames.core.loops import Kernel
from spielgames.core.luck import CHOICE_STREAM, forward, fraction, stream

ALL = 64
EVERYBODY = -1
DEEPEST = 128  # no deal has as many events: see `spielgames.core.record`
NEARLY = 1e-9


class Sampling:
    """Rules to explore the positions of the traverser, for whom the tree is walked. At all others
    one action is drawn from the strategy.
    """

    kind: str
    breadth: int = ALL  # actions followed
    exploration: float = 0.0  # ε
    corrected: bool = True  # or else as the Coinche paper prints it: see `Uncorrected`
    everybody: bool = False  # every seat traverses, at the same time

    def own(self, positions: Positions, traverser: int) -> np.ndarray:
        """Whether a seat traverses at each position, which gives a sample then. `[n] bool`"""
        return positions.actors == traverser

    def most(self, positions: Positions, traverser: int) -> np.ndarray:
        """The largest number of actions that may be followed at each position. `[n]`"""
        breadth = np.where(self.own(positions, traverser), self.breadth, 1)
        return np.minimum(breadth, np.bitwise_count(positions.sets))

    @property
    def asked(self) -> tuple[float, ...]:
        """See `solvers.environments.environment.Skip`."""
        return ()


@dataclass(frozen=True)
class External(Sampling):
    """All actions of the traverser (Lanctot et al. 2009; Brown et al. 2019)."""

    kind = "external"


@dataclass(frozen=True)
class Sampled(Sampling):
    """At most so many different actions of the traverser: the Coinche paper's, made unbiased."""

    kind = "sampled"
    breadth: int = 4
    exploration: float = 0.5

    def __post_init__(self) -> None:
        at_least(1, "breadth", self.breadth)
        check_exploration(self.exploration)


@dataclass(frozen=True)
class Uncorrected(Sampling):
    """The Coinche paper's algorithm 3 as printed: so many draws from the strategy, each value
    counting once, actions not drawn counting 0. Biased.
    """

    kind = "uncorrected"
    corrected = False
    breadth: int = 4

    def __post_init__(self) -> None:
        at_least(1, "breadth", self.breadth)


@dataclass(frozen=True)
class Outcome(Sampling):
    """One action, also of the traverser."""

    kind = "outcome"
    breadth = 1
    exploration: float = 0.5

    def __post_init__(self) -> None:
        check_exploration(self.exploration)


@dataclass(frozen=True)
class Decaying(Sampling):
    """The Hearts project's: at depth d (forced moves not counted) all actions of whoever is to
    move with probability decay / (decay + d), else one.
    """

    kind = "decaying"
    everybody = True
    decay: float = 0.23

    def __post_init__(self) -> None:
        if self.decay <= 0:
            raise ValueError(f"decay={self.decay} is not allowed; it is more than 0")

    def own(self, positions: Positions, traverser: int) -> np.ndarray:
        out = np.empty(len(positions.actors), bool)
        mark_expanded(positions.luck, self._share(positions.depth), out)
        return out

    @property
    def asked(self) -> tuple[float, ...]:
        return tuple(self._share(np.arange(DEEPEST)).tolist())

    def _share(self, depth: np.ndarray) -> np.ndarray:
        return self.decay / (self.decay + depth.astype(float))


def check_exploration(exploration: float) -> None:
    if not 0 < exploration <= 1:
        raise ValueError(
            f"exploration={exploration} is not allowed, as some actions might never be seen; it is"
            " more than 0 and at most 1"
        )


@Kernel
def mark_expanded(luck: np.ndarray, share: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(luck)):
        out[i] = expansion_draw(luck[i]) < share[i]


@Kernel
def choose_actions(
    sets: np.ndarray,
    strategy: np.ndarray,
    breadth: np.ndarray,
    exploration: np.ndarray,
    luck: np.ndarray,
    share: np.ndarray,
    chosen: np.ndarray,
) -> None:
    """Draw the actions to follow, `chosen`, and note how likely each was to be followed, `share`
    `[n, actions]`.
    """
    for i in prange(len(sets)):
        fill_shares(sets[i], strategy[i], breadth[i], exploration[i], share[i])
        chosen[i] = draw_systematically(sets[i], share[i], fraction(stream(luck[i], CHOICE_STREAM)))


@inlined
def fill_shares(
    legal: Cards, strategy: np.ndarray, breadth: int, exploration: float, share: np.ndarray
) -> None:
    """Fill in shares in proportion to the mixture: none above 1, `breadth` in total, or all."""
    everything = breadth >= count(legal)
    even = exploration / count(legal)
    free = 0.0
    rest = legal
    while rest != NONE:
        a = lowest(rest)
        rest ^= bit(a)
        share[a] = 1.0 if everything else even + (1 - exploration) * strategy[a]
        free += share[a]
        if share[a] <= 0.0:
            legal ^= bit(a)
    left = min(breadth, count(legal))
    while legal != NONE:
        factor = left / free
        full = NONE
        rest = legal
        while rest != NONE:
            a = lowest(rest)
            rest ^= bit(a)
            if share[a] * factor >= 1 - NEARLY:
                full |= bit(a)
        if full == NONE:
            break
        left -= count(full)
        legal ^= full
        while full != NONE:
            a = lowest(full)
            full ^= bit(a)
            free -= share[a]
            share[a] = 1.0
    while legal != NONE:
        a = lowest(legal)
        legal ^= bit(a)
        share[a] *= left / free


@inlined
def draw_systematically(legal: Cards, share: np.ndarray, start: float) -> Cards:
    """Return the actions in whose stretch of the running sum one of start, start + 1, … lies."""
    chosen = NONE
    below, next_point, last = 0.0, start, -1
    while legal != NONE:
        a = lowest(legal)
        legal ^= bit(a)
        if share[a] > 0.0:
            last = a
            below += share[a]
            if below > next_point or share[a] == 1.0:
                chosen |= bit(a)
                next_point += 1.0
    return chosen if chosen != NONE else bit(last)


@Kernel
def draw_repeatedly(
    sets: np.ndarray,
    strategy: np.ndarray,
    breadth: np.ndarray,
    luck: np.ndarray,
    share: np.ndarray,
    chosen: np.ndarray,
) -> None:
    """Draw as the Coinche paper does: `breadth` draws from the strategy, with repetition."""
    for i in prange(len(sets)):
        chosen[i] = NONE
        at = stream(luck[i], CHOICE_STREAM)
        for _ in range(breadth[i]):
            at = forward(at)
            chosen[i] |= bit(pick_action(strategy[i], fraction(at)))
        for a in range(share.shape[1]):
            share[i, a] = 1.0
