"""How a search spreads its simulations over the actions of a position."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaincinv

from solvers.alphazero.edges import BY_VALUE
from solvers.alphazero.forest import Forest
from solvers.runs.settings import at_least, between
from spielgames.core.luck import GAMMA, UNIT, mix

NOISE_SEED = np.uint64(0x6E01)  # the noise of a search, apart from its worlds
LIMITS = 1e-15, 1 - 1e-15  # of a random number of which the logarithm is taken

# The slot of each position's first action in a simulation; None: trees choose it for themselves.
First = Callable[[int], np.ndarray | None]


@dataclass(frozen=True)
class Puct:
    """PUCT from the root on, with Dirichlet noise in the root's prior (Silver et al. 2017)."""

    kind = "puct"
    exploration: float = 1.5
    noise: float = 0.25  # the share
    alpha: float = 0.3  # of the Dirichlet distribution

    def __post_init__(self) -> None:
        at_least(0, "exploration", self.exploration)
        between(0, 1, "noise", self.noise)
        at_least(0.01, "alpha", self.alpha)

    def begin(self, forest: Forest, seeds: np.ndarray) -> First:
        legal = slots_of(forest)
        weights = np.where(legal, gammaincinv(self.alpha, draw(seeds, legal.shape[1])), 0)
        total = np.maximum(weights.sum(axis=1, keepdims=True), LIMITS[0])
        forest.mix_priors(self.noise, (weights / total).astype(np.float32))
        return lambda k: None


@dataclass(frozen=True)
class Gumbel:
    """Sequential halving among the `considered` actions of the highest logits plus Gumbel noise;
    below the root, visits follow the improved policy (Danihelka et al. 2022). All worlds of a
    position try the same first actions.
    """

    kind = "gumbel"
    considered: int = 16
    noise: float = 1.0  # times standard Gumbel noise; 0 to play as well as possible

    exploration = BY_VALUE

    def __post_init__(self) -> None:
        at_least(1, "considered", self.considered)
        at_least(0, "noise", self.noise)

    def begin(self, forest: Forest, seeds: np.ndarray) -> First:
        legal = slots_of(forest)
        noise = self.noise * gumbel(seeds, legal.shape[1])
        sizes = np.minimum(legal.sum(axis=1), self.considered)
        simulations = forest.trees.nodes.shape[1] - 1
        table = np.array([visits_due(m, simulations) for m in range(self.considered + 1)])

        def first(k: int) -> np.ndarray:
            pooled, raws = forest.pool(by_visits=False)
            scores = noise + forest.improved(pooled, raws)
            due = np.rint(pooled["visits"]) == table[sizes, k - 1][:, None]
            return np.where(due & legal, scores, -np.inf).argmax(axis=1)

        return first


def visits_due(considered: int, simulations: int) -> list[int]:
    """How often the action of each simulation has been tried before, if sequential halving spreads
    them over so many actions: each round, which tries all that are left equally often, gets about
    as many simulations as any, and keeps the better half of the actions, but at least two.
    """
    rounds = max(1, int(np.ceil(np.log2(max(considered, 1)))))
    left, tried = max(considered, 1), 0
    due: list[int] = []
    while len(due) < simulations:
        for _ in range(max(1, simulations // (rounds * left))):
            due += [tried] * left
            tried += 1
        left = max(min(2, left), left // 2)
    return due[:simulations]


def slots_of(forest: Forest) -> np.ndarray:
    """Which slots the positions have. `[positions, slots] bool`"""
    sizes = np.bitwise_count(forest.positions.sets)
    return np.arange(forest.trees.edges.shape[2]) < sizes[:, None]


def draw(seeds: np.ndarray, count: int) -> np.ndarray:
    """Uniform numbers that follow from the seeds. `[seeds, count]`"""
    starts = mix(seeds.astype(np.uint64) ^ NOISE_SEED)[:, None]
    return np.clip(mix(starts + np.arange(count, dtype=np.uint64) * GAMMA) * UNIT, *LIMITS)


def gumbel(seeds: np.ndarray, count: int) -> np.ndarray:
    """Standard Gumbel noise. `[seeds, count]`"""
    return -np.log(-np.log(draw(seeds, count)))
