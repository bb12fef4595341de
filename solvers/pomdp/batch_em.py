"""Batch EM for the normalised Gaussian network: all data in each step."""

import numpy as np

from solvers.pomdp.approximator import Approximator


def fit(ngnet: Approximator, x: np.ndarray, y: np.ndarray, steps: int, seed: int) -> np.ndarray:
    """Fit a network of kind `ngnet` from scratch to all data, [n, inputs] and [n, outputs]; return
    the mean log-likelihood before each step and after the last, [steps + 1].
    """
    raise NotImplementedError
