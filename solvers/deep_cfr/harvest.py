"""The samples of traversals until they are stored: few of them in memory, however many there are.

Rows come in pieces, depth by depth and position by position: in the same order however positions
were grouped on the way.
"""

from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Any

import numpy as np

from solvers.deep_cfr.rows import as_bytes

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

    def __getstate__(self) -> dict[str, Any]:
        self.file.seek(0)
        return self.__dict__ | {"file": self.file.read()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        content = state.pop("file")
        self.__init__(state["dtype"], None, state["deepest_first"])  # type: ignore[misc]
        self.__dict__.update(state)
        self.file.write(content)

    def __del__(self) -> None:
        self.file.close()


class Harvest:
    """All that traversals bring back."""

    def __init__(self, samples: np.dtype, histories: np.dtype, folder: Path | None) -> None:
        self.regrets = Spool(samples, folder, deepest_first=True)
        self.strategies = Spool(samples, folder, deepest_first=False)  # of those not traversing
        self.histories = Spool(histories, folder, deepest_first=True)  # for the baseline
        self.positions = 0  # visited: decisions, and ends
