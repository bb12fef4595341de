"""The examples run, with less to do than by hand, and say what they should."""

import re
import runpy
from pathlib import Path

import pytest

pytestmark = pytest.mark.usefixtures("one_thread")

FOLDER = Path(__file__).parents[2] / "examples"
SCRIPTS = sorted(FOLDER.glob("*.py"))


@pytest.fixture
def run(capsys):
    """Run an example with some arguments; return what it prints."""

    def said(name, *arguments, **settings):
        runpy.run_path(str(FOLDER / f"{name}.py"))["main"](*arguments, **settings)
        return capsys.readouterr().out

    return said


@pytest.mark.parametrize("path", SCRIPTS, ids=[path.stem for path in SCRIPTS])
def test_a_script_is_short_and_says_how_to_start_it(path):
    text = path.read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert f"python examples/{path.name}" in text.split('"""')[1]


def test_a_game_in_openspiel(run):
    said = run("openspiel_game", deals=3)
    assert "hand: 2♣ 10♣ J♣" in said and "information state: 3697 flags" in said
    own, *others = map(float, re.findall(r"-?\d+\.\d", said.split("points per deal:")[1]))
    assert own > max(others)


def test_a_network_of_ones_own(run):
    said = run("own_network", iterations=2, deals=64)
    assert re.fullmatch(r"iteration 1: \S+ points per deal\niteration 2: \S+ .*\n", said)


def test_a_small_variant_is_solved(run):
    said = run("solve_small_variant", steps=(1, 300))
    rules, first, last, value = map(
        float, re.findall(r"(?<=[ :])-?\d[\d.e-]*(?=\n| game)", said)[1:]
    )
    assert last < 1e-5 < rules < first and value == -0.3556


def test_a_network_is_trained_and_plays(run, tmp_path):
    said = run("train_and_play", str(tmp_path / "run"), iterations=1, deals=64, judged=50)
    assert "against rules: -" in said and "\nseat 0: " in said
    assert said.endswith(f"--seats=human,net:{tmp_path / 'run'}\n")


def test_a_position_is_asked(run):
    said = run("ask_position", "pimc:worlds=20", rounds=2)
    assert "after 20 worlds" in said and "after 40 worlds" in said
    assert re.search(r"\d♦ is worth \d\.\d\d points more than \S+\n$", said)


def test_openspiels_dqn_learns(run):
    """Its interval is above 0, where random play is."""
    said = run("openspiel_dqn", stages=(200,), judged=200)
    mean, error = map(float, re.findall(r"\d\.\d\d", said))
    assert mean > error and said.startswith("200 deals: +")
