"""What all scripts of experiments have in common."""

import subprocess
import sys
from pathlib import Path

import pytest

from experiments.common.generations import more_help
from experiments.hearts_deepcfr import STUDY

WORKDIRS = {"coinche_ppo": "coinche_ppo", "hearts_deepcfr": "hearts", "leduc_reproduction": "leduc"}
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("script", "flags"),
    [
        ("coinche_ppo", ("--config", "--workdir", "--only")),
        ("hearts_deepcfr", ("--config", "--workdir")),
        ("leduc_reproduction", ("--config", "--workdir")),
    ],
)
def test_help_lists_the_flags(script, flags):
    command = [sys.executable, str(ROOT / "experiments" / f"{script}.py"), "--help"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0
    assert all(f"\n  {flag}:" in done.stdout for flag in flags)
    assert f".py --workdir=runs/{WORKDIRS[script]} \\\n" in done.stdout
    assert "| `quick` |" in " ".join(done.stdout.split())  # the variants and their times


def test_help_tells_what_generations_do():
    told = more_help(STUDY)()
    assert "The work folder is an agent" in told
    assert "| `cpu`   | two hours, one core  |" in told
