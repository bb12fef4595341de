"""The files of `solvers.deep_cfr.shards`.

Two lines of text say what a shard is and its checksums; its rows follow. A file gets its name when
all of it is on the disk."""

import json
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from spielgames.files import replacing

MAGIC = b"spielgames rows "
VERSION = 1
HEAD = 4096  # bytes before the rows
BLOCK = 1 << 24  # bytes read at once


@dataclass(frozen=True)
class Shard:
    """A shard, as its head describes it."""

    path: Path
    about: dict[str, Any]
    columns: list  # the dtype, as JSON has it
    count: int
    iteration: int
    crc: int  # of the rows

    @property
    def dtype(self) -> np.dtype:
        return np.lib.format.descr_to_dtype(as_tuples(self.columns))

    @property
    def size(self) -> int:
        return HEAD + self.count * self.dtype.itemsize


def shard_paths(folder: Path) -> list[Path]:
    return sorted(folder.glob("i*.rows"))


def as_tuples(columns: list) -> list:
    """Turn lists, which JSON has made of tuples, into tuples again."""
    return [(name, kind, *map(tuple, shape)) for name, kind, *shape in columns]


def head_of(shard: Shard) -> bytes:
    parts = {"about": shard.about, "columns": shard.columns, "count": shard.count}
    line = json.dumps(parts | {"iteration": shard.iteration, "crc": shard.crc}).encode()
    head = b"%s%d %08x\n%s\n" % (MAGIC, VERSION, zlib.crc32(line), line)
    if len(head) > HEAD:
        raise ValueError(f"what shards say about themselves must fit into {HEAD} bytes")
    return head.ljust(HEAD)


def read_shard(path: Path) -> Shard:
    with path.open("rb") as file:
        head, size = file.read(HEAD), os.fstat(file.fileno()).st_size
    if head[: len(MAGIC)] != MAGIC[: len(head)]:
        raise ValueError("it is not a shard")
    if len(head) < HEAD:
        raise ValueError(f"it is torn: {size} bytes, where the head alone has {HEAD}")
    found = re.match(MAGIC + rb"(\d+) (\w{8})\n(.*)\n", head)
    if found and int(found[1]) != VERSION:
        raise ValueError(f"it is of version {int(found[1])}, not {VERSION}")
    if not found or b"%08x" % zlib.crc32(found[3]) != found[2]:
        raise ValueError("its head is damaged")
    shard = Shard(path, **json.loads(found[3]))
    if size != shard.size:
        raise ValueError(f"it is torn: {size} bytes instead of {shard.size}")
    return shard


def verified_blocks(shard: Shard) -> Iterator[bytes]:
    """Yield all of a file, and raise at the end if its rows are damaged."""
    crc = 0
    with shard.path.open("rb") as file:
        yield file.read(HEAD)
        while block := file.read(BLOCK):
            crc = zlib.crc32(block, crc)
            yield block
    if crc != shard.crc:
        raise ValueError("its rows are damaged: they do not have its checksum")


def seal(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    """Write a file, which gets its name when all of it is on the disk."""
    with replacing(path) as partial, partial.open("wb") as file:
        for part in parts:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())
