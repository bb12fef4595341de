"""The demo tells a deal of every game, solves and learns a small one, and goes on where it was
stopped; a slow test runs the script as `make demo` does."""

import csv

import pyspiel
import pytest

from experiments import demo
from experiments.reports.demo_figure import DemoPoint, draw_demo
from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.settings import Settings
from spielgames.core.game import GAMES
from tests.commands import run, run_fresh

SCRIPT = "experiments/demo.py"
TINY = demo.Tour(
    game="python_snapszer(suits=2,ranks=3,hand=2)",
    settings=Settings(traversals=50, fit=FitSettings(steps=50, batch=256)),
    solve=(1, 10, 100),
    learn=2,
)


def numbers(path):
    with path.open(newline="") as file:
        return [
            (r["curve"], int(r["iterations"]), float(r["nash_conv"])) for r in csv.DictReader(file)
        ]


@pytest.fixture(scope="module")
def shown(tmp_path_factory):
    """A small demo: its folder, and its files with what is in them."""
    workdir = tmp_path_factory.mktemp("demo")
    return workdir, {path: path.read_bytes() for path in demo.demo(workdir, TINY)}


def test_everything_is_drawn_and_its_numbers_written(shown):
    workdir, files = shown
    assert list(files) == [workdir / "figures" / f"demo.{kind}" for kind in ("pdf", "png", "csv")]
    rows = numbers(workdir / "figures" / "demo.csv")
    assert [row[:2] for row in rows] == [
        *(("solved", n) for n in TINY.solve),
        *(("learnt", n) for n in (0, 1, 2)),
        *(("random", 0), ("rules", 0)),
    ]


def test_the_game_is_solved_and_learnt(shown):
    workdir, _ = shown
    rows = numbers(workdir / "figures" / "demo.csv")
    value = {row[:2]: row[2] for row in rows}
    assert value["solved", 100] < 1e-3 * value["random", 0]
    assert value["learnt", 0] == value["random", 0]
    assert value["learnt", 2] < value["learnt", 1] < value["learnt", 0]


@pytest.mark.parametrize("noted", [True, False])
def test_a_stopped_demo_goes_on_to_the_same_figure(shown, tmp_path, noted):
    """It is stopped after an iteration, before or after that was noted."""
    workdir, files = shown
    demo.demo(tmp_path, TINY._replace(learn=1))
    if not noted:
        (tmp_path / "metrics.jsonl").write_text("")
    again = [path.read_bytes() for path in demo.demo(tmp_path, TINY)]
    assert again == list(files.values())


def test_the_demo_says_what_to_expect_before_it_starts(shown, capsys):
    workdir, _ = shown
    demo.demo(workdir, TINY)
    words = capsys.readouterr().out
    told = [words.index(f"{GAMES[name].title} ({name}): decision") for name in GAMES]
    solved, learnt = words.index("2  A small game solved"), words.index("3  The same game learnt")
    assert 0 == words.index("1  A deal of each game") < min(told)
    assert max(told) < solved < words.index("100 iterations") < learnt


def test_next_comes_the_table(shown):
    workdir, _ = shown
    commands = "\n".join(demo.follow_up(workdir, TINY.game))
    assert "python -m spielgames.play " in commands
    assert f"--seats=human,net:{workdir},strategy=average" in commands


def test_lines_are_told_apart_without_colours():
    points = [DemoPoint(c, n, 1 / (n + 1)) for c in ("solved", "learnt") for n in (1, 2, 3)]
    figure = draw_demo("a game", "points", points, {"random": 3.0, "rules": 2.0})
    lines = [line for axes in figure.axes for line in axes.get_lines()]
    looks = {line.get_label(): (line.get_linestyle(), line.get_marker()) for line in lines}
    assert len(set(looks.values())) == len(looks) == 4
    assert [text.get_text() for text in figure.legends[0].get_texts()] == list(looks)
    assert all("points" in axes.get_ylabel() and axes.get_xlabel() for axes in figure.axes)


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_told_the_same_way_each_time(name):
    story = demo.deal_story(GAMES[name])
    assert story == demo.deal_story(GAMES[name])
    assert "result: seat 0 " in story
    assert story.endswith(GAMES[name].unit)


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_played_to_its_end_by_its_moments(name):
    moments, end = demo.play_deal(pyspiel.load_game(name), 3)
    assert end.is_terminal()
    assert all(m.action in m.state.legal_actions() for m in moments)
    seen = demo.seat_view(moments[0])
    assert f"seat: {moments[0].state.current_player()}" in seen
    assert "hands:" not in seen  # those of all seats


@pytest.mark.parametrize(
    ("option", "reason"),
    [("--workdir=", "it is a folder"), ("--workdir=README", "it is a folder")],
)
def test_a_bad_flag_is_one_sentence_and_exit_code_2(option, reason, tmp_path):
    (tmp_path / "README").write_text("a file")
    done = run(SCRIPT, option, cwd=tmp_path)
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
def test_the_script_keeps_its_promises(tmp_path):
    done = run_fresh(SCRIPT, "--workdir=here", cwd=tmp_path, timeout=None)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith("The figure: here/figures/demo.png\n")
    value = {row[:2]: row[2] for row in numbers(tmp_path / "here" / "figures" / "demo.csv")}
    assert value["solved", 1000] < 1e-6
    assert value["learnt", 1] < value["rules", 0]
    assert value["learnt", 12] < value["rules", 0] / 5
