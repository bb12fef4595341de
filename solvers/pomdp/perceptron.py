"""A perceptron with one hidden layer, by stochastic gradient descent: a control for the network."""

from math import tanh
from typing import NamedTuple

import numpy as np

from solvers.pomdp.matrices import add, dot, multiply
from solvers.pomdp.settings import PerceptronSettings
from spielgames.core.arrays import copy
from spielgames.core.inlining import linked


class Perceptron(NamedTuple):
    first: np.ndarray  # [N + 1, hidden + 1]; the last column is not used
    second: np.ndarray  # [hidden + 1, D]
    lifted: np.ndarray  # [N + 1] (x, 1); this and what follows is scratch
    hidden: np.ndarray  # [hidden + 1]; the last is 1
    error: np.ndarray  # [D]
    rate: float


def start(settings: PerceptronSettings, inputs: int, outputs: int, seed: int) -> Perceptron:
    """The first layer is drawn at random; all outputs are 0 at first."""
    luck, h = np.random.default_rng(seed), settings.hidden + 1
    first = luck.normal(size=(inputs + 1, h)) / np.sqrt(inputs + 1)
    return Perceptron(
        first=first,
        second=np.zeros((h, outputs)),
        lifted=np.zeros(inputs + 1),
        hidden=np.zeros(h),
        error=np.zeros(outputs),
        rate=float(settings.rate),
    )


@linked
def answer(net: Perceptron, x: np.ndarray, out: np.ndarray) -> None:
    copy(x, net.lifted[: len(x)])
    net.lifted[len(x)] = 1.0
    multiply(net.lifted, net.first, net.hidden)
    for b in range(len(net.hidden) - 1):
        net.hidden[b] = tanh(net.hidden[b])
    net.hidden[-1] = 1.0
    multiply(net.hidden, net.second, out)


@linked
def learn(net: Perceptron, x: np.ndarray, y: np.ndarray, weight: float) -> None:
    """A step down the gradient of half the squared error."""
    answer(net, x, net.error)
    for d in range(len(y)):
        net.error[d] = weight * net.rate * (y[d] - net.error[d])
    for b in range(len(net.hidden)):
        z = net.hidden[b]
        net.hidden[b] = (1.0 - z * z) * dot(net.error, net.second[b])
        add(net.error, z, net.second[b])
    for a in range(len(net.lifted)):
        add(net.hidden, net.lifted[a], net.first[a])
