"""Hashes whose sum is a checksum: what changes in part needs to be read in that part alone."""

import numpy as np

from spielgames.core.cache import compiled
from spielgames.core.luck import mix, stream


def hash_numbers(one: int, other: int) -> int:
    return int(stream(np.uint64(one), np.uint64(other)))


@compiled
def hash_rows(rows: np.ndarray, chosen: np.ndarray, places: np.ndarray) -> np.uint64:
    """Return a hash of the chosen rows, [n, bytes], at their places. One changed byte always
    changes it, because the keys are odd; several go unnoticed once in 2^64 times.
    """
    keys = np.empty(rows.shape[1], np.uint64)
    for j in range(len(keys)):
        keys[j] = stream(0, j) | np.uint64(1)
    total = np.uint64(0)
    for i in range(len(chosen)):
        row = stream(1, places[i])
        for j in range(len(keys)):
            row += keys[j] * np.uint64(rows[chosen[i], j])
        total += mix(row)
    return total
