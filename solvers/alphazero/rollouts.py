"""Policy iteration at information sets.

Each action is played in the same worlds, and each world is played on by the current policy, which
sees only what its seat sees: unlike a search with open hands, it cannot tell worlds apart later.
The policy moves towards what comes out better, by a step of mirror descent: π' ∝ π · exp(Q / τ)
(Sokota et al. 2024).
"""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from solvers.alphazero.teacher import Guide, Improved
from solvers.environments.environment import Positions
from solvers.networks.decisions import flags, probabilities
from solvers.runs.settings import at_least
from solvers.search.agent import sets_of
from solvers.search.choice import Evidence
from solvers.search.network_rollouts import AT_ONCE, network_values
from solvers.search.worlds import seeds_of


@dataclass(frozen=True)
class Rollouts:
    kind = "rollouts"
    worlds: int = 8  # of each position
    temperature: float = 0.2  # τ at first, in units of utility: small ones are large steps
    final_temperature: float = 1.5  # when annealing ends
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
        step = np.where(legal, values, 0) / self.temperature_at(share)
        policy = probabilities(positions.sets, logits + step.astype(np.float32))
        scaled = (np.where(legal, values, np.nan) / guide.scale).astype(np.float32)
        return Improved(policy, scaled, (policy * np.nan_to_num(scaled)).sum(axis=1))

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
            worlds = guide.belief.draw(game, states, self.worlds, seeds_of(states, seed, 0))
            values = network_values(game, guide.ask, worlds, sets_of(tried, worlds))
            parts.append(Evidence(values, worlds.weights, worlds.complete).means())
        return np.concatenate(parts) if parts else np.zeros((0, game.actions))
