"""The tour shows every game and leaves a complete report; its numbers are made up here, but for one
slow test that runs the script itself."""

import csv
import json
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

from analysis.benchmark import FACE_MEASURES, MEASURES
from analysis.workloads import PEERS
from experiments import tour
from spielgames.core.game import GAMES

ROOT = Path(__file__).parent.parent


def made_up(games):
    speeds = dict.fromkeys([*MEASURES, *FACE_MEASURES], 2e6)
    return {
        "machine": {"cpu": "abacus", "cores": 1},
        "games": dict.fromkeys(games, speeds),
        "peers": {name: dict.fromkeys(FACE_MEASURES, 1e6) for name in PEERS},
        "ratios": {name: dict.fromkeys(FACE_MEASURES, 2.0) for name in games},
        "import_s": dict.fromkeys(["pyspiel", "warm", "warm_first_use", "cold"], 0.5),
    }


@pytest.fixture
def toured(tmp_path, monkeypatch):
    monkeypatch.setattr(tour, "measure", lambda games, *_: made_up(games))
    return tour.tour(tmp_path / "work", list(GAMES), 0.01, 1)


def test_everything_is_written(toured, tmp_path):
    work = tmp_path / "work"
    figures = [work / "figures" / f"speeds.{kind}" for kind in ("pdf", "png", "csv")]
    assert toured == [work / "report.md", work / "benchmark.json", *figures]
    assert sorted(p for p in work.rglob("*") if p.is_file()) == sorted(toured)
    assert json.loads(toured[1].read_text()) == made_up(GAMES)


def test_the_report_links_the_figure_and_tells_every_deal(toured):
    words = toured[0].read_text(encoding="utf-8")
    assert "](figures/speeds.png)" in words
    assert all(f"{game.title} ({game.name}): decision" in words for game in GAMES.values())
    assert words.count("result: seat 0 ") == len(GAMES)
    assert "abacus" in words


def test_the_numbers_beside_the_figure_are_those_in_it(toured):
    with toured[-1].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0].keys() == {"game", "how", "decisions_per_s"}
    assert len(rows) == 3 * len(GAMES) + len(PEERS)
    assert {row["game"] for row in rows[-len(PEERS) :]} == {f"C++ {name}" for name in PEERS}
    assert {float(row["decisions_per_s"]) for row in rows[: -len(PEERS)]} == {2e6}


def test_the_figure_has_a_bar_and_a_label_for_every_number():
    bars = tour.bars_of(made_up(GAMES))
    axes = tour.draw_speeds(bars).axes[0]
    assert sorted(bar.get_width() for bar in axes.patches) == sorted(
        b.decisions_per_s for b in bars
    )
    assert len({bar.get_y() for bar in axes.patches}) == len(bars)
    assert len(axes.texts) == len(bars)
    assert axes.get_xlabel()
    assert len(axes.get_yticklabels()) == len(GAMES) + len(PEERS)


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_told_the_same_way_each_time(name):
    assert tour.deal_story(GAMES[name]) == tour.deal_story(GAMES[name])


@pytest.mark.parametrize("name", GAMES)
def test_a_deal_is_played_to_its_end_by_its_moments(name):
    moments, end = tour.play_deal(pyspiel.load_game(name), 3)
    assert end.is_terminal()
    assert all(m.action in m.state.legal_actions() for m in moments)
    seen = tour.seat_view(moments[0])
    assert f"seat: {moments[0].state.current_player()}" in seen
    assert "hands:" not in seen  # those of all seats


@pytest.mark.parametrize(
    ("option", "reason"),
    [
        ("--quick=perhaps", "flag --quick=perhaps: "),
        ("--workdir=", "it is a folder"),
        ("--workdir=README", "it is a folder"),
        ("--fast", "Unknown command line flag 'fast'"),
    ],
)
def test_a_bad_flag_is_one_sentence_and_exit_code_2(option, reason, tmp_path):
    (tmp_path / "README").write_text("a file")
    done = start(tmp_path, option)
    assert done.returncode == 2
    assert reason in done.stderr
    assert done.stderr.count("\n") == 1


def start(folder, *options):
    command = [sys.executable, str(ROOT / "experiments" / "tour.py"), *options]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


@pytest.mark.slow
def test_the_script_runs_and_names_what_it_wrote(tmp_path):
    done = start(tmp_path, "--workdir=here", "--quick")
    assert done.returncode == 0, done.stderr
    assert all(f"here/{name}" in done.stdout for name in ("report.md", "figures/speeds.pdf"))
    assert "python -m analysis.benchmark" in done.stdout
    assert (tmp_path / "here" / "figures" / "speeds.png").exists()
