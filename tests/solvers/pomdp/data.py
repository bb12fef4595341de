"""Functions to be learnt, and explicit sums to compare with."""

import numpy as np


def hills(x):
    """The function of two inputs on which Sato and Ishii (2000) tried their networks, from Schaal
    and Atkeson (1998).
    """
    ridges = np.exp(-10 * x[:, 0] ** 2), np.exp(-50 * x[:, 1] ** 2)
    return np.maximum.reduce([*ridges, 1.25 * np.exp(-5 * (x**2).sum(axis=1))])[:, None]


def hill_data(n, seed, noise=0.1):
    luck = np.random.default_rng(seed)
    x = luck.uniform(-1, 1, (n, 2))
    return x, hills(x) + luck.normal(0, noise, (n, 1))


def two_experts(n, seed):
    """Two clusters of inputs, each with a linear function of its own to two outputs."""
    luck = np.random.default_rng(seed)
    which = luck.integers(2, size=n)
    x = luck.normal(CENTRES[which], [[1.0, 0.5]])
    y = np.einsum("tab,tb->ta", SLOPES[which], x) + luck.normal(0, 0.2, (n, 2))
    return x, y


CENTRES = np.array([[-3.0, 1.0], [3.0, 0.0]])
SLOPES = np.array([[[1.0, 0.0], [0.0, -1.0]], [[0.0, 2.0], [0.5, 0.5]]])


def lift(x):
    return np.column_stack([x, np.ones(len(x))])


def relative_error(found, wanted):
    return np.abs(found - wanted).max() / np.abs(wanted).max()
