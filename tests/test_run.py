"""`python -m spielgames.run`: OpenSpiel's own scripts, with our games."""

import subprocess
import sys


def run(*arguments: str) -> subprocess.CompletedProcess:
    command = [sys.executable, "-m", "spielgames.run", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


def test_an_openspiel_script_plays_our_game():
    game = "python_snapszer(suits=2,ranks=3,hand=2)"
    done = run("open_spiel.python.examples.example", f"--game_string={game}")
    assert done.returncode == 0
    assert "python_snapszer" in done.stdout


def test_without_a_script_it_explains_itself():
    assert "open_spiel.python.examples" in run("--help").stdout
    assert run().returncode == 2


def test_an_unknown_script_is_an_error():
    done = run("open_spiel.python.examples.nothing")
    assert done.returncode == 2
    assert "there is no module 'open_spiel.python.examples.nothing'" in done.stderr
