"""The settings of a Deep Monte Carlo run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from solvers.deep_monte_carlo.player import Habits
from solvers.networks.settings import MlpSettings, NetworkSettings
from solvers.runs.settings import at_least, between, from_plain, to_plain


@dataclass(frozen=True)
class Settings:
    encoding: str = "compact"  # the environment's: see `solvers.environments.card_game`
    network: NetworkSettings = MlpSettings(hidden=128)
    habits: Habits = Habits()
    wins: bool = False  # learn from who wins a deal, not from by how much
    # self-play
    deals: int = 500  # in an iteration
    epsilon: float = 0.3  # share of the decisions that are taken at random, at first
    final_epsilon: float = 0.02  # and when annealing ends
    # learning
    steps: int = 100  # of the optimiser in an iteration
    batch: int = 256
    learning_rate: float = 1e-3
    anneal_iterations: int = 40

    def __post_init__(self) -> None:
        for name in ("deals", "steps", "batch", "anneal_iterations"):
            at_least(1, name, getattr(self, name))
        for name in ("epsilon", "final_epsilon"):
            between(0, 1, name, getattr(self, name))

    def epsilon_at(self, iteration: int) -> float:
        share = min(1.0, iteration / self.anneal_iterations)
        return self.epsilon + share * (self.final_epsilon - self.epsilon)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Read settings from plain JSON, or a ConfigDict."""
        return from_plain(cls, given)

    def plain(self) -> dict[str, Any]:
        return to_plain(self)
