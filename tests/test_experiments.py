"""What all scripts of experiments have in common."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent


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
