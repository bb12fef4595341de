"""A uniform sample of all rows ever offered (Algorithm R, Vitter 1985), in a file that survives
the death of its process.

reservoir = Reservoir(path, format.dtype, capacity=1_000_000, seed=1)
reservoir.offer([rows], number=1)
batch = reservoir.draw(2048, random)

Changes are numbered 1, 2, …; one that is made already does nothing when a resumed run repeats it.
A change is written to a journal first, and then carried out: a process killed at any moment leaves
the state before a change or after it. (A computer that loses its power may lose more.) One process
at a time may have it open. Nothing can be taken back: `applied` says which change was the last.

The file has a checksum, the sum of a hash of every row and its place, so that a change of some rows
changes it by theirs alone. To open a reservoir means to read all of it once and to compare: a
second for some gigabytes in memory, or as long as the disk takes.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from solvers.deep_cfr.hashes import hash_numbers, hash_rows
from solvers.deep_cfr.journal import (
    UNKNOWN,
    Change,
    ReservoirState,
    read_change,
    write,
    write_change,
)
from solvers.deep_cfr.rows import as_bytes, columns_of
from spielgames.core.cache import compiled
from spielgames.core.luck import below, stream

HEAD = 4096  # bytes before the rows: a line that says what they are; then, from STATE on, the state
STATE = HEAD - 64
NOWHERE = -1  # the place of a row that is not kept
BLOCK = 1 << 20  # rows that are checked at once


class Reservoir:
    state: ReservoirState

    def __init__(self, path: Path, dtype: np.dtype, capacity: int, seed: int) -> None:
        if capacity < 1:
            raise ValueError(f"a reservoir has room for at least one row, not {capacity}")
        self.path, self.dtype, self.capacity, self.seed = Path(path), dtype, capacity, seed
        self.journal = self.path.with_name(self.path.name + ".journal")
        if not self.path.exists():
            self.create()
        self.check_about()
        self.read_state()
        self.map_rows()
        self.recover()
        self.verify()

    @property
    def applied(self) -> int:
        """The number of the last change."""
        return self.state.applied

    @property
    def offered(self) -> int:
        """The number of rows that this is a sample of."""
        return self.state.offered

    def __len__(self) -> int:
        return min(self.offered, self.capacity)

    def offer(self, pieces: Iterable[np.ndarray], number: int) -> None:
        """Offer rows, which come in pieces because there may be many."""
        if number <= self.applied:
            return
        if number > self.applied + 1:
            raise ValueError(f"{self.path}: change {number} can't follow change {self.applied}")
        change = self.change_to(*self.sift(pieces, number))
        self.write_journal(change)
        self.carry_out(change)

    def sift(self, pieces: Iterable[np.ndarray], number: int) -> Change:
        """Return the change that some rows make. At most twice the capacity wait in memory."""
        nothing = Change(
            ReservoirState(number, self.offered), np.zeros(0, np.int64), np.zeros(0, self.dtype)
        )
        kept, waiting = [nothing], 0
        for rows in pieces:
            kept.append(self.sift_piece(rows, kept[-1].state))
            waiting += len(kept[-1].rows)
            if waiting > 2 * self.capacity:
                kept = [self.newest(joined(kept))]
                waiting = len(kept[0].rows)
        return joined(kept)

    def sift_piece(self, rows: np.ndarray, state: ReservoirState) -> Change:
        if rows.dtype != self.dtype:
            raise ValueError(f"{self.path} holds rows of another kind than these")
        places = find_places(self.seed, state.offered, len(rows), self.capacity)
        kept = np.flatnonzero(places != NOWHERE)
        after = state._replace(offered=state.offered + len(rows))
        return Change(after, places[kept], rows[kept])

    def newest(self, change: Change) -> Change:
        """Return a change without the rows that later ones replace. Rows that make the file grow
        come first, as always.
        """
        order = (change.places - len(self)) % self.capacity
        last = len(order) - 1 - np.unique(order[::-1], return_index=True)[1]
        return change._replace(places=change.places[last], rows=change.rows[last])

    def change_to(self, state: ReservoirState, places: np.ndarray, rows: np.ndarray) -> Change:
        """Return a change with its checksum. Of rows with the same place, the last one counts."""
        touched, last = np.unique(places[::-1], return_index=True)
        replaced = touched[touched < len(self)]
        checksum = self.state.checksum - hash_numbers(*self.state[:2]) + hash_numbers(*state[:2])
        checksum += int(hash_rows(as_bytes(rows), len(rows) - 1 - last, touched))
        checksum -= int(hash_rows(as_bytes(self.rows), replaced, replaced))
        return Change(state._replace(checksum=checksum % 2**64), places, rows)

    def verify(self) -> None:
        checksum = hash_numbers(*self.state[:2])
        for first in range(0, len(self), BLOCK):
            held = np.arange(first, min(first + BLOCK, len(self)))
            checksum += int(hash_rows(as_bytes(self.rows), held, held))
        checksum %= 2**64
        if self.state.checksum not in (UNKNOWN, checksum):
            raise ValueError(f"{self.path} is damaged: it does not have its checksum")
        self.state = self.state._replace(checksum=checksum)

    def draw(self, n: int, random: np.random.Generator) -> np.ndarray:
        """Return n rows, drawn uniformly with replacement."""
        if not len(self):
            raise ValueError(f"{self.path} is empty: nothing can be drawn")
        return np.take(self.rows, random.integers(len(self), size=n))

    def carry_out(self, change: Change) -> None:
        """Carry out a change. To do so again, or after a part was done, has the same effect."""
        self.put_rows(change)
        self.write_state(change.state)
        self.journal.unlink()

    def put_rows(self, change: Change) -> None:
        """Write rows to their places. The file grows by writing, which reports a full disk; a
        memory map would end the process.
        """
        held = len(self)
        growth = min(change.state.offered, self.capacity) - held
        with self.path.open("r+b") as file:
            file.seek(HEAD + held * self.dtype.itemsize)
            file.write(as_bytes(change.rows[:growth]).data)
        if held + growth > len(self.rows):
            self.map_rows()
        scatter(as_bytes(change.rows[growth:]), change.places[growth:], as_bytes(self.rows))

    def map_rows(self) -> None:
        """Map all rows that the file has room for."""
        n = (self.path.stat().st_size - HEAD) // self.dtype.itemsize
        if n < len(self):
            raise ValueError(f"{self.path} is torn: {len(self)} rows should be there, but {n} are")
        self.rows = np.zeros(0, self.dtype)
        if n:  # there is no map of nothing
            self.rows = np.memmap(self.path, self.dtype, "r+", HEAD, n).view(np.ndarray)

    def create(self) -> None:
        self.journal.unlink(missing_ok=True)  # of a reservoir that was deleted
        write(self.path, [json.dumps(self.about()).encode().ljust(STATE), bytes(64)])

    def about(self) -> dict[str, Any]:
        """The start of the file."""
        return {
            "reservoir": 1,
            "capacity": self.capacity,
            "seed": self.seed,
            "dtype": columns_of(self.dtype),
        }

    def check_about(self) -> None:
        with self.path.open("rb") as file:
            text = file.read(STATE)
        try:
            found = dict(json.loads(text))
        except (ValueError, TypeError):
            found = {}
        for name, wanted in self.about().items():
            if found.get(name) != wanted:
                there = found.get(name, "missing")
                raise ValueError(
                    f"{self.path} is another reservoir: its {name} is {there}, not {wanted}"
                )

    def read_state(self) -> None:
        self.state = ReservoirState(
            *np.fromfile(self.path, "<u8", len(ReservoirState._fields), offset=STATE).tolist()
        )

    def write_state(self, state: ReservoirState) -> None:
        """Write the state in one go: no process is killed within so short a write."""
        with self.path.open("r+b", buffering=0) as file:
            file.seek(STATE)
            file.write(np.array(state, "<u8").tobytes())
        self.state = state

    def write_journal(self, change: Change) -> None:
        write_change(self.journal, change)

    def recover(self) -> None:
        """Carry out the change that a killed process left in the journal."""
        for partial in self.path.parent.glob(f".*-{self.journal.name}"):
            partial.unlink()
        if not self.journal.exists():
            return
        try:
            change = read_change(self.journal, self.dtype)
        except ValueError as error:
            raise ValueError(f"{error}, so {self.path} can't be trusted: delete both") from None
        if change.state.applied > self.applied:
            self.carry_out(change)
        else:
            self.journal.unlink()


def joined(changes: list[Change]) -> Change:
    """Return one change that does what several do in turn."""
    states, places, rows = zip(*changes, strict=True)
    return Change(states[-1], np.concatenate(places), np.concatenate(rows))


@compiled
def find_places(seed: int, offered: int, n: int, capacity: int) -> np.ndarray:
    """Return the places of the next rows. Each of the first k is held with the same probability."""
    places = np.empty(n, np.int64)
    for i in range(n):
        k = offered + i + 1
        place = k - 1 if k <= capacity else below(stream(seed, k), k)
        places[i] = place if place < capacity else NOWHERE
    return places


@compiled
def scatter(rows: np.ndarray, places: np.ndarray, out: np.ndarray) -> None:
    """Write rows to their places in order, so that the last one stays."""
    for i in range(len(rows)):
        out[places[i], :] = rows[i, :]
