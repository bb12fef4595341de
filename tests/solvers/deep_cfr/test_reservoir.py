import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.deep_cfr import journal
from solvers.deep_cfr import reservoir as module
from solvers.deep_cfr.reservoir import Reservoir
from spielgames.core.luck import below, stream

ROW = np.dtype([("number", "u4"), ("noise", "u1", (3,))])
CAPACITY, SEED = 8, 3


class Killed(BaseException):
    pass


def some_rows(first, n):
    rows = np.zeros(n, ROW)
    rows["number"] = np.arange(first, first + n)
    rows["noise"] = rows["number"][:, None] * [1, 7, 31] % 256
    return rows


def opened(path, **changed):
    return Reservoir(path, **({"dtype": ROW, "capacity": CAPACITY, "seed": SEED} | changed))


def content(reservoir):
    return reservoir.rows[: len(reservoir)].copy()


def by_the_book(changes):
    """What is held after each change, by Algorithm R: row after row, in a list."""
    held, row, states = [], 0, [[]]
    for n in changes:
        for _ in range(n):
            row += 1
            if row <= CAPACITY:
                held.append(row)
            elif (place := below(np.uint64(stream(SEED, row)), row)) < CAPACITY:
                held[place] = row
        states.append(list(held))
    return states


def make(reservoir, changes, start=0):
    """Makes all changes; the rows are numbered 1, 2, …"""
    first = 1
    for number, n in enumerate(changes, 1):
        if number > start:
            reservoir.offer([some_rows(first, n)], number)
        first += n


@settings(deadline=None, max_examples=50)
@given(st.lists(st.integers(0, 30), max_size=6), st.integers(0, 6))
def test_it_is_algorithm_r(tmp_path_factory, changes, reopened):
    path = tmp_path_factory.mktemp("reservoir") / "rows"
    make(opened(path), changes[:reopened])
    reservoir = opened(path)
    make(reservoir, changes, start=reservoir.applied)
    held = by_the_book(changes)[-1]
    assert content(reservoir)["number"].tolist() == held
    assert (content(reservoir)["noise"] == np.outer(held, [1, 7, 31]) % 256).all()
    assert len(reservoir) == len(held)


def test_how_rows_are_grouped_does_not_matter(tmp_path):
    once, often = opened(tmp_path / "once"), opened(tmp_path / "often")
    once.offer([some_rows(1, 100)], 1)
    for i in range(100):
        often.offer([some_rows(1 + i, 1)], 1 + i)
    assert (content(once) == content(often)).all()
    assert once.offered == often.offered == 100


@pytest.mark.parametrize("size", [1, 8, 600])
@pytest.mark.parametrize("before", [0, 3, 12])
def test_of_many_pieces_few_rows_wait(tmp_path, monkeypatch, before, size):
    """Those that later ones replace are let go on the way; what stays is the same."""
    sizes, joined = [], module.joined

    def noted(changes):
        sizes.append(sum(len(change.rows) for change in changes))
        return joined(changes)

    reservoir = opened(tmp_path / "rows")
    make(reservoir, [before])
    monkeypatch.setattr(module, "joined", noted)
    first, last = before + 1, before + 601
    pieces = [some_rows(i, min(size, last - i)) for i in range(first, last, size)]
    reservoir.offer(pieces, 2)
    assert content(reservoir)["number"].tolist() == by_the_book([before, 600])[-1]
    assert (content(opened(reservoir.path)) == content(reservoir)).all()
    if size < 600:
        assert len(sizes) > 1 and max(sizes) <= 2 * CAPACITY + size


def test_every_row_is_kept_equally_often():
    kept, rows, samples = np.zeros(40), np.arange(40), 20_000
    for seed in range(samples):
        held = np.zeros(CAPACITY, int)
        places = module.find_places(seed, 0, len(rows), CAPACITY)
        held[places[places >= 0]] = rows[places >= 0]
        kept[held] += 1
    share = CAPACITY / len(rows)
    error = np.sqrt(samples * share * (1 - share))
    assert abs(kept - samples * share).max() < 4 * error


def test_draws_are_uniform(tmp_path):
    reservoir = opened(tmp_path / "rows")
    with pytest.raises(ValueError, match="is empty"):
        reservoir.draw(1, np.random.default_rng(1))
    reservoir.offer([some_rows(0, 5)], 1)
    drawn = reservoir.draw(50_000, np.random.default_rng(1))
    counts = np.bincount(drawn["number"])
    assert len(counts) == 5
    assert abs(counts - 10_000).max() < 4 * np.sqrt(50_000 * 0.2 * 0.8)
    assert drawn["noise"].any()  # a copy


def test_numbers_tell_what_is_done_already(tmp_path):
    reservoir = opened(tmp_path / "rows")
    reservoir.offer([some_rows(1, 3)], 1)
    reservoir.offer([some_rows(50, 3)], 1)
    assert content(reservoir)["number"].tolist() == [1, 2, 3]
    with pytest.raises(ValueError, match="change 3 can't follow change 1"):
        reservoir.offer([some_rows(4, 3)], 3)
    with pytest.raises(ValueError, match="another kind"):
        reservoir.offer([np.zeros(3)], 2)


CHANGES = (3, 9, 20, 0, 12)


def kill_at(patch, place, name, when):
    """Whoever calls it dies before or after it is done."""
    does = getattr(place, name)

    def dies(*args, **options):
        if when == "after":
            does(*args, **options)
        raise Killed

    patch.setattr(place, name, dies)


def kill_in_scatter(patch, *_):
    """Dies when half of the rows are replaced."""
    does = module.scatter

    def dies(rows, places, out):
        half = len(rows) // 2
        does(rows[:half], places[:half], out)
        raise Killed

    patch.setattr(module, "scatter", dies)


def kill_in_write(patch, *_):
    """Dies when the journal is written in part, and has no time to clean up."""

    @contextmanager
    def dies(path):
        partial = path.with_name(f".123-{path.name}")
        yield partial
        partial.write_bytes(partial.read_bytes()[:-1])
        raise Killed

    patch.setattr(journal, "replacing", dies)


def kill_at_end(patch, _, __, when):
    """Dies before or after the journal is removed."""
    does = Path.unlink

    def dies(path, *args, **options):
        if when == "after" or path.name != "rows.journal":
            does(path, *args, **options)
        if path.name == "rows.journal":
            raise Killed

    patch.setattr(Path, "unlink", dies)


PLACES = [(Reservoir, "write_journal"), (Path, "replace"), (Reservoir, "put_rows")]
PLACES += [(module, "scatter"), (Reservoir, "write_state")]
KILLS = [(kill_at, *place, when) for place in PLACES for when in ("before", "after")]
KILLS += [(kill_at_end, Path, "unlink", when) for when in ("before", "after")]
KILLS += [(kill, module, "", "") for kill in (kill_in_scatter, kill_in_write)]


@pytest.mark.parametrize("kill", KILLS, ids=lambda k: f"{k[0].__name__}-{k[2]}-{k[3]}")
@pytest.mark.parametrize("number", range(1, len(CHANGES) + 1))
def test_a_kill_leaves_the_state_before_or_after(tmp_path, monkeypatch, kill, number):
    how, *where = kill
    make(opened(tmp_path / "rows"), CHANGES[: number - 1])
    reservoir = opened(tmp_path / "rows")
    with monkeypatch.context() as patch:
        how(patch, *where)
        with pytest.raises(Killed):
            make(reservoir, CHANGES[:number], start=number - 1)
        with suppress(Killed):  # again, when the journal is replayed
            opened(tmp_path / "rows")
    reservoir, states = opened(tmp_path / "rows"), by_the_book(CHANGES)
    assert reservoir.applied in (number - 1, number)
    assert content(reservoir)["number"].tolist() == states[reservoir.applied]
    make(reservoir, CHANGES, start=number - 1)
    assert content(reservoir)["number"].tolist() == states[-1]
    assert list(tmp_path.iterdir()) == [reservoir.path]


OFFERS_FOREVER = """
import sys
from pathlib import Path
from tests.solvers.deep_cfr.test_reservoir import opened, some_rows
reservoir = opened(Path(sys.argv[1]), capacity=5000)
number = reservoir.applied
while True:
    print(number, flush=True)
    reservoir.offer([some_rows(100 * number, 100)], number + 1)
    number += 1
"""


def test_a_process_killed_at_any_moment(tmp_path):
    applied = 0
    for offers in (2, 40, 70):
        command = [sys.executable, "-c", OFFERS_FOREVER, str(tmp_path / "rows")]
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            for _ in range(offers):
                process.stdout.readline()
            process.send_signal(signal.SIGKILL)
        reservoir = opened(tmp_path / "rows", capacity=5000)
        assert reservoir.applied >= applied + offers - 1
        applied = reservoir.applied
        same = opened(tmp_path / f"same{applied}", capacity=5000)
        same.offer([some_rows(0, 100 * applied)], 1)
        assert (content(same) == content(reservoir)).all()
        assert same.offered == reservoir.offered


def test_the_file_grows_with_what_it_holds(tmp_path):
    reservoir = opened(tmp_path / "rows", capacity=10**9)
    for number in (1, 2, 3):
        reservoir.offer([some_rows(0, 100)], number)
        assert reservoir.path.stat().st_size == module.HEAD + 100 * number * ROW.itemsize


@pytest.mark.parametrize(
    "changed, why",
    [
        ({"capacity": 9}, "its capacity is 8, not 9"),
        ({"seed": 4}, "its seed is 3, not 4"),
        ({"dtype": np.dtype("f4")}, "its dtype is .*number.*, not .*f4"),
    ],
)
def test_another_reservoir_is_refused(tmp_path, changed, why):
    opened(tmp_path / "rows").offer([some_rows(0, 20)], 1)
    with pytest.raises(ValueError, match=f"rows is another reservoir: {why}"):
        opened(tmp_path / "rows", **changed)


def make_full(path):
    reservoir = opened(path)
    make(reservoir, CHANGES)
    return reservoir


def test_a_changed_bit_of_a_row_or_of_the_state_is_found(tmp_path):
    make_full(tmp_path / "rows")
    content = (tmp_path / "rows").read_bytes()
    used = module.STATE + journal.STATE_SIZE
    for place in (*range(module.STATE, used), *range(module.HEAD, len(content))):
        damaged = bytearray(content)
        damaged[place] ^= 1 << place % 8
        (tmp_path / "rows").write_bytes(damaged)
        with pytest.raises(ValueError, match="rows is damaged: it does not|rows is torn"):
            opened(tmp_path / "rows")
    (tmp_path / "rows").write_bytes(content)
    assert opened(tmp_path / "rows").applied == len(CHANGES)


def test_exchanged_rows_are_found(tmp_path):
    reservoir = make_full(tmp_path / "rows")
    reservoir.rows[[0, 1]] = reservoir.rows[[1, 0]]
    with pytest.raises(ValueError, match="is damaged"):
        opened(tmp_path / "rows")


def test_files_without_a_checksum_get_one(tmp_path):
    """As they were at first."""
    reservoir = opened(tmp_path / "rows")
    make(reservoir, CHANGES[:3])
    content = bytearray(reservoir.path.read_bytes())
    content[module.STATE + 16 : module.STATE + 24] = bytes(8)
    reservoir.path.write_bytes(content)
    make(opened(tmp_path / "rows"), CHANGES, start=3)
    assert opened(tmp_path / "rows").state == make_full(tmp_path / "same").state


def test_damaged_files_are_refused(tmp_path, monkeypatch):
    path = tmp_path / "rows"
    path.write_bytes(b"something else")
    with pytest.raises(ValueError, match="its reservoir is missing, not 1"):
        opened(path)
    path.unlink()
    reservoir = opened(path)
    reservoir.offer([some_rows(0, 5)], 1)
    with monkeypatch.context() as patch:
        kill_at(patch, Reservoir, "put_rows", "before")
        with pytest.raises(Killed):
            reservoir.offer([some_rows(5, 5)], 2)
    written = reservoir.journal.read_bytes()
    reservoir.journal.write_bytes(written[:-1] + bytes([written[-1] ^ 1]))
    with pytest.raises(ValueError, match="journal is damaged"):
        opened(path)
    reservoir.journal.unlink()
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ValueError, match="is torn: 5 rows should be there, but 4 are"):
        opened(path)
