"""Samples of all iterations, or of the last ones; whoever comes back finds what was there."""

import numpy as np
import pytest

from solvers.deep_cfr import memory
from solvers.deep_cfr.memory import ReservoirMemory, WindowMemory, open_memory
from solvers.deep_cfr.rows import RowFormat
from solvers.deep_cfr.settings import ReservoirSettings, WindowSettings

FORMAT = RowFormat(width=5, numbers=(), actions=3, slots=2)
ABOUT = {"game": "python_hokm"}
PARTS = 2  # of an iteration


def rows_of(number, n=40):
    """All different."""
    rows = np.zeros(n, FORMAT.dtype)
    rows["legal"] = 1000 * number + np.arange(n)
    return rows


def numbers_in(memory):
    """Which calls the rows are of."""
    drawn = memory.draw(4000, np.random.default_rng(1))["legal"]
    return set((drawn // 1000).astype(int).tolist())


def opened(folder, window, capacity=1000):
    room = WindowSettings(window) if window else ReservoirSettings(capacity)
    return open_memory(folder / "samples", FORMAT.dtype, ABOUT, room, seed=3)


def take_in(memory, first, last):
    for number in range(first, last + 1):
        iteration = 1 + (number - 1) // PARTS
        memory.take_in([rows_of(number)], iteration, number)


@pytest.fixture(params=["in memory", "on disk"])
def place(request, monkeypatch):
    """Windows that are too large for memory are read where they are."""
    if request.param == "on disk":
        monkeypatch.setattr(memory, "IN_MEMORY", 0)


def test_a_window_holds_the_last_iterations_alone(tmp_path, place):
    window = opened(tmp_path, window=2)
    assert isinstance(window, WindowMemory) and len(window) == 0
    take_in(window, 1, 3)
    assert len(window) == 120 and numbers_in(window) == {1, 2, 3}
    take_in(window, 4, 5)  # the first of iteration 3: those of iteration 1 are gone
    assert len(window) == 120 and numbers_in(window) == {3, 4, 5}
    take_in(window, 6, 6)
    assert len(window) == 160 and numbers_in(window) == {3, 4, 5, 6}
    assert len(list(tmp_path.rglob("*.rows"))) == 4


def test_a_window_of_one_iteration_starts_anew(tmp_path):
    window = opened(tmp_path, window=1)
    take_in(window, 1, 3)
    assert numbers_in(window) == {3}


def test_nothing_is_nothing(tmp_path):
    window = opened(tmp_path, window=1)
    take_in(window, 1, 2)
    window.take_in([rows_of(3, n=0)], 2, 3)
    assert numbers_in(window) == {1, 2}


@pytest.mark.parametrize("window", [0, 2])
def test_whoever_comes_back_finds_the_same(tmp_path, window, place):
    for last in (3, 5):
        stays = opened(tmp_path / "stays", window)
        take_in(stays, 1 if last == 3 else 4, last)
        comes_back = opened(tmp_path / "comes back", window)
        take_in(comes_back, 1 if last == 3 else 3, last)  # number 3 is repeated
        comes_back = opened(tmp_path / "comes back", window)
        one, other = (m.draw(500, np.random.default_rng(7)) for m in (stays, comes_back))
        assert len(stays) == len(comes_back) and (one == other).all()


@pytest.mark.parametrize("window", [0, 2])
def test_a_memory_must_fit_to_the_calls(tmp_path, window):
    memory = opened(tmp_path, window)
    memory.check(0)
    take_in(memory, 1, 3)
    memory.take_in([rows_of(4, n=0)], 2, 4)
    for calls in (3, 4):  # a killed process may not have noted the last one
        opened(tmp_path, window).check(calls)
    for calls in (2, 5):
        with pytest.raises(
            ValueError, match=f"has 4 parts of samples, where the run has made {calls}"
        ):
            opened(tmp_path, window).check(calls)


def test_windows_of_older_versions_have_no_list(tmp_path):
    window = opened(tmp_path, window=2)
    take_in(window, 1, 3)
    window.list.unlink()
    again = opened(tmp_path, window=2)
    again.check(3)
    take_in(again, 3, 4)
    assert opened(tmp_path, window=2).calls == 4


def test_a_damaged_list_is_refused(tmp_path):
    window = opened(tmp_path, window=2)
    take_in(window, 1, 3)
    for content in ("", "[]", "{}", '{"calls": 3, "shards": 4}'):
        window.list.write_text(content)
        with pytest.raises(ValueError, match=str(window.list)):
            opened(tmp_path, window=2)


def test_a_reservoir_keeps_some_of_all_iterations(tmp_path):
    reservoir = opened(tmp_path, window=0, capacity=100)
    assert isinstance(reservoir, ReservoirMemory)
    take_in(reservoir, 1, 8)
    assert len(reservoir) == 100 and numbers_in(reservoir) == set(range(1, 9))


def test_draws_are_even(tmp_path, place):
    window = opened(tmp_path, window=1)
    take_in(window, 1, 2)
    drawn = window.draw(80_000, np.random.default_rng(2))["legal"]
    counts = np.unique(drawn, return_counts=True)[1]
    assert len(counts) == 80
    # Neighbours are drawn together from disk, in runs: each row is as likely, though.
    assert np.abs(counts - 1000).max() < 1000 * 0.25


def in_pieces(rows, n):
    return [rows[i : i + n] for i in range(0, len(rows), n)]


@pytest.mark.parametrize("window", [0, 2])
def test_the_pieces_do_not_matter(tmp_path, window, place, monkeypatch):
    """Even where they become several shards."""
    monkeypatch.setattr(memory, "SHARD", 16 * FORMAT.dtype.itemsize)
    found = []
    for n in (1, 7, 16, 40):
        some = opened(tmp_path / str(n), window, capacity=50)
        for number in (1, 2):
            some.take_in(in_pieces(rows_of(number), n), 1, number)
        some.take_in(in_pieces(rows_of(2), n), 1, 2)  # as a resumed run does
        found.append(some.draw(500, np.random.default_rng(1)))
        assert len(some) == (80 if window else 50)
    assert all((rows == found[0]).all() for rows in found)
    counts = [shard.count for shard in some.shards.shards.values()] if window else []
    assert sorted(counts) == ([8, 8, 16, 16, 16, 16] if window else [])


def test_blocks_are_of_one_size():
    pieces = [np.arange(n) for n in (0, 2, 5, 0, 1, 3)]
    blocks = list(memory.blocks(pieces, 4))
    assert [len(block) for block in blocks] == [4, 4, 3]
    assert (np.concatenate(blocks) == np.concatenate(pieces)).all()
    assert [len(block) for block in memory.blocks(pieces[1:3], 7)] == [7]
    assert list(memory.blocks(pieces[:1], 4)) == []
