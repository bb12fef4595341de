"""What a traversal is told, and what it brings back."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solvers.deep_cfr.rows import RowFormat
from solvers.deep_cfr.sampling import Sampling
from solvers.environment import Environment, Positions, Skip
from solvers.strategies import Decided


class Foreseen(NamedTuple):
    """What a baseline expects at some positions."""

    histories: np.ndarray  # [n, history width]
    values: np.ndarray  # [n, actions]; no rows before it has learnt anything


Decide = Callable[[Positions], Decided]
Foresee = Callable[[Positions, np.ndarray], Foreseen]  # and for whom, at each position
Rows = tuple[np.ndarray, np.ndarray]  # and the seat that each is of
Aim = Callable[[np.ndarray, np.ndarray], np.ndarray]  # advantages, regrets -> targets


@dataclass(frozen=True)
class Plan:
    """How to traverse, and what to keep."""

    env: Environment
    decide: Decide
    sampling: Sampling
    samples: RowFormat
    histories: RowFormat  # of what a baseline learns from
    foresee: Foresee | None = None
    aim: Aim | None = None  # targets other than the regrets
    reach_weights: bool = False  # see `child_weights`
    trust: bool = False  # regrets are what the baseline expects, as it is
    keep_strategies: bool = False
    skip: Skip | None = None  # decisions that need not be looked at


class Harvest(NamedTuple):
    """What traversals found, as rows to store."""

    regrets: np.ndarray
    regret_seats: np.ndarray  # whose each is
    strategies: np.ndarray  # of those who do not traverse
    strategy_seats: np.ndarray
    histories: np.ndarray  # what followed actions, for the baseline
    positions: int  # visited: decisions, and ends
