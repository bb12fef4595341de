"""The figure of the benchmark has a bar for every number; the numbers here are made up."""

import csv

from analysis.speed import figure as speed_figure
from analysis.speed.games import FACE_MEASURES, MEASURES
from analysis.speed.workloads import PEERS
from spielgames.core.game import GAMES

RESULTS = {
    "games": dict.fromkeys(GAMES, dict.fromkeys([*MEASURES, *FACE_MEASURES], 2e6)),
    "peers": {name: dict.fromkeys(FACE_MEASURES, 1e6) for name in PEERS},
}


def test_the_numbers_beside_the_figure_are_those_in_it(tmp_path):
    files = speed_figure.save_speed_figure(RESULTS, tmp_path / "speeds")
    assert [path.name for path in files] == ["speeds.pdf", "speeds.png", "speeds.csv"]
    with files[-1].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0].keys() == {"game", "how", "decisions_per_s"}
    assert len(rows) == 3 * len(GAMES) + len(PEERS)
    assert {row["game"] for row in rows[-len(PEERS) :]} == {f"C++ {name}" for name in PEERS}
    assert {float(row["decisions_per_s"]) for row in rows[: -len(PEERS)]} == {2e6}


def test_the_figure_has_a_bar_and_a_label_for_every_number():
    bars = speed_figure.bars_of(RESULTS)
    axes = speed_figure.draw_speeds(bars).axes[0]
    assert sorted(bar.get_width() for bar in axes.patches) == sorted(
        b.decisions_per_s for b in bars
    )
    assert len({bar.get_y() for bar in axes.patches}) == len(bars)
    assert len(axes.texts) == len(bars)
    assert axes.get_xlabel()
    assert len(axes.get_yticklabels()) == len(GAMES) + len(PEERS)
