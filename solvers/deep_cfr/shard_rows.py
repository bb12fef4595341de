"""Random rows of shards: see `solvers.deep_cfr.shards`."""

import mmap
from functools import lru_cache
from pathlib import Path

import numpy as np

from solvers.deep_cfr.shard_files import (
    HEAD,
    Shard,
)

OPEN = 500  # shards mapped at once: each has a file handle, of which a process has 1,024 as a rule
RUN = 16  # rows drawn together


class ShardRows:
    """All rows of some shards, as they are now. Rows are drawn in runs of neighbours, which a disk
    reads at once. A run starts at any row of all with the same probability and goes on at the
    start of the shard when it comes to its end, so that each row drawn is uniform. Those of a run
    differ from each other; as shards are shuffled, they are otherwise random rows of one shard.
    """

    def __init__(self, shards: list[Shard], dtype: np.dtype, run: int = RUN) -> None:
        self.shards, self.dtype, self.run = shards, dtype, run
        self.ends = np.cumsum([shard.count for shard in shards], dtype=np.int64)

    def __len__(self) -> int:
        return int(self.ends[-1]) if self.shards else 0

    def draw(self, n: int, random: np.random.Generator) -> np.ndarray:
        if not len(self):
            raise ValueError("there are no samples of these iterations: nothing can be drawn")
        out = np.empty(n, self.dtype)
        starts = random.integers(len(self), size=-(-n // self.run))
        which = np.searchsorted(self.ends, starts, side="right")
        before_end = self.ends[which] - starts
        for k, (i, left) in enumerate(zip(which.tolist(), before_end.tolist(), strict=True)):
            shard, part = self.shards[i], out[k * self.run : (k + 1) * self.run]
            copy_run(map_rows(shard.path, self.dtype, shard.count), shard.count - left, part)
        return out

    def read(self) -> np.ndarray:
        """Return all rows, in memory."""
        parts = [map_rows(shard.path, self.dtype, shard.count) for shard in self.shards]
        return np.concatenate(parts) if parts else np.zeros(0, self.dtype)


def copy_run(rows: np.ndarray, first: int, out: np.ndarray) -> None:
    if first + len(out) <= len(rows):
        out[:] = rows[first : first + len(out)]
    else:
        out[:] = rows[np.arange(first, first + len(out)) % len(rows)]


@lru_cache(maxsize=OPEN)
def map_rows(path: Path, dtype: np.dtype, count: int) -> np.ndarray:
    rows = np.memmap(path, dtype, "r", HEAD, count)
    # Without this a disk reads 128 kB around each run: ten times as slow if memory can't hold all.
    if isinstance(rows.base, mmap.mmap):
        rows.base.madvise(mmap.MADV_RANDOM)
    return rows.view(np.ndarray)
