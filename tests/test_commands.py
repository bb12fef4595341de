"""A command in a fork says what it says in a fresh interpreter, and ends as it does there."""

import os
import sys

import pytest
from absl import flags

from tests.commands import run, run_fresh


@pytest.fixture
def another_flag():
    """A flag of the commands' own, defined by some module that other tests import."""
    flags.DEFINE_integer("seed", 5, "of something else")
    yield
    delattr(flags.FLAGS, "seed")


@pytest.mark.parametrize("command", ["spielgames.play", "experiments/sheephead_thesis.py"])
def test_help_is_that_of_a_fresh_interpreter(command, another_flag):
    forked, fresh = run(command, "--help"), run_fresh(command, "--help")
    assert (forked.stdout, forked.stderr) == (fresh.stdout, fresh.stderr)
    assert (forked.returncode, fresh.returncode) == (0, 0)
    assert "--seed: " in forked.stdout


@pytest.mark.parametrize(
    ("line", "code", "said", "complaint"),
    [
        ("print(*sys.argv[1:], __name__)", 0, "a b __main__\n", ""),
        ("os.system('echo child; echo oh >&2')", 0, "child\n", "oh\n"),
        ("print(input())", 1, "", "EOFError: EOF when reading a line\n"),
        ("print('so far'); sys.exit(2)", 2, "so far\n", ""),
        ("sys.exit('a reason')", 1, "", "a reason\n"),
        ("raise ValueError('a reason')", 1, "", "ValueError: a reason\n"),
        ("warnings.warn('beware')", 0, "", "warnings.warn('beware')\n"),
        ("warnings.warn('in time', PendingDeprecationWarning)", 0, "", ""),
        ("print(os.getcwd() + os.sep)", 0, "{}/\n", ""),
        ("import beside; print(beside.FOUND)", 0, "here\n", ""),
        ("print('first', flush=True); time.sleep(100)", -9, "first\n", ""),
    ],
)
def test_what_is_said_and_the_exit_code(line, code, said, complaint, tmp_path):
    script = tmp_path / "script.py"
    script.write_text(f"import os, sys, time, warnings\n{line}\n")
    (tmp_path / "beside.py").write_text("FOUND = 'here'\n")
    before = os.getcwd(), sys.argv
    done = run(str(script), "a", "b", cwd=tmp_path, timeout=2)
    assert (done.returncode, done.stdout) == (code, said.format(tmp_path))
    assert done.stderr.endswith(complaint) and bool(done.stderr) == bool(complaint)
    assert (os.getcwd(), sys.argv) == before
