"""The plan of a traversal, and the targets of DCFR+."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solvers.deep_cfr.rows import RowFormat
from solvers.deep_cfr.sampling import Sampling
from solvers.environments.environment import Environment, Positions, Skip
from solvers.networks.decisions import Decided


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


def discounted_targets(alpha: float, iteration: int) -> Aim:
    """DCFR+ with networks (VR-DeepDCFR+): the sum of regrets goes on from what the last network
    says, cut off at 0 and discounted. Targets are means instead of sums, which keeps their size and
    changes no strategy.
    """
    past = (iteration - 1) ** alpha
    kept = past / (past + DISCOUNT) * (iteration - 1) / iteration

    def aim(advantages: np.ndarray, regrets: np.ndarray) -> np.ndarray:
        return kept * np.maximum(advantages, 0) + regrets / iteration

    return aim
