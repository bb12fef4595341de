"""Samples on disk, as many as fit there: sealed files of rows, which any number of processes write
at the same time, and which may be copied from other machines.

shards = Shards(folder, format.dtype, about={"game": "python_hearts", "encoding": 1})
shards.append(rows, iteration, random)
batch = shards.window(first_iteration=3).draw(2048, random)

    python -m solvers.deep_cfr.shards --folder=runs/hearts/samples --verify
    python -m solvers.deep_cfr.shards --folder=runs/hearts/samples --merge=/mnt/samples

Two lines of text say what a shard is and its checksums; its rows follow, shuffled. A shard that is
torn, or of another game, is left out as a whole, and `rejected` says why. Shards of 100,000 rows
and more are drawn from fastest.
"""

import json
import mmap
import os
import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from absl import flags

from solvers.deep_cfr.rows import as_bytes, columns_of
from spielgames.command import run, user_input
from spielgames.files import replacing

MAGIC = b"spielgames rows "
VERSION = 1
HEAD = 4096  # bytes before the rows
BLOCK = 1 << 24  # bytes read at once
OPEN = 500  # shards mapped at once: each has a file handle, of which a process has 1,024 as a rule
RUN = 16  # rows drawn together


@dataclass(frozen=True)
class Shard:
    """What the start of a shard says."""

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


class Window:
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
        """All rows, in memory."""
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


class Shards:
    """`about`: all that samples must agree in to be mixed. `verify`: the rows of each shard are
    read once, and must have their checksum.
    """

    def __init__(
        self, folder: Path, dtype: np.dtype, about: dict[str, Any], verify: bool = False
    ) -> None:
        self.folder, self.dtype, self.verify = Path(folder), dtype, verify
        self.about = json.loads(json.dumps(about))
        self.folder.mkdir(parents=True, exist_ok=True)
        self.shards: dict[Path, Shard] = {}
        self.rejected: list[tuple[Path, str]] = []
        self.refresh()

    def refresh(self) -> None:
        """Sees what other processes have added or deleted."""
        known, self.shards, self.rejected = self.shards, {}, []
        for path in shard_paths(self.folder):
            try:
                self.shards[path] = known.get(path) or self.check(read_shard(path))
            except FileNotFoundError:
                pass  # deleted since it was listed
            except (ValueError, OSError) as error:
                self.rejected.append((path, str(error)))
        if known.keys() - self.shards.keys():
            map_rows.cache_clear()  # a deleted file that is mapped stays on the disk

    def check(self, shard: Shard) -> Shard:
        for name in sorted(self.about.keys() | shard.about.keys()):
            found, wanted = shard.about.get(name), self.about.get(name)
            if found != wanted:
                raise ValueError(f"its {name} is {found!r}, not {wanted!r}")
        if shard.columns != columns_of(self.dtype):
            raise ValueError("its rows have another format")
        if self.verify:
            for _ in verified_blocks(shard):
                pass
        return shard

    def append(
        self,
        rows: np.ndarray,
        iteration: int,
        random: np.random.Generator,
        name: str | None = None,
    ) -> Path:
        """Writes a shard. A resumed run that repeats itself should give a name: what is there
        already is not written again.
        """
        if rows.dtype != self.dtype:
            raise ValueError(f"the shards in {self.folder} have rows of another format")
        rows = np.take(rows, random.permutation(len(rows)))
        crc = zlib.crc32(as_bytes(rows).data)
        path = self.folder / f"i{iteration:04d}-{name or random.bytes(8).hex()}.rows"
        if path not in self.shards:
            shard = Shard(path, self.about, columns_of(self.dtype), len(rows), int(iteration), crc)
            seal(path, [head_of(shard), as_bytes(rows).data])
            self.shards[path] = shard
        return path

    def window(self, first_iteration: int, last: int | None = None, run: int = RUN) -> Window:
        """The rows of the iterations first … last, or of all from the first on."""
        end = float("inf") if last is None else last
        chosen = [
            s for _, s in sorted(self.shards.items()) if first_iteration <= s.iteration <= end
        ]
        return Window(chosen, self.dtype, run)

    def forget(self, first: int) -> None:
        """Deletes the shards of all iterations before this one."""
        for path, shard in list(self.shards.items()):
            if shard.iteration < first:
                path.unlink(missing_ok=True)
        self.refresh()

    def merge(self, other: "Shards") -> list[Path]:
        """Copies the shards of another folder that are not here yet; one whose rows turn out to be
        damaged is rejected there.
        """
        copied = []
        for shard in list(other.shards.values()):
            path = self.place_for(shard)
            if path in self.shards:
                continue
            try:
                seal(path, verified_blocks(shard))
            except ValueError as error:
                other.rejected.append((shard.path, str(error)))
                del other.shards[shard.path]
            else:
                self.shards[path] = self.check(read_shard(path))
                copied.append(path)
        self.refresh()  # a torn shard may have been replaced
        return copied

    def place_for(self, shard: Shard) -> Path:
        """Two machines may give different shards the same name."""
        path = self.folder / shard.path.name
        here = self.shards.get(path)
        if here is None or (here.count, here.crc) == (shard.count, shard.crc):
            return path
        return path.with_stem(f"{path.stem}-{shard.crc:08x}")


def shard_paths(folder: Path) -> list[Path]:
    return sorted(folder.glob("i*.rows"))


def as_tuples(columns: list) -> list:
    """JSON has made them lists."""
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
        raise ValueError("it is no shard")
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
    """All of the file; the error comes at the end."""
    crc = 0
    with shard.path.open("rb") as file:
        yield file.read(HEAD)
        while block := file.read(BLOCK):
            crc = zlib.crc32(block, crc)
            yield block
    if crc != shard.crc:
        raise ValueError("its rows are damaged: they don't have its checksum")


def seal(path: Path, parts: Iterable[bytes | memoryview]) -> None:
    """A shard gets its name when all of it is on the disk."""
    with replacing(path) as partial, partial.open("wb") as file:
        for part in parts:
            file.write(part)
        file.flush()
        os.fsync(file.fileno())


def usual_kind(folders: list[Path]) -> Shard:
    """The first shard of the kind that most are of, in the first folder that has any."""
    for folder in folders:
        kinds: dict[str, list[Shard]] = {}
        for path in shard_paths(folder):
            with suppress(ValueError, OSError):
                shard = read_shard(path)
                kinds.setdefault(json.dumps([shard.about, shard.columns]), []).append(shard)
        if kinds:
            return max(kinds.values(), key=len)[0]
    raise ValueError(f"{folders[0]} has no shards that can be read")


def listing(shards: Shards) -> str:
    """Shards, rows and bytes of each iteration, then what is left out."""
    lines = [f"{shards.folder}: {json.dumps(shards.about)}"]
    lines.append(f"{'iteration':>9}{'shards':>10}{'rows':>16}{'bytes':>20}")
    groups: dict[int | str, list[Shard]] = {}
    for shard in sorted(shards.shards.values(), key=lambda shard: shard.iteration):
        groups.setdefault(shard.iteration, []).append(shard)
    groups["all"] = list(shards.shards.values())
    for iteration, group in groups.items():
        rows, size = sum(s.count for s in group), sum(s.size for s in group)
        lines.append(f"{iteration:>9}{len(group):>10,}{rows:>16,}{size:>20,}")
    lines += [f"left out: {path}: {reason}" for path, reason in shards.rejected]
    if unfinished := list(shards.folder.glob(".*-i*.rows")):
        lines.append(f"unfinished: {len(unfinished)}, being written or left by killed processes")
    return "\n".join(lines)


def define_flags() -> None:
    flags.DEFINE_string("folder", None, "the shards")
    flags.DEFINE_bool("verify", False, "read all rows and compare their checksums")
    flags.DEFINE_string("merge", None, "the folder whose shards are copied into --folder")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        if not chosen.folder:
            raise ValueError("--folder must name a folder of shards")
        folders = [Path(name) for name in (chosen.folder, chosen.merge) if name]
        if not folders[-1].is_dir():
            raise ValueError(f"{folders[-1]} is no folder")
        kind = usual_kind(folders)
        shards = Shards(folders[0], kind.dtype, kind.about, chosen.verify)
        if chosen.merge:
            other = Shards(folders[1], kind.dtype, kind.about)
            print(f"copied {len(shards.merge(other))} shards\n\n{listing(other)}\n")
    print(listing(shards))


if __name__ == "__main__":
    define_flags()
    run(main)
