"""Functions from numbers to numbers that are learnt on-line, of several kinds.

value = make_approximator(NgnetSettings(units=30), inputs=26, outputs=1, seed=1)
value.predict(x)                # [n, 26] -> [n, 1]
value.update(x, y)              # one sample after the other
value.nudge(x, change)          # the same with y = what is predicted for x + change
save_approximator(path, value, about={...})
value, about = load_approximator(path)
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from solvers.pomdp.models import Model, answer, arrays_of, learn, make_model
from solvers.pomdp.settings import ApproximatorSettings
from solvers.runs.settings import at_least, from_plain, read_record, records_of, to_plain
from solvers.runs.tensors import load_tensors, restore_tensors, save_tensors
from spielgames.core.cache import compiled
from spielgames.files import reading

About = dict[str, Any]  # what an approximator was made for, in plain JSON


@compiled
def answer_all(model: Model, x: np.ndarray, out: np.ndarray) -> None:
    for k in range(len(x)):
        answer(model, x[k], out[k])


@compiled
def learn_all(model: Model, x: np.ndarray, y: np.ndarray, weight: np.ndarray) -> None:
    for k in range(len(x)):
        learn(model, x[k], y[k], weight[k])


@compiled
def nudge_all(model: Model, x: np.ndarray, change: np.ndarray, weight: np.ndarray) -> None:
    target = np.zeros(change.shape[1])
    for k in range(len(x)):
        answer(model, x[k], target)
        for d in range(len(target)):
            target[d] += change[k, d]
        learn(model, x[k], target, weight[k])


class Approximator:
    """`model` is what compiled loops take (solvers.pomdp.models)."""

    def __init__(
        self, settings: ApproximatorSettings, inputs: int, outputs: int, model: Model
    ) -> None:
        self.settings, self.inputs, self.outputs, self.model = settings, inputs, outputs, model

    def predict(self, x: np.ndarray) -> np.ndarray:
        """[n, inputs] -> [n, outputs]"""
        rows = as_rows("x", x, self.inputs)
        out = np.empty((len(rows), self.outputs))
        answer_all(self.model, rows, out)
        return out

    def update(self, x: np.ndarray, y: np.ndarray, weight: np.ndarray | None = None) -> None:
        """Learn from samples, one after the other: [n, inputs], [n, outputs], [n]."""
        learn_all(self.model, *self._samples(x, y, weight))

    def nudge(self, x: np.ndarray, change: np.ndarray, weight: np.ndarray | None = None) -> None:
        """Learn, one after the other, that the outputs at x should change by `change`, such as a
        rate × the TD error: the targets are the outputs so far + `change`. Changes that depend on
        the outputs themselves must come in small batches, or they are out of date.
        """
        nudge_all(self.model, *self._samples(x, change, weight))

    def _samples(self, x: np.ndarray, y: np.ndarray, weight: np.ndarray | None) -> tuple:
        rows, wanted = as_rows("x", x, self.inputs), as_rows("y", y, self.outputs)
        weights = np.ones(len(rows)) if weight is None else np.ascontiguousarray(weight, float)
        if not len(rows) == len(wanted) == len(weights):
            raise ValueError(f"{len(rows)} inputs, {len(wanted)} outputs, {len(weights)} weights")
        if weights.size and not weights.min() > 0:
            raise ValueError("each sample's weight must be greater than 0")
        return rows, wanted, weights


def as_rows(name: str, given: np.ndarray, width: int) -> np.ndarray:
    rows = np.ascontiguousarray(given, float)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"{name} has shape {list(rows.shape)}; it must be [n, {width}]")
    if not np.isfinite(rows).all():
        raise ValueError(f"{name} holds a number that is not finite")
    return rows


def make_approximator(
    settings: ApproximatorSettings, inputs: int, outputs: int, seed: int
) -> Approximator:
    """It depends on its settings and the seed alone."""
    at_least(1, "inputs", inputs)
    at_least(1, "outputs", outputs)
    return Approximator(settings, inputs, outputs, make_model(settings, inputs, outputs, seed))


@dataclass(frozen=True)
class Header:
    """The description of an approximator in its file."""

    settings: dict
    inputs: int
    outputs: int
    about: dict


def save_approximator(path: Path, approximator: Approximator, about: About) -> None:
    """Keep all of its state: what is loaded goes on learning as if it had never been saved."""
    own = approximator
    said = Header(to_plain(own.settings), own.inputs, own.outputs, about)
    save_tensors(path, tensors_of(own.model), to_plain(said))


def load_approximator(path: Path) -> tuple[Approximator, About]:
    with reading(path, "holds no approximator that this program saved"):
        _, said = load_tensors(path)
        header = from_plain(Header, said)
        settings = read_record("settings", records_of(ApproximatorSettings), header.settings)
        found = make_approximator(settings, header.inputs, header.outputs, seed=0)
        restore_tensors(path, tensors_of(found.model))
    return found, header.about


def tensors_of(model: Model) -> dict[str, torch.Tensor]:
    """The model's arrays, as tensors in the same memory."""
    return {name: torch.from_numpy(x) for name, x in arrays_of(model).items()}
