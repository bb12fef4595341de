"""Where samples go: a uniform sample of all there ever were, or all of the last iterations."""

from pathlib import Path
from typing import Any, Protocol

import numpy as np

from solvers.deep_cfr.reservoir import Reservoir
from solvers.deep_cfr.shards import Shards

IN_MEMORY = 1 << 28  # bytes


class Memory(Protocol):
    def __len__(self) -> int: ...

    def take_in(self, rows: np.ndarray, iteration: int, number: int) -> None:
        """`number` counts the calls from 1 on; one that was made already does nothing."""

    def draw(self, n: int, random: np.random.Generator) -> np.ndarray:
        """n random rows, with replacement."""


class Sampled(Reservoir):
    """Of all iterations."""

    def take_in(self, rows: np.ndarray, iteration: int, number: int) -> None:
        self.offer(rows, number)


class Window:
    """The samples of the last `iterations`, the current one included; older ones are deleted.
    Few are kept in memory, many stay on disk.
    """

    def __init__(
        self, folder: Path, dtype: np.dtype, about: dict[str, Any], iterations: int, seed: int
    ) -> None:
        self.shards = Shards(folder, dtype, about)
        self.iterations, self.seed = iterations, seed
        self._show(first=0)

    def take_in(self, rows: np.ndarray, iteration: int, number: int) -> None:
        if not len(rows):
            return
        first = iteration - self.iterations + 1
        random = np.random.default_rng([self.seed, number])
        self.shards.append(rows, iteration, random, name=f"part-{number:07d}")
        self.shards.forget(first)
        self._show(first)

    def _show(self, first: int) -> None:
        self.source = self.shards.window(first)
        small = len(self.source) * self.shards.dtype.itemsize <= IN_MEMORY
        self.rows = self.source.read() if small else None

    def __len__(self) -> int:
        return len(self.source)

    def draw(self, n: int, random: np.random.Generator) -> np.ndarray:
        if self.rows is None:
            return self.source.draw(n, random)
        return np.take(self.rows, random.integers(len(self.rows), size=n))


def open_memory(
    folder: Path, dtype: np.dtype, about: dict[str, Any], capacity: int, window: int, seed: int
) -> Memory:
    """A window if it has a size, or else a reservoir."""
    if window:
        return Window(folder, dtype, about, window, seed)
    folder.mkdir(parents=True, exist_ok=True)
    return Sampled(folder / "reservoir.rows", dtype, capacity, seed)
