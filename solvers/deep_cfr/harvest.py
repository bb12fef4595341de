"""The samples of traversals until they are stored: few of them in memory, however many there are.

Rows come in pieces, depth by depth and position by position: in the same order however positions
were grouped on the way.
"""

from collections.abc import Callable, Iterator, Mapping
from operator import itemgetter
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Self
from zipfile import BadZipFile

import numpy as np

from solvers.deep_cfr.rows import as_bytes
from spielgames.files import replacing

Rows = tuple[np.ndarray, np.ndarray]  # and the seat that each is of
IN_MEMORY = 1 << 26  # bytes of a spool; more are on disk, in a file that goes with the process


class Spool:
    """A queue of rows. `folder` holds its file, if one is needed; None: a temporary folder."""

    def __init__(self, dtype: np.dtype, folder: Path | None, deepest_first: bool) -> None:
        self.file = SpooledTemporaryFile(IN_MEMORY, dir=str(folder) if folder else None)  # noqa: SIM115
        self.dtype, self.deepest_first = dtype, deepest_first
        self.pieces: list[tuple[int, int, int]] = []  # of which depth, where, how many rows

    def __len__(self) -> int:
        return sum(count for *_, count in self.pieces)

    def add(self, depth: int, rows: np.ndarray, seats: np.ndarray) -> None:
        """Add rows of a depth, in the order in which they are to be stored."""
        if len(rows):
            self.pieces.append((depth, self.file.tell(), len(rows)))
            self.file.write(as_bytes(rows).data)
            self.file.write(as_bytes(seats).data)

    def __iter__(self) -> Iterator[Rows]:
        for _, start, count in sorted(self.pieces, key=itemgetter(0), reverse=self.deepest_first):
            rows, seats = np.empty(count, self.dtype), np.empty(count, np.int8)
            self.file.seek(start)
            self.file.readinto(as_bytes(rows).data)
            self.file.readinto(as_bytes(seats).data)
            yield rows, seats

    def content(self) -> bytes:
        self.file.seek(0)
        return self.file.read()

    def fill(self, pieces: np.ndarray, content: bytes | memoryview) -> None:
        """Take over what another spool held."""
        self.pieces = [tuple(piece) for piece in pieces.tolist()]
        self.file.write(content)

    def __del__(self) -> None:
        self.file.close()


class Harvest:
    """All that traversals bring back. It can be sent, or kept in a file."""

    def __init__(self, samples: np.dtype, histories: np.dtype, folder: Path | None) -> None:
        self.dtypes = samples, histories
        self.regrets = Spool(samples, folder, deepest_first=True)
        self.strategies = Spool(samples, folder, deepest_first=False)  # of those not traversing
        self.histories = Spool(histories, folder, deepest_first=True)  # for the baseline
        self.positions = 0  # visited: decisions, and ends

    @property
    def spools(self) -> dict[str, Spool]:
        return {name: x for name, x in self.__dict__.items() if isinstance(x, Spool)}

    def arrays(self) -> dict[str, np.ndarray]:
        """Everything in it."""
        found = {"positions": np.array(self.positions)}
        for name, spool in self.spools.items():
            found[f"{name}.pieces"] = np.array(spool.pieces, np.int64).reshape(-1, 3)
            found[f"{name}.rows"] = np.frombuffer(spool.content(), np.uint8)
        return found

    def fill(self, arrays: Mapping[str, np.ndarray]) -> Self:
        self.positions = int(arrays["positions"])
        for name, spool in self.spools.items():
            spool.fill(arrays[f"{name}.pieces"], arrays[f"{name}.rows"].data)
        return self

    def __reduce__(self) -> tuple[Callable, tuple]:
        return filled, (*self.dtypes, self.arrays())

    def save(self, path: Path) -> None:
        with replacing(path) as partial, partial.open("wb") as file:
            np.savez(file, **self.arrays())  # type: ignore[arg-type]

    def load(self, path: Path) -> Self:
        """Fill a new one from a file."""
        try:
            with np.load(path, allow_pickle=False) as arrays:
                return self.fill(arrays)
        except (BadZipFile, ValueError, KeyError) as error:
            raise ValueError(f"{path} holds no harvest ({error}): delete it") from None


def filled(samples: np.dtype, histories: np.dtype, arrays: dict[str, np.ndarray]) -> Harvest:
    return Harvest(samples, histories, None).fill(arrays)
