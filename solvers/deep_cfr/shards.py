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
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from absl import flags

from solvers.deep_cfr.rows import as_bytes, columns_of
from solvers.deep_cfr.shard_files import (
    Shard,
    head_of,
    read_shard,
    seal,
    shard_paths,
    verified_blocks,
)
from solvers.deep_cfr.shard_rows import RUN, ShardRows, map_rows
from spielgames.command import run, user_input


class Shards:
    """A folder of shards. `about` is all that samples must agree in to be mixed. With `verify`, the
    rows of each shard are read once, and must have their checksum.
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
        """Notice what other processes have added or deleted."""
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
        """Write a shard. A resumed run that repeats itself should give a name: what is there
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

    def window(self, first_iteration: int, last: int | None = None, run: int = RUN) -> ShardRows:
        """Return the rows of the iterations first … last, or of all from the first on."""
        end = float("inf") if last is None else last
        chosen = [
            s for _, s in sorted(self.shards.items()) if first_iteration <= s.iteration <= end
        ]
        return ShardRows(chosen, self.dtype, run)

    def forget(self, first: int) -> None:
        """Delete the shards of all iterations before this one."""
        for path, shard in list(self.shards.items()):
            if shard.iteration < first:
                path.unlink(missing_ok=True)
        self.refresh()

    def merge(self, other: "Shards") -> list[Path]:
        """Copy the shards of another folder that are not here yet. One whose rows turn out to be
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
        """Return a path for a shard: two machines may have given two shards the same name."""
        path = self.folder / shard.path.name
        here = self.shards.get(path)
        if here is None or (here.count, here.crc) == (shard.count, shard.crc):
            return path
        return path.with_stem(f"{path.stem}-{shard.crc:08x}")


def usual_kind(folders: list[Path]) -> Shard:
    """Return a shard of the most common kind in the first folder that has any."""
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
    """List the shards, rows and bytes of each iteration, then what was left out."""
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
            raise ValueError(f"{folders[-1]} is not a folder")
        kind = usual_kind(folders)
        shards = Shards(folders[0], kind.dtype, kind.about, chosen.verify)
        if chosen.merge:
            other = Shards(folders[1], kind.dtype, kind.about)
            print(f"copied {len(shards.merge(other))} shards\n\n{listing(other)}\n")
    print(listing(shards))


if __name__ == "__main__":
    define_flags()
    run(main)
