"""Policy iteration at information sets.

Each action is played in the same worlds, and each world is played on by the current policy, which
sees only what its seat sees: unlike a search with open hands, it cannot tell worlds apart later.
The policy moves towards what comes out better, but not too far from where it was.
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.alphazero.teacher import Guide, Improved
from solvers.environments.environment import Positions
from solvers.networks.decisions import flags, probabilities
from solvers.networks.network import predict
from solvers.runs.settings import at_least, between
from solvers.search.agent import sets_of
from solvers.search.choice import Evidence
from solvers.search.network_rollouts import AT_ONCE, network_values
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
class Rollouts:
    kind = "rollouts"
    worlds: int = 8  # of each position
    temperature: float = 0.2  # τ at first, in units of utility: small ones are large steps
    final_temperature: float = 1.5  # when annealing ends
    regularisation: Kl | Magnet | None = Kl()  # None: π' ∝ exp(Q / τ), whatever π was
    acts: ClassVar[bool] = False  # self-play acts by the policy, not by what the search says

    def __post_init__(self) -> None:
        at_least(1, "teacher.worlds", self.worlds)
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
        """Search positions; `share` of the annealing is done."""
        values = self._values(guide, positions, seed)
        legal = flags(positions.sets, guide.env.actions)
        target = self._target(guide, positions, logits, np.where(legal, values, 0), share)
        policy = probabilities(positions.sets, target.astype(np.float32))
        scaled = (np.where(legal, values, np.nan) / guide.scale).astype(np.float32)
        return Improved(policy, scaled, (policy * np.nan_to_num(scaled)).sum(axis=1))

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
            case None:
                return q / tau
            case _:
                return logits + q / tau

    def _values(self, guide: Guide, positions: Positions, seed: int) -> np.ndarray:
        """The mean utility of each action over the worlds. `[n, actions]`"""
        game, parts = guide.env.game, []
        legal = flags(positions.sets, game.actions)
        at_once = max(1, AT_ONCE // (self.worlds * guide.env.slots))
        for start in range(0, len(legal), at_once):
            states, tried = (
                positions.states[start : start + at_once],
                legal[start : start + at_once],
            )
            worlds = guide.belief.sample(game, states, self.worlds, seeds_of(states, seed, 0))
            values = network_values(game, guide.ask, worlds, sets_of(tried, worlds))
            parts.append(Evidence(values, worlds.weights, worlds.complete).means())
        return np.concatenate(parts) if parts else np.zeros((0, game.actions))
