"""The change that a reservoir is making, in a file: see `solvers.deep_cfr.reservoir`."""

import zlib
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solvers.deep_cfr.rows import as_bytes
from spielgames.files import replacing

CHECKSUM = 8  # bytes
STATE_SIZE = 24  # bytes
UNKNOWN = 0  # the checksum in files that have none, and in new ones


class ReservoirState(NamedTuple):
    applied: int = 0  # changes made
    offered: int = 0  # rows ever
    checksum: int = UNKNOWN  # of the rows, and of the two numbers above


class Change(NamedTuple):
    """All that a change does."""

    state: ReservoirState  # after it
    places: np.ndarray  # [n] of the rows it keeps, in order: a later one may replace an earlier one
    rows: np.ndarray  # [n]


def write_change(path: Path, change: Change) -> None:
    parts = [as_bytes(np.array(change.state, "<u8")), *map(as_bytes, change[1:])]
    write(path, [checksum(parts), *(part.data for part in parts)])


def read_change(path: Path, dtype: np.dtype) -> Change:
    content = np.fromfile(path, np.uint8)
    state, rest = np.split(content[CHECKSUM:], [STATE_SIZE])
    n, odd = divmod(len(rest), 8 + dtype.itemsize)
    if odd or checksum([state, rest]) != content[:CHECKSUM].tobytes():
        raise ValueError(f"{path} is damaged")
    places, rows = rest[: 8 * n].view("<i8"), rest[8 * n :].view(dtype)
    return Change(ReservoirState(*state.view("<u8").tolist()), places, rows)


def checksum(parts: list[np.ndarray]) -> bytes:
    crc = 0
    for part in parts:
        crc = zlib.crc32(part.data, crc)
    return crc.to_bytes(CHECKSUM, "little")


def write(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    with replacing(path) as partial, partial.open("wb") as file:
        for part in parts:
            file.write(part)
