"""What compiled loops do with an approximator of any kind: its *model* is a named tuple of arrays,
whose type decides, at compile time, which function is called.

    answer(model, x, out)         # out[:] = the outputs at x
    learn(model, x, y, weight)    # one sample, which counts `weight` times
"""

import numpy as np

Model = tuple  # of arrays: a Units, a Linear or a Perceptron


def answer(model: Model, x: np.ndarray, out: np.ndarray) -> None:
    """Write the outputs at x, [inputs], to `out`, [outputs]."""
    raise NotImplementedError


def learn(model: Model, x: np.ndarray, y: np.ndarray, weight: float) -> None:
    """Learn, in place, that the outputs at x, [inputs], are y, [outputs]."""
    raise NotImplementedError
