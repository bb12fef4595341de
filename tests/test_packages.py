"""Games of other packages: found by an entry point, wherever the package is imported first."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from spielgames import HEARTS
from spielgames.packages import import_games

ROOT = Path(__file__).parents[1]
TEMPLATE = ROOT / "spielgames/new/template"
FIRST = {"spielgames": "import spielgames", "the game": "import whist"}


@pytest.fixture
def installed(tmp_path):
    """A folder with the metadata that an installed package would have."""

    def install(module):
        folder = tmp_path / f"{module}-1.0.dist-info"
        folder.mkdir()
        (folder / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
        (folder / "entry_points.txt").write_text(f"[spielgames.games]\n{module} = {module}\n")
        return tmp_path

    return install


def python(*options, places):
    paths = os.pathsep.join([*map(str, places), str(ROOT)])
    return subprocess.run(
        [sys.executable, *options],
        env=os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=300,
    )


FOUND = """
import pyspiel
from spielgames import Batch
from spielgames.core.game import GAMES
assert list(GAMES).count("python_whist") == 1 and len(GAMES) == 6
assert pyspiel.load_game("python_whist").num_players() == 2
print(Batch("python_whist(suits=2,ranks=3,hand=2)", 1).playouts().sum())
"""


@pytest.mark.parametrize("first", FIRST)
def test_a_game_is_found(installed, first):
    done = python("-c", f"{FIRST[first]}{FOUND}", places=[TEMPLATE, installed("whist")])
    assert (done.returncode, done.stdout) == (0, "0.0\n"), done.stderr


def test_every_command_has_it(installed):
    places = [TEMPLATE, installed("whist")]
    how = ("--game=whist(suits=2,ranks=3,hand=2)", "--seats=rules,random", "--seed=1")
    done = python("-m", "spielgames.play", *how, places=places)
    assert done.returncode == 0, done.stderr
    assert "Whist" in done.stdout and "Tricks: seat 0 has" in done.stdout


def test_a_package_that_fails_is_left_out_with_a_warning(installed, tmp_path, monkeypatch):
    (tmp_path / "broken.py").write_text("raise RuntimeError('no such card')")
    monkeypatch.syspath_prepend(installed("broken"))
    said = "the games of broken are left out: RuntimeError: no such card"
    with pytest.warns(UserWarning, match=said):
        import_games()


def test_a_name_is_given_once():
    with pytest.raises(ValueError, match="there is a game python_hearts already; choose another"):
        replace(HEARTS)
