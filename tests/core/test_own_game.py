"""A game of another package: the template of `python -m spielgames.new`."""

import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from scipy import stats

TEMPLATE = Path(__file__).parents[2] / "spielgames/new/template"
POINT = "s.tricks[seat] - s.hand / PLAYERS"  # what a rule says; tests edit it
SMALL = "python_whist(suits=2,ranks=3,hand=2)"

PLAY = f"""
import whist
from spielgames import Batch
batch = Batch("{SMALL}", 50, seed=1)
while batch.running():
    batch.step(batch.legal_mask().argmax(1))
print(sorted(set(batch.returns().ravel().tolist())))
"""


def play(package: Path, **environment: str) -> str:
    """The utilities that occur in some deals, in a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", PLAY],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(package.parent), **environment},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def machine_code(folder: Path) -> dict[str, int]:
    """When each file of machine code was written."""
    return {path.name: path.stat().st_ino for path in folder.rglob("*.machine-code")}


@pytest.fixture
def package(tmp_path):
    """A copy of the package that may be edited; Python keeps no bytecode of it."""
    return Path(shutil.copytree(TEMPLATE / "whist", tmp_path / "code" / "whist"))


@pytest.mark.parametrize("place", ["NUMBA_CACHE_DIR", "XDG_CACHE_HOME"])
def test_an_edited_game_plays_its_new_rules(package, tmp_path, place):
    where = {place: str(tmp_path / "kept"), "PYTHONDONTWRITEBYTECODE": "1"}
    where |= {"NUMBA_CACHE_DIR": ""} if place != "NUMBA_CACHE_DIR" else {}
    assert play(package, **where) == "[-1.0, 0.0, 1.0]"
    kept = machine_code(tmp_path / "kept")
    rules = package / "rules.py"
    text = rules.read_text()
    rules.write_text(text.replace('"""Each seat gets', '"""To each seat go'))
    assert play(package, **where) == "[-1.0, 0.0, 1.0]"
    assert machine_code(tmp_path / "kept") == kept != {}  # a docstring is no rule
    rules.write_text(text.replace(POINT, f"5 * ({POINT})"))
    assert play(package, **where) == "[-5.0, 0.0, 5.0]"


def test_machine_code_goes_to_a_temporary_folder_of_the_users_where_no_home_can_be_written(
    package, tmp_path
):
    """A file stands where each other folder would be."""
    (tmp_path / "file").write_text("")
    (tmp_path / "tmp").mkdir()
    names = ("NUMBA_CACHE_DIR", "XDG_CACHE_HOME", "HOME")
    where = dict.fromkeys(names, str(tmp_path / "file" / "x")) | {"TMPDIR": str(tmp_path / "tmp")}
    assert play(package, **where) == "[-1.0, 0.0, 1.0]"
    (folder,) = (tmp_path / "tmp").glob("spielgames-*")
    assert machine_code(folder)
    assert folder.stat().st_mode & 0o077 == 0
    folder.chmod(0o777)  # anybody might have put machine code there: it is not used
    kept = machine_code(folder)
    text = (package / "rules.py").read_text()
    (package / "rules.py").write_text(text.replace(POINT, f"2 * ({POINT})"))
    assert play(package, **where) == "[-2.0, 0.0, 2.0]"
    assert machine_code(folder) == kept


WRONG_PAST = """

from spielgames.core.hidden_cards import dealt_as_held


def retrace(s: State, seat: int, w: State, luck: np.uint64) -> None:
    dealt_as_held(s, w)
    w.dealt[STOCK] = w.dealt[0]
"""
ASK = f"""
import whist
from spielgames import Batch
from spielgames.core import worlds
worlds.MAX_TRIES = 3
batch = Batch("{SMALL}", 20, seed=1)
for _ in range(2):
    batch.step(batch.legal_mask().argmax(1))
batch.worlds(0)
"""


def test_a_past_that_cannot_be_is_an_error_and_no_crash(package):
    """Uncompiled, as compiled code does not notice when it writes beyond an array."""
    rules = package / "rules.py"
    rules.write_text(rules.read_text() + WRONG_PAST)
    done = subprocess.run(
        [sys.executable, "-c", ASK],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, "PYTHONPATH": str(package.parent), "NUMBA_DISABLE_JIT": "1"},
    )
    assert done.returncode == 1
    assert "RuntimeError: no consistent world found for game 0" in done.stderr


def test_worlds_share_out_a_pile_that_nobody_sees(monkeypatch):
    monkeypatch.syspath_prepend(TEMPLATE)
    import whist  # noqa: F401

    from spielgames import Batch

    batch = Batch(SMALL, 1, seed=3)
    stocks = batch.worlds(0, 6_000, seed=1).states["dealt"][:, 2]
    seen = Counter(stocks.tolist())
    assert len(seen) == 6  # two of the four cards that seat 0 does not hold
    assert stats.chisquare(list(seen.values())).pvalue > 1e-3
    while batch.running():
        worlds = batch.worlds(count=3, seed=2)
        view = np.repeat(batch.infostate(batch.actors()), 3, 0)
        np.testing.assert_array_equal(worlds.infostate(np.repeat(batch.actors(), 3)), view)
        batch.step(batch.legal_mask().argmax(1))
