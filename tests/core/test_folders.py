"""A folder has one writer at a time; once its process has ended, the next one may write."""

import multiprocessing
import os
import signal
import subprocess
import sys

import pytest
from ml_collections import ConfigDict

from experiments.common.runs import Run
from solvers.runs.archive import Archive, Purpose
from spielgames.files import replacing
from spielgames.folders import LOCK, hold

PURPOSE = Purpose("python_hokm", "compact", ((0, 1, 2, 3),))
WRITERS = {
    "hold": hold,
    "Run": lambda folder: Run(folder, ConfigDict({"seed": 1})),
    "Archive": lambda folder: Archive(folder, PURPOSE),
}
HOLDS_ON = """
import os, sys, time
from pathlib import Path
from tests.core.test_folders import WRITERS
held = WRITERS[sys.argv[2]](Path(sys.argv[1]))
if sys.argv[3:]:
    if not (child := os.fork()):
        time.sleep(600)
    print(child, flush=True)
print("held", flush=True)
time.sleep(600)
"""


def start(folder, *how):
    command = [sys.executable, "-c", HOLDS_ON, str(folder), *how]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


@pytest.mark.parametrize("writer", WRITERS)
def test_a_second_process_is_refused_until_the_first_is_killed(tmp_path, writer):
    with start(tmp_path, writer) as process:
        assert process.stdout.readline() == "held\n"
        for second in WRITERS.values():
            with pytest.raises(ValueError, match=f"another process is writing to {tmp_path}; wait"):
                second(tmp_path)
        process.kill()
    assert WRITERS[writer](tmp_path)


def test_who_reads_need_not_wait(tmp_path):
    archive = Archive(tmp_path, PURPOSE)
    archive.write(archive.state._replace(iteration=3))
    del archive
    with start(tmp_path, "Archive") as process:
        assert process.stdout.readline() == "held\n"
        assert Archive(tmp_path).state.iteration == 3
        process.kill()


def test_a_forked_child_holds_nothing(tmp_path):
    """It may outlive the process that held the folder, as workers of a pool do."""
    with start(tmp_path, "hold", "and fork") as process:
        child = int(process.stdout.readline())
        process.stdout.readline()
        process.kill()
        process.wait()
        try:
            assert hold(tmp_path)
        finally:
            os.kill(child, signal.SIGKILL)


def test_one_process_may_hold_it_twice_and_lets_go_in_the_end(tmp_path):
    once, again = hold(tmp_path), hold(tmp_path)
    assert once is again
    del once
    assert refused_elsewhere(tmp_path)
    del again
    assert not refused_elsewhere(tmp_path)


def refused_elsewhere(folder):
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        return pool.apply(is_refused, (folder,))


def is_refused(folder):
    try:
        hold(folder)
    except ValueError:
        return True
    return False


def test_leftovers_of_killed_processes_are_swept_away(tmp_path):
    """Those in folders that others may hold are left alone."""
    held = tmp_path / "curves" / "one"
    hold(held)
    for folder in (tmp_path, tmp_path / "networks", held):
        folder.mkdir(exist_ok=True)
        (folder / ".4711-advantages-0-000003.safetensors").touch()
        (folder / ".hidden").touch()
        with replacing(folder / "kept") as partial:
            partial.touch()
            partial.with_name(partial.name + "s").touch()
    hold(tmp_path)
    for folder in (tmp_path, tmp_path / "networks"):
        names = {path.name for path in folder.iterdir() if path.is_file()}
        assert names - {LOCK} == {".hidden", "kept"}
    assert len([path for path in held.iterdir() if path.name != LOCK]) == 4


def test_partial_files_have_names_of_their_own(tmp_path):
    with replacing(tmp_path / "one") as first, replacing(tmp_path / "one") as second:
        assert first != second
        for partial in (first, second):
            partial.touch()
