"""What compiled loops do with an approximator of any kind. Its *model* is a named tuple of arrays,
and the type of the tuple decides, when a loop is compiled, which functions it calls:

    answer(model, x, out)         # out[:] = the outputs at x
    learn(model, x, y, weight)    # one sample, which counts `weight` times; in place

Models hold scratch space: no two threads may ask the same one at once (see `copy_model`).
"""

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
from numba.extending import overload

from solvers.pomdp import linear, ngnet, online_em, perceptron
from solvers.pomdp.settings import (
    ApproximatorSettings,
    LinearSettings,
    NgnetSettings,
    PerceptronSettings,
)
from spielgames.core.translation import PartCompiler

Model = ngnet.Units | linear.Linear | perceptron.Perceptron

STARTS: dict[type, Callable[..., Model]] = {
    NgnetSettings: ngnet.start,
    LinearSettings: linear.start,
    PerceptronSettings: perceptron.start,
}
ANSWERS: dict[type, Callable] = {
    ngnet.Units: ngnet.answer,
    linear.Linear: linear.answer,
    perceptron.Perceptron: perceptron.answer,
}
LEARNS: dict[type, Callable] = {
    ngnet.Units: online_em.learn,
    linear.Linear: linear.learn,
    perceptron.Perceptron: perceptron.learn,
}


def make_model(settings: ApproximatorSettings, inputs: int, outputs: int, seed: int) -> Model:
    return STARTS[type(settings)](settings, inputs, outputs, seed)


def arrays_of(model: Model) -> dict[str, np.ndarray]:
    """All that a model knows, by name."""
    return {name: x for name, x in model._asdict().items() if isinstance(x, np.ndarray)}


def copy_model(model: Model) -> Model:
    copies: dict[str, Any] = {name: x.copy() for name, x in arrays_of(model).items()}
    return model._replace(**copies)


def answer(model: Model, x: np.ndarray, out: np.ndarray) -> None:
    """Write the outputs at x, [inputs], to `out`, [outputs]."""
    ANSWERS[type(model)](model, x, out)


def learn(model: Model, x: np.ndarray, y: np.ndarray, weight: float) -> None:
    """Learn that the outputs at x, [inputs], are y, [outputs]."""
    LEARNS[type(model)](model, x, y, weight)


def choose_when_compiled(verb: Callable, found: dict[type, Callable]) -> None:
    """Let compiled code call the function of the model's type."""

    def resolve(model: Any, *rest: Any) -> Callable | None:
        function: Any = found.get(getattr(model, "instance_class", type(None)))
        return getattr(function, "py_func", function)

    resolver: Any = resolve
    resolver.__signature__ = inspect.signature(verb)
    overload(verb, jit_options={"pipeline_class": PartCompiler}, strict=False)(resolver)


choose_when_compiled(answer, ANSWERS)
choose_when_compiled(learn, LEARNS)
