"""Fronts of αμ: sets of worlds that strategies can win, none of which is part of another.

Fronts are small: of more than `FRONT` vectors, those that win fewest worlds are dropped.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, count, inlined, int64

FRONT = 64
ALL = ~np.uint64(0)


@inlined
def insert(front: np.ndarray, size: int, vector: Cards) -> int:
    """Add a vector to a front unless another wins as much; the new size."""
    kept = int64(0)
    for i in range(size):
        if vector & ~front[i] == NONE:
            return size
    for i in range(size):
        if front[i] & ~vector != NONE:
            front[kept] = front[i]
            kept += 1
    if kept < len(front):
        front[kept] = vector
        return kept + 1
    least = int64(0)
    for i in range(kept):
        if count(front[i]) < count(front[least]):
            least = i
    if count(vector) > count(front[least]):
        front[least] = vector
    return kept
