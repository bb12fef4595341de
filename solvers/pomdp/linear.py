"""A linear function by least squares, on-line, with forgetting: a control for the network."""

from typing import NamedTuple

import numpy as np

from solvers.pomdp.forgetting import Discount, discount_at, discount_of
from solvers.pomdp.matrices import add, add_square, dot, multiply, scale
from solvers.pomdp.settings import LinearSettings
from spielgames.core.arrays import copy, fill
from spielgames.core.inlining import linked


class Linear(NamedTuple):
    samples: np.ndarray  # [1] learnt so far
    inverse: np.ndarray  # [N + 1, N + 1] Λ̃, the inverse of the discounted sum of x̃x̃ᵀ
    weights: np.ndarray  # [N + 1, D] Wᵀ
    lifted: np.ndarray  # [N + 1] x̃; this and what follows is scratch
    turned: np.ndarray  # [N + 1]
    error: np.ndarray  # [D]
    ridge: float
    discount: Discount


def start(settings: LinearSettings, inputs: int, outputs: int, seed: int) -> Linear:
    """All coefficients are 0 at first: the seed does not matter."""
    n = inputs + 1
    return Linear(
        samples=np.zeros(1, np.int64),
        inverse=np.eye(n) / settings.ridge,
        weights=np.zeros((n, outputs)),
        lifted=np.zeros(n),
        turned=np.zeros(n),
        error=np.zeros(outputs),
        ridge=float(settings.ridge),
        discount=discount_of(settings.forgetting),
    )


@linked
def answer(linear: Linear, x: np.ndarray, out: np.ndarray) -> None:
    copy(x, linear.lifted[: len(x)])
    linear.lifted[len(x)] = 1.0
    multiply(linear.lifted, linear.weights, out)


@linked
def learn(linear: Linear, x: np.ndarray, y: np.ndarray, weight: float) -> None:
    """Forget, learn from the sample, and restore one axis of the ridge: else directions without
    data would be forgotten altogether, and numbers overflow.
    """
    factor = discount_at(linear.discount, linear.samples[0])
    axis = linear.samples[0] % len(linear.lifted)
    linear.samples[0] += 1
    for a in range(len(linear.lifted)):
        scale(linear.inverse[a], 1.0 / factor)
    answer(linear, x, linear.error)
    for d in range(len(y)):
        linear.error[d] = y[d] - linear.error[d]
    correct(linear, weight)
    fill(linear.lifted, 0.0)
    linear.lifted[axis] = 1.0
    for d in range(len(y)):
        linear.error[d] = -linear.weights[axis, d]
    correct(linear, (1.0 - factor) * linear.ridge * len(linear.lifted))


@linked
def correct(linear: Linear, weight: float) -> None:
    """W ← W + weight · error x̃ᵀΛ̃, the recursion of least squares."""
    multiply(linear.lifted, linear.inverse, linear.turned)
    growth = 1.0 + weight * dot(linear.lifted, linear.turned)
    add_square(linear.inverse, linear.turned, weight, growth)
    for a in range(len(linear.turned)):
        add(linear.error, weight / growth * linear.turned[a], linear.weights[a])
