"""The plan of a traversal, which can be sent elsewhere, and the targets of DCFR+."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solvers.deep_cfr.rows import RowFormat
from solvers.deep_cfr.sampling import Sampling
from solvers.environments.environment import Environment, Positions, Skip
from solvers.networks.decisions import Decided, Player, best_actions, decide, match_advantages
from solvers.networks.network import Network, predict


class BaselineValues(NamedTuple):
    """The predictions of a baseline at some positions."""

    histories: np.ndarray  # [n, history width]
    values: np.ndarray  # [n, actions]; no rows before it has learnt anything


Decide = Callable[[Positions], Decided]
Baseline = Callable[[Positions, np.ndarray], BaselineValues]  # at positions, for a viewer each
Aim = Callable[[np.ndarray, np.ndarray], np.ndarray]  # advantages, regrets -> targets
IN_FLIGHT = 1 << 16
DISCOUNT = 1.5  # DCFR+: past regrets keep t^α / (t^α + 1.5) of themselves


@dataclass(frozen=True)
class TraversalPlan:
    """All that a traversal depends on."""

    env: Environment
    decide: Decide
    sampling: Sampling
    samples: RowFormat
    histories: RowFormat  # of what a baseline learns from
    baseline: Baseline | None = None
    aim: Aim | None = None  # targets other than the regrets
    keep_strategies: bool = False
    skip: Skip | None = None  # decisions that need not be looked at
    in_flight: int = IN_FLIGHT  # positions of each depth in memory; results don't depend on it
    folder: Path | None = None  # for what does not fit into memory


class Policy(NamedTuple):
    """What every player does: those with a network match its advantages."""

    env: Environment
    players: tuple[Player, ...]  # of each seat
    greedy: bool = False  # whether they play the best action instead
    precision: str = "medium"

    def decide(self, positions: Positions) -> Decided:
        to_strategy = best_actions if self.greedy else match_advantages
        return decide(self.env, self.players, positions, to_strategy, self.precision)


@dataclass(frozen=True)
class BaselineNetwork:
    """A baseline; without a network, one that has learnt nothing yet."""

    env: Environment
    network: Network | None
    precision: str = "medium"

    def __call__(self, positions: Positions, viewers: np.ndarray) -> BaselineValues:
        histories = self.env.encode_history(positions, viewers)
        if self.network is None:
            return BaselineValues(histories, np.zeros((0, self.env.actions), np.float32))
        return BaselineValues(histories, predict(self.network, histories, self.precision))


def discounted_targets(alpha: float, iteration: int) -> Aim:
    """DCFR+ with networks (VR-DeepDCFR+): the sum of regrets goes on from what the last network
    says, cut off at 0 and discounted. Targets are means instead of sums, which keeps their size and
    changes no strategy.
    """
    past = (iteration - 1) ** alpha
    kept = past / (past + DISCOUNT) * (iteration - 1) / iteration
    return partial(aim_at, kept, iteration)


def aim_at(kept: float, iteration: int, advantages: np.ndarray, regrets: np.ndarray) -> np.ndarray:
    return kept * np.maximum(advantages, 0) + regrets / iteration
