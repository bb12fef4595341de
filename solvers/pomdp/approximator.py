"""Functions from numbers to numbers that are learnt on-line, of several kinds.

value = make_approximator(NgnetSettings(units=30), inputs=26, outputs=1, seed=1)
value.predict(x)                # [n, 26] -> [n, 1]
value.update(x, y)              # one sample after the other
value.nudge(x, change)          # the same with y = what is predicted for x + change
save_approximator(path, value, about={...})
value, about = load_approximator(path)
"""

from pathlib import Path
from typing import Any

import numpy as np

from solvers.pomdp.models import Model
from solvers.pomdp.settings import ApproximatorSettings


class Approximator:
    """`model` is what compiled loops take (solvers.pomdp.models)."""

    def __init__(
        self, settings: ApproximatorSettings, inputs: int, outputs: int, model: Model
    ) -> None:
        self.settings, self.inputs, self.outputs, self.model = settings, inputs, outputs, model

    def predict(self, x: np.ndarray) -> np.ndarray:
        """[n, inputs] -> [n, outputs]"""
        raise NotImplementedError

    def update(self, x: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None) -> None:
        """Learn from samples, one after the other: [n, inputs], [n, outputs], [n]."""
        raise NotImplementedError

    def nudge(self, x: np.ndarray, change: np.ndarray, weight: np.ndarray | None = None) -> None:
        """Learn, one after the other, that the outputs at x should change by `change`, such as a
        rate × the TD error: the targets are the outputs so far + `change`.
        """
        raise NotImplementedError


def make_approximator(
    settings: ApproximatorSettings, inputs: int, outputs: int, seed: int
) -> Approximator:
    """It depends on its settings and the seed alone."""
    raise NotImplementedError


def save_approximator(path: Path, approximator: Approximator, about: dict[str, Any]) -> None:
    """All of its state: what is loaded goes on learning as if it had never been saved."""
    raise NotImplementedError


def load_approximator(path: Path) -> tuple[Approximator, dict[str, Any]]:
    raise NotImplementedError
