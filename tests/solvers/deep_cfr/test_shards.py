import mmap
import os
import resource
import shutil
import subprocess
import sys
from contextlib import suppress

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from solvers.deep_cfr import shards as module
from solvers.deep_cfr.shard_files import HEAD
from solvers.deep_cfr.shards import Shards
from tests import commands

ROW = np.dtype([("number", "u8"), ("noise", "u1", (5,))])
ABOUT = {"game": "python_hearts", "encoding": 1}


def some_rows(first, n):
    rows = np.zeros(n, ROW)
    rows["number"] = np.arange(first, first + n)
    rows["noise"] = rows["number"][:, None] * [1, 3, 7, 31, 63] % 256
    return rows


def opened(folder, **changed):
    return Shards(folder, **({"dtype": ROW, "about": ABOUT} | changed))


def filled(folder, counts):
    """A shard for each count, in iterations 1, 2, …; rows are numbered throughout."""
    shards, first = opened(folder), 0
    for iteration, count in enumerate(counts, 1):
        shards.append(some_rows(first, count), iteration, np.random.default_rng(iteration))
        first += count
    return shards


def drawn(window, n, seed=0):
    return window.draw(n, np.random.default_rng(seed))["number"]


def contents(shards):
    """The numbers of all rows, in the files' order."""
    parts = [module.map_rows(s.path, s.dtype, s.count) for s in shards.shards.values()]
    return np.concatenate(parts)["number"].tolist() if parts else []


def reasons(shards):
    return {path.name: reason for path, reason in shards.rejected}


@settings(deadline=None, max_examples=30)
@given(hnp.arrays(ROW, st.integers(1, 40)), st.integers(0, 2**16 - 1), st.integers(0, 99))
def test_rows_come_back_shuffled(tmp_path_factory, rows, iteration, seed):
    folder = tmp_path_factory.mktemp("shards")
    path = opened(folder).append(rows, iteration, np.random.default_rng(seed))
    shards = opened(folder, verify=True)
    assert shards.rejected == []
    (shard,) = shards.shards.values()
    assert (shard.path, shard.iteration, shard.dtype) == (path, iteration, ROW)
    back = module.map_rows(path, ROW, len(rows))
    assert sorted(map(bytes, back)) == sorted(map(bytes, rows))
    assert (back == rows[np.random.default_rng(seed).permutation(len(rows))]).all()


def test_every_place_of_a_run_is_uniform(tmp_path):
    """Of shards as long as runs, longer and shorter; the last run is cut off."""
    window = filled(tmp_path, [5, 1, 16, 22]).window(1)
    assert len(window) == 44
    counts, times = np.zeros((35, 44)), 15_000
    random = np.random.default_rng(4)
    for _ in range(times):
        counts[np.arange(35), window.draw(35, random)["number"]] += 1
    expected = times / 44
    assert abs(counts - expected).max() < 5 * np.sqrt(expected)  # of 1,540 numbers


def test_a_run_is_neighbours_of_one_shard(tmp_path):
    shards = filled(tmp_path, [30, 70])
    where = {number: i for i, number in enumerate(contents(shards))}
    for run in drawn(shards.window(1), 1600).reshape(100, 16):
        places = np.array([where[number] for number in run])
        first, size = (0, 30) if places[0] < 30 else (30, 70)
        assert (places - first == (places[0] - first + np.arange(16)) % size).all()


def test_windows_are_iterations(tmp_path):
    shards = filled(tmp_path, [10, 10, 10, 10])
    assert set(drawn(shards.window(2, 3), 999)) == set(range(10, 30))
    assert set(drawn(shards.window(4), 999)) == set(range(30, 40))
    assert len(shards.window(0)) == 40
    assert len(shards.window(5)) == 0
    with pytest.raises(ValueError, match="no samples of these iterations"):
        drawn(shards.window(5), 1)


def test_windows_are_memory_maps(tmp_path):
    """Whatever is in them stays on the disk, and they can't change it."""
    shards = filled(tmp_path, [1000])
    (shard,) = shards.shards.values()
    rows = module.map_rows(shard.path, ROW, 1000)
    assert isinstance(rows.base, mmap.mmap | np.memmap)
    with pytest.raises(ValueError, match="read-only"):
        rows["number"] = 0
    batch = shards.window(1).draw(10, np.random.default_rng(1))
    batch["number"] = 10**6  # a copy
    assert max(contents(shards)) == 999


def test_more_shards_than_a_process_may_open(tmp_path, monkeypatch):
    monkeypatch.setattr("os.fsync", lambda _: None)
    window = filled(tmp_path, [1] * 600).window(1, run=1)
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (560, limits[1]))
    try:
        assert set(drawn(window, 10_000)) == set(range(600))
    finally:
        module.map_rows.cache_clear()
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)


def test_a_torn_shard_is_rejected_at_every_length(tmp_path):
    (path,) = filled(tmp_path, [40]).shards
    whole = path.read_bytes()
    assert len(whole) == HEAD + 40 * ROW.itemsize
    lengths = [*range(0, HEAD, 61), *range(HEAD, len(whole)), len(whole) + 1]
    for length in lengths:
        path.write_bytes((whole + b"x")[:length])
        shards = opened(tmp_path)
        assert reasons(shards)[path.name].startswith(f"it is torn: {length} bytes")
        assert len(shards.window(0)) == 0
    path.write_bytes(whole)
    shards.refresh()
    assert shards.rejected == []
    assert len(shards.window(0)) == 40


def test_a_flipped_bit_is_found(tmp_path):
    (path,) = filled(tmp_path, [40]).shards
    whole = path.read_bytes()
    text = len(whole[:HEAD].rstrip())
    for place in range(0, text, 3):
        path.write_bytes(flipped(whole, place))
        assert len(opened(tmp_path).rejected) == 1
    for place in (HEAD, HEAD + 100, len(whole) - 1):
        path.write_bytes(flipped(whole, place))
        assert opened(tmp_path).rejected == []
        shards = opened(tmp_path, verify=True)
        assert "checksum" in reasons(shards)[path.name]
        shards.refresh()
        assert "checksum" in reasons(shards)[path.name]
        assert len(shards.window(0)) == 0


def flipped(content, place):
    return content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :]


def test_foreign_shards_are_left_out(tmp_path):
    random = np.random.default_rng(1)
    about = ABOUT | {"game": "python_hokm"}
    hokm = opened(tmp_path, about=about).append(some_rows(0, 5), 1, random)
    newer = opened(tmp_path, about=ABOUT | {"encoding": 2}).append(some_rows(0, 5), 1, random)
    other = np.dtype([("number", "u8"), ("noise", "u1", (6,))])
    wider = opened(tmp_path, dtype=other).append(np.zeros(5, other), 1, random)
    future = hokm.with_name("i0001-future.rows")
    future.write_bytes(hokm.read_bytes().replace(b"rows 1 ", b"rows 2 ", 1))
    note = hokm.with_name("i0001-note.rows")
    note.write_text("hello")
    shards = opened(tmp_path)
    shards.append(some_rows(0, 3), 1, random)
    assert reasons(shards) == {
        hokm.name: "its game is 'python_hokm', not 'python_hearts'",
        newer.name: "its encoding is 2, not 1",
        wider.name: "its rows have another format",
        future.name: "it is of version 2, not 1",
        note.name: "it is not a shard",
    }
    assert len(shards.window(0)) == 3
    with pytest.raises(ValueError, match="another format"):
        shards.append(np.zeros(5, other), 1, random)


def test_a_name_makes_appending_repeatable(tmp_path):
    """Without one, equal rows are two shards."""
    for _ in range(2):
        shards = opened(tmp_path)
        shards.append(some_rows(0, 9), 3, np.random.default_rng(5), name="part-1")
    assert [path.name for path in shards.shards] == ["i0003-part-1.rows"]
    random = np.random.default_rng(5)
    assert shards.append(some_rows(0, 9), 3, random) != shards.append(some_rows(0, 9), 3, random)
    assert len(opened(tmp_path).window(0)) == 27


def test_a_writer_that_dies_leaves_no_shard(tmp_path, monkeypatch):
    shards = opened(tmp_path)
    monkeypatch.setattr("os.fsync", lambda _: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        shards.append(some_rows(0, 9), 3, np.random.default_rng(5))
    shards.refresh()
    assert (shards.shards, shards.rejected) == ({}, [])
    assert list(tmp_path.iterdir()) == []


def test_others_shards_are_seen_after_a_refresh(tmp_path):
    reader, writer = opened(tmp_path), filled(tmp_path, [5, 6, 7])
    assert len(reader.window(0)) == 0
    reader.refresh()
    assert len(reader.window(0)) == 18
    writer.forget(3)
    reader.refresh()
    assert set(drawn(reader.window(0), 100)) == set(range(11, 18))
    assert len(list(tmp_path.iterdir())) == 1


def test_a_forgotten_shard_takes_no_space(tmp_path):
    """A file that is still mapped would."""
    shards = filled(tmp_path, [50, 50])
    drawn(shards.window(1), 500)
    gone = next(iter(shards.shards))
    shards.forget(2)
    assert str(gone) not in "".join(mapped_files())


def mapped_files():
    for number in os.listdir("/proc/self/fd"):
        with suppress(FileNotFoundError):
            yield os.readlink(f"/proc/self/fd/{number}")


WRITER = """
import sys
from pathlib import Path
import numpy as np
from tests.solvers.deep_cfr.test_shards import opened, some_rows
folder, worker = Path(sys.argv[1]), int(sys.argv[2])
shards, random = opened(folder), np.random.default_rng(worker)
print("ready", flush=True)
sys.stdin.readline()
for k in range(30):
    shards.append(some_rows(1000 * worker + 10 * k, 10), k, random)
"""


def test_processes_append_at_the_same_time(tmp_path):
    writers = []
    for worker in (0, 1):
        command = [sys.executable, "-c", WRITER, str(tmp_path), str(worker)]
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        writers.append(subprocess.Popen(command, **pipes))
    for writer in writers:
        assert writer.stdout.readline() == b"ready\n"
    shards = opened(tmp_path)
    for writer in writers:
        writer.stdin.write(b"go\n")
        writer.stdin.flush()
    while any(writer.poll() is None for writer in writers):
        shards.refresh()
        assert shards.rejected == []
    assert [writer.returncode for writer in writers] == [0, 0]
    for writer in writers:
        writer.communicate()
    shards.refresh()
    assert sorted(contents(shards)) == [*range(300), *range(1000, 1300)]


def test_merging_twice_is_merging_once(tmp_path):
    """A shard that both have is not doubled, and of two with one name both stay."""
    here, there = filled(tmp_path / "here", [5]), filled(tmp_path / "there", [5, 6])
    for shards, first in ((here, 100), (there, 200)):
        shards.append(some_rows(first, 4), 9, np.random.default_rng(1), name="part-1")
    both = [*range(11), *range(100, 104), *range(200, 204)]
    assert len(here.merge(there)) == 2
    assert here.merge(there) == []
    assert sorted(contents(here)) == both
    again = opened(tmp_path / "here", verify=True)
    assert (sorted(contents(again)), again.rejected) == (both, [])
    assert again.merge(opened(tmp_path / "there")) == []


def test_merging_leaves_damaged_shards_where_they_are(tmp_path):
    here, there = opened(tmp_path / "here"), filled(tmp_path / "there", [5, 6])
    damaged, good = there.shards
    damaged.write_bytes(flipped(damaged.read_bytes(), HEAD + 7))
    assert [path.name for path in here.merge(there)] == [good.name]
    assert "checksum" in reasons(there)[damaged.name]
    assert os.listdir(here.folder) == [good.name]


def test_merging_mends_a_torn_shard(tmp_path):
    filled(tmp_path / "here", [5])
    shutil.copytree(tmp_path / "here", tmp_path / "there")
    (path,) = (tmp_path / "here").iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    here = opened(tmp_path / "here")
    assert len(here.rejected) == 1
    here.merge(opened(tmp_path / "there"))
    assert (here.rejected, len(here.window(0))) == ([], 5)


def command(*flags):
    return commands.run("solvers.deep_cfr.shards", *flags)


def test_the_command_lists_verifies_and_merges(tmp_path):
    here, there = filled(tmp_path / "here", [5, 1000]), filled(tmp_path / "there", [5, 7, 8])
    damaged = sorted(here.shards)[0]
    damaged.write_bytes(flipped(damaged.read_bytes(), HEAD))
    done = command(f"--folder={here.folder}", f"--merge={there.folder}", "--verify")
    assert done.returncode == 0, done.stderr
    copied, _, listed = done.stdout.partition(f"{here.folder}: ")
    assert "copied 3 shards" in copied
    assert "left out" not in listed
    size = f"{HEAD + 1000 * ROW.itemsize + HEAD + 7 * ROW.itemsize:,}"
    assert ["2", "2", "1,007", size] in [line.split() for line in listed.splitlines()]
    assert sorted(contents(opened(here.folder, verify=True)))[:3] == [0, 1, 2]


@pytest.mark.parametrize(
    "flags, why",
    [
        ([], "--folder must name a folder of shards"),
        (["--folder={}/empty"], "{}/empty has no shards that can be read"),
        (["--folder={}/missing"], "{}/missing is not a folder"),
        (["--folder={}", "--merge={}/missing"], "{}/missing is not a folder"),
    ],
)
def test_the_command_refuses_in_one_sentence(tmp_path, flags, why):
    (tmp_path / "empty").mkdir()
    done = command(*(flag.format(tmp_path) for flag in flags))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == why.format(tmp_path) + "\n"
