"""A new game's package: what is written passes its own tests and the linters, at 2, 3 and 6 seats.

Everything runs uncompiled, in processes of its own: machine code of three games would take longer.
"""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from spielgames.new.package import check_name, write_package
from tests.commands import run

ROOT = Path(__file__).parents[2]
SEATS = (2, 3, 6)
QUICK = "(suits or worked)"  # on the small variants
LONG = "(look_the_same or rejected)"


@pytest.fixture(scope="module")
def packages(tmp_path_factory):
    """Games with names of all lengths, and 2, 3 and 6 seats."""
    folder = tmp_path_factory.mktemp("games")
    for name, players in zip(("go", "oh_hell", "a_game_of_many_cards"), SEATS, strict=True):
        write_package(name, folder / name, players)
    return folder


def python(folder, *options, **environment):
    places = [str(ROOT), *map(str, folder.iterdir())]
    return subprocess.run(
        [sys.executable, "-W", "ignore", *options],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(places)} | environment,
        capture_output=True,
        text=True,
        timeout=1800,
    )


def test_its_own_tests_pass(packages):
    how = (
        "-m",
        "pytest",
        "-q",
        "-n",
        "0",
        "-p",
        "no:cacheprovider",
        "-k",
        f"{QUICK} and not {LONG}",
    )
    done = python(packages, *how, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout


@pytest.mark.slow
def test_all_of_them_pass_compiled(packages):
    done = python(packages, "-m", "pytest", "-q", "-n", "0", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout


def test_it_passes_the_linter(packages):
    for folder in packages.iterdir():
        for command in (["check"], ["format", "--check"]):
            done = python(folder, "-m", "ruff", *command, "--no-cache", ".")
            assert done.returncode == 0, done.stdout


TABLES = """
import importlib
import sys
import numpy as np
import pyspiel
from solvers.search.presets import search
from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core.registry import find
from spielgames.play.rulebook import read_rules
from spielgames.play.screen import View, draw_screen, list_moves
from spielgames.play.trick_log import Chronicle
from spielgames.web.lobby import about, open_table
from spielgames.web.view import see_position

for module, seats, hand in (("go", 2, 2), ("oh_hell", 3, 2), ("a_game_of_many_cards", 6, 1)):
    importlib.import_module(module)
    name = f"python_{module}(suits=2,ranks=3,hand={hand})"
    game, _ = find(name)
    assert game.players == seats
    agents = [make_agent(spec, name) for spec in ("rules", "random")]
    lineups = pair_lineups(game)
    assert len(lineups) == {2: 2, 3: 6, 6: 20}[seats]
    assert (lineups == 0).sum() == (lineups == 1).sum()  # each of the two has every place equally
    utilities = play_deals(agents, lineups, deals=2, seed=1)
    np.testing.assert_allclose(utilities.sum(axis=2), 0, atol=1e-9)
    batch = Batch(name, 1, seed=1)
    for _ in range(seats - 1):
        batch.step(batch.legal_mask().argmax(1))
    state = pyspiel.load_game(name).state_of(batch.states)
    me = state.current_player()
    view = View(state.get_game(), state.row, [f"P{seat}" for seat in range(seats)], me)
    shown = draw_screen(view, 1, list_moves(view, state.legal_actions()))
    assert all(f"P{seat}" in shown for seat in range(seats) if seat != me), shown
    assert shown.count("seat ") >= seats - 1 and "led" in shown
    assert "Follow suit" in read_rules(game.name)["text"]
    assert search(name, "fast").game is game
    assert "search" in [agent["id"] for agent in about(game)["agents"]]
    seen = see_position(state, Chronicle(game, me))
    assert [len(seen["seats"]), len(seen["trick"]["cards"])] == [seats, seats - 1]
"""


def test_tables_tournaments_and_opponents_take_any_number_of_seats(packages):
    done = python(packages, "-c", TABLES, NUMBA_DISABLE_JIT="1")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("", "'' cannot be a game's name: write a lower-case letter, then up to 19 letters"),
        ("Skat", "'Skat' cannot be a game's name"),
        ("../skat", "cannot be a game's name"),
        ("class", "'class' cannot be a game's name"),
        ("a" * 21, "cannot be a game's name"),
        ("hearts", "there is a game hearts already; choose another name"),
        ("numpy", "there is a Python module numpy already; choose another name"),
        ("random", "there is a Python module random already"),
        ("tests", "there is a Python module tests already"),
    ],
)
def test_a_name_that_is_none_or_taken_is_refused(name, said):
    with pytest.raises(ValueError, match=said):
        check_name(name)


def test_the_command_writes_a_package_once(tmp_path):
    done = run("spielgames.new", "skat", "--players=3", f"--into={tmp_path}")
    assert (done.returncode, done.stderr) == (0, "")
    assert "skat/skat/rules.py" in done.stdout
    assert "\nPLAYERS = 3\n" in (tmp_path / "skat/skat/rules.py").read_text()
    assert not [path for path in tmp_path.rglob("*") if "whist" in path.name]
    again = run("spielgames.new", "skat", f"--into={tmp_path}")
    assert (again.returncode, again.stderr) == (
        2,
        f"{tmp_path}/skat exists already; choose another name or folder\n",
    )


def test_no_seat_and_more_than_six_are_refused():
    done = run("spielgames.new", "skat", "--players=7")
    assert (done.returncode, done.stdout) == (2, "")
    assert "[2, 6]" in done.stderr
