"""Loops over arrays. Numba compiles them in a tenth of the time of NumPy's slice assignment, which
also brings in all that it takes to word an error about shapes.
"""

import numpy as np

from spielgames.core.cards import inlined


@inlined
def fill(out: np.ndarray, value: float) -> None:
    """Every entry becomes the value. `[n]`"""
    for i in range(len(out)):
        out[i] = value


@inlined
def copy(source: np.ndarray, out: np.ndarray) -> None:
    """`[n]` both."""
    for i in range(len(out)):
        out[i] = source[i]
