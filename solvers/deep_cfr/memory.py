"""Where samples go: a uniform sample of all there ever were, or all of the last iterations."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from solvers.deep_cfr.reservoir import Reservoir
from solvers.deep_cfr.shards import Shards

IN_MEMORY = 1 << 28  # bytes
SHARD = 1 << 26  # bytes of a shard at most


class Memory(Protocol):
    def __len__(self) -> int: ...

    def take_in(self, pieces: Iterable[np.ndarray], iteration: int, number: int) -> None:
        """Rows, which come in pieces as there may be many; it does not matter in which. `number`
        counts the calls from 1 on; one that was made already does nothing.
        """

    def draw(self, n: int, random: np.random.Generator) -> np.ndarray:
        """n random rows, with replacement."""


class Sampled(Reservoir):
    """Of all iterations."""

    def take_in(self, pieces: Iterable[np.ndarray], iteration: int, number: int) -> None:
        self.offer(pieces, number)


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

    def take_in(self, pieces: Iterable[np.ndarray], iteration: int, number: int) -> None:
        random = np.random.default_rng([self.seed, number])
        appended = [
            self.shards.append(rows, iteration, random, f"part-{number:07d}{f'-{k}' if k else ''}")
            for k, rows in enumerate(blocks(pieces, SHARD // self.shards.dtype.itemsize))
        ]
        if not appended:
            return
        first = iteration - self.iterations + 1
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


def blocks(pieces: Iterable[np.ndarray], n: int) -> Iterator[np.ndarray]:
    """The same rows, n at a time."""
    waiting: list[np.ndarray] = []
    for piece in pieces:
        while len(piece):
            room = n - sum(map(len, waiting))
            waiting.append(piece[:room])
            piece = piece[room:]
            if len(waiting[-1]) == room:
                yield np.concatenate(waiting)
                waiting = []
    if waiting:
        yield np.concatenate(waiting)


def open_memory(
    folder: Path, dtype: np.dtype, about: dict[str, Any], capacity: int, window: int, seed: int
) -> Memory:
    """A window if it has a size, or else a reservoir."""
    if window:
        return Window(folder, dtype, about, window, seed)
    folder.mkdir(parents=True, exist_ok=True)
    return Sampled(folder / "reservoir.rows", dtype, capacity, seed)
