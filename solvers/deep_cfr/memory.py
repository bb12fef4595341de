"""The memory of samples: a uniform sample of all there ever were, or all of the last iterations."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from solvers.deep_cfr.reservoir import Reservoir
from solvers.deep_cfr.settings import DiscountedSettings, ReservoirSettings, WindowSettings
from solvers.deep_cfr.shards import Shards, shard_paths
from spielgames.files import read_json, reading, replacing

AnyMemory = ReservoirSettings | WindowSettings | DiscountedSettings
IN_MEMORY = 1 << 28  # bytes
SHARD = 1 << 26  # bytes of a shard at most


class SampleMemory(Protocol):
    def __len__(self) -> int: ...

    def take_in(self, pieces: Iterable[np.ndarray], iteration: int, number: int) -> None:
        """Store rows, which come in pieces of any size because there may be many. `number` counts
        the calls from 1 on; a call that was made already does nothing.
        """

    def check(self, calls: int) -> None:
        """Raise a ValueError unless this is the memory after so many calls, or one more."""

    def draw(self, n: int, random: np.random.Generator) -> np.ndarray:
        """Return n random rows, drawn with replacement."""


class ReservoirMemory(Reservoir):
    """A uniform sample of the rows of all iterations."""

    def take_in(self, pieces: Iterable[np.ndarray], iteration: int, number: int) -> None:
        self.offer(pieces, number)

    def check(self, calls: int) -> None:
        check_calls(self.path, self.applied, calls)


class WindowMemory:
    """The samples of the last `iterations`, the current one included; older ones are deleted.
    Few are held in memory; many stay on disk. A list of the shards shows whether one is missing.
    """

    def __init__(
        self, folder: Path, dtype: np.dtype, about: dict[str, Any], iterations: int, seed: int
    ) -> None:
        self.shards = Shards(folder, dtype, about, verify=True)
        self.iterations, self.seed = iterations, seed
        self.list = self.shards.folder / "list.json"
        self.calls = self._read_list()
        for path, reason in self.shards.rejected:
            raise ValueError(f"{path} can't be used: {reason}")
        self._show(first=0)

    def take_in(self, pieces: Iterable[np.ndarray], iteration: int, number: int) -> None:
        random = np.random.default_rng([self.seed, number])
        appended = [
            self.shards.append(rows, iteration, random, f"part-{number:07d}{f'-{k}' if k else ''}")
            for k, rows in enumerate(blocks(pieces, SHARD // self.shards.dtype.itemsize))
        ]
        first = iteration - self.iterations + 1 if appended else 0
        self._write_list(number, first)
        if not appended:
            return
        self.shards.forget(first)
        self._show(first)

    def check(self, calls: int) -> None:
        if self.calls is not None:
            check_calls(self.shards.folder, self.calls, calls)

    def _write_list(self, calls: int, first: int) -> None:
        """List the shards that stay, after new ones are written, before old ones are deleted."""
        stay = [path.name for path, s in sorted(self.shards.shards.items()) if s.iteration >= first]
        with replacing(self.list) as partial:
            partial.write_text(json.dumps({"calls": calls, "shards": stay}), encoding="utf-8")
        self.calls = calls

    def _read_list(self) -> int | None:
        """Return the number of calls; None for shards of older versions, which had no list."""
        if not self.list.exists():
            return None if self.shards.shards else 0
        found = read_json(self.list)
        with reading(self.list, "is no list of shards"):
            calls, listed = int(found["calls"]), set(found["shards"])
            there = {path.name for path in shard_paths(self.shards.folder)}
            for name in sorted(listed - there):
                raise ValueError(f"{name} is in the list, but not in the folder")
        return calls

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
    """Yield the same rows, n at a time."""
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


def check_calls(place: Path, found: int, calls: int) -> None:
    if not calls <= found <= calls + 1:
        raise ValueError(
            f"{place} has {found} parts of samples, where the run has made {calls}: some are lost,"
            " or they are another run's"
        )


def open_memory(
    folder: Path, dtype: np.dtype, about: dict[str, Any], room: AnyMemory, seed: int
) -> SampleMemory:
    if isinstance(room, ReservoirSettings):
        folder.mkdir(parents=True, exist_ok=True)
        return ReservoirMemory(folder / "reservoir.rows", dtype, room.samples, seed)
    iterations = room.iterations if isinstance(room, WindowSettings) else 1
    return WindowMemory(folder, dtype, about, iterations, seed)
