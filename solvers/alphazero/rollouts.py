"""Policy iteration at information sets.

Each action is played in the same worlds, and each world is played on by the current policy, which
sees only what its seat sees: unlike a search with open hands, it cannot tell worlds apart later.
The policy moves towards what comes out better, but not too far from where it was.

Playing on may stop at a horizon, where the network says what the position is worth to the seat to
move. That is biased as far as the network errs, but cheaper, and without the luck of what follows.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.alphazero.roots import gumbel
from solvers.alphazero.teacher import Guide, Improved
from solvers.environments.environment import Positions
from solvers.networks.decisions import flags, probabilities
from solvers.networks.network import predict
from solvers.runs.settings import at_least, between
from solvers.search.agent import sets_of
from solvers.search.choice import Evidence
from solvers.search.network_rollouts import AT_ONCE, Horizon, network_values
from solvers.search.worlds import seeds_of


@dataclass(frozen=True)
class Kl:
    """Stay near the present policy, by a step of mirror descent: π' ∝ π exp(Q / τ) (Sokota et al.
    2024).
    """

    kind = "kl"


@dataclass(frozen=True)
class Magnet:
    """Stay near the present policy and near a slow average ρ of it, the magnet, as well:
    π' ∝ (π^τ ρ^α exp Q)^(1 / (τ + α)) (Sokota et al. 2023).
    """

    kind = "magnet"
    alpha: float = 0.05  # in units of utility
    rate: float = 0.1  # how far the magnet's weights move in an iteration

    def __post_init__(self) -> None:
        at_least(0, "teacher.regularisation.alpha", self.alpha)
        between(0, 1, "teacher.regularisation.rate", self.rate)


@dataclass(frozen=True)
class Entropy:
    """Stay near the present policy and near the uniform one: π' ∝ (π^τ exp Q)^(1 / (τ + α)). So
    unlikely actions go on being tried.
    """

    kind = "entropy"
    alpha: float = 0.05  # in units of utility

    def __post_init__(self) -> None:
        at_least(0, "teacher.regularisation.alpha", self.alpha)


@dataclass(frozen=True)
class Rollouts:
    kind = "rollouts"
    worlds: int = 8  # of each position
    temperature: float = 0.2  # τ at first, in units of utility: small ones are large steps
    final_temperature: float = 1.5  # when annealing ends
    regularisation: Kl | Magnet | Entropy | None = Kl()  # None: π' ∝ exp(Q / τ), whatever π was
    least: float = 0.0  # an action counts as at least so likely, so that none is lost for ever
    tried: int = 0  # actions of each position at most, drawn by the policy; 0: all
    horizon: int = 0  # decisions played on before the network judges; 0: to the end
    acts: ClassVar[bool] = False  # self-play acts by the policy, not by what the search says

    def __post_init__(self) -> None:
        at_least(1, "teacher.worlds", self.worlds)
        between(0, 1, "teacher.least", self.least)
        at_least(0, "teacher.tried", self.tried)
        at_least(0, "teacher.horizon", self.horizon)
        for name in ("temperature", "final_temperature"):
            if not getattr(self, name) > 0:
                raise ValueError(
                    f"teacher.{name}={getattr(self, name)} is not allowed; it is above 0"
                )

    def temperature_at(self, share: float) -> float:
        """τ after a share of the annealing."""
        return self.temperature * (self.final_temperature / self.temperature) ** share

    def improve(
        self, guide: Guide, positions: Positions, logits: np.ndarray, seed: int, share: float
    ) -> Improved:
        """Search positions; `share` of the annealing is done. An action that is not tried counts
        as much as those that are do on average.
        """
        if self.least:
            logits = np.log(np.maximum(probabilities(positions.sets, logits), self.least))
        tried = self._choose(positions, logits, seed)
        values = self._values(guide, positions, tried, seed)
        usual = probabilities(positions.sets, logits) * tried
        mean = (usual * np.where(tried, values, 0)).sum(axis=1) / usual.sum(axis=1)
        completed = np.where(tried, values, mean[:, None])
        target = self._target(guide, positions, logits, completed, share)
        policy = probabilities(positions.sets, target.astype(np.float32))
        scaled = (values / guide.scale).astype(np.float32)
        worth = (policy * completed / guide.scale).sum(axis=1)
        return Improved(policy, scaled, worth.astype(np.float32))

    def _target(
        self, guide: Guide, positions: Positions, logits: np.ndarray, q: np.ndarray, share: float
    ) -> np.ndarray:
        """The logits to learn. `[n, actions]`"""
        tau = self.temperature_at(share)
        match self.regularisation:
            case Magnet(alpha):
                assert guide.magnet is not None  # the learner has one
                pull = predict(guide.magnet, guide.env.encode(positions), guide.precision)
                return (tau * logits + alpha * pull + q) / (tau + alpha)
            case Entropy(alpha):
                return (tau * logits + q) / (tau + alpha)
            case None:
                return q / tau
            case _:
                return logits + q / tau

    def _choose(self, positions: Positions, logits: np.ndarray, seed: int) -> np.ndarray:
        """The actions to try, drawn without repetition. `[n, actions] bool`"""
        legal = flags(positions.sets, logits.shape[1])
        if not self.tried:
            return legal
        noise = gumbel(seeds_of(positions.states, seed, 0), logits.shape[1])
        scores = np.where(legal, logits + noise, -np.inf)
        last = -np.sort(-scores, axis=1)[:, min(self.tried, logits.shape[1]) - 1]
        return legal & (scores >= last[:, None])

    def _values(
        self, guide: Guide, positions: Positions, tried: np.ndarray, seed: int
    ) -> np.ndarray:
        """The mean utility of each action tried over the worlds, NaN for others. `[n, actions]`"""
        game, parts = guide.env.game, []
        horizon = Horizon(self.horizon, guide.expect) if self.horizon else None
        at_once = max(1, AT_ONCE // (self.worlds * int(tried.sum(axis=1).max(initial=1))))
        for start in range(0, len(tried), at_once):
            some = slice(start, start + at_once)
            states = positions.states[some]
            worlds = guide.belief.sample(game, states, self.worlds, seeds_of(states, seed, 0))
            sets = sets_of(tried[some], worlds)
            values = network_values(game, guide.ask, worlds, sets, horizon)
            parts.append(Evidence(values, worlds.weights, worlds.complete).means())
        values = np.concatenate(parts) if parts else np.zeros((0, game.actions))
        return np.where(tried, values, np.nan)
