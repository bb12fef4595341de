"""The figure of the all-pass findings, and the numbers in it."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import save_figure
from analysis.figures.palette import COLOURS

COLUMNS = ("panel", "series", "x", "y", "low", "high")
BIDS, GAINS, FULL, LEARNING = "a", "b", "c", "d"
SHORT = {
    "suits=1,ranks=4,levels=1,capot=false": "1×4 cards",
    "suits=1,ranks=4,capot=false": "1×4 cards, 3 levels",
    "suits=2,ranks=2,levels=1,capot=false": "2×2 cards",
    "suits=1,ranks=8,levels=1,capot=false,doubling=false,belote=true": "1×8 cards, belote",
    "suits=2,ranks=4,levels=1,capot=false,doubling=false": "2×4 cards",
}


class Point(NamedTuple):
    panel: str
    series: str
    x: float | str
    y: float
    low: float | None = None
    high: float | None = None


def save_findings_figure(results: dict[str, Any], stem: Path) -> list[Path]:
    points = [*penalty_points(results), *full_points(results), *learning_points(results)]
    return save_figure(draw(points), stem, COLUMNS, points)


def penalty_points(results: dict[str, Any]) -> Iterator[Point]:
    for row in results["penalties"]:
        series = f"{SHORT[row['variant']]}, {row['reward']}"
        yield Point(BIDS, series, row["penalty"], row["bids"])
        yield Point(GAINS, f"{series}: skilled", row["penalty"], row["skilled"])
        yield Point(GAINS, f"{series}: against all", row["penalty"], row["against_all"])


def full_points(results: dict[str, Any]) -> Iterator[Point]:
    """Gains by scene and seat; `forced` needs no deals."""
    yield Point(FULL, "0", "forced wins alone", results["full"]["forced"]["gain"])
    for row in results["full"]["bidding"]:
        if row["reward"] == "mirror":
            yield Point(FULL, row["seat"], row["scene"], row["gain"], row["low"], row["high"])


def learning_points(results: dict[str, Any]) -> Iterator[Point]:
    """Means over seeds, with the lowest and the highest."""
    groups: dict[tuple[str, int], list[float]] = {}
    last = results["learning"][-1]["variant"]
    for row in results["learning"]:
        if row["variant"] == last:
            groups.setdefault((row["learner"], row["iterations"]), []).append(row["all_pass"])
    for (learner, iterations), rates in groups.items():
        yield Point(LEARNING, learner, iterations, float(np.mean(rates)), min(rates), max(rates))


def draw(points: list[Point]) -> Figure:
    figure = Figure(figsize=(10, 7.5), layout="constrained")
    (bids, gains), (full, learning) = figure.subplots(2, 2)
    draw_lines(bids, points, BIDS)
    bids.set(title="(a) how often seat 0 bids in equilibrium (CFR+)", ylim=(0, 1.05))
    draw_lines(gains, points, GAINS)
    gains.set(title="(b) what seat 0 gains by leaving all-pass", ylim=(0, None))
    for axes in (bids, gains):
        axes.set_xscale("symlog", linthresh=10)
        axes.set_xlim(0, None)
        axes.set_xlabel("penalty of a failed contract", fontsize=8)
    draw_full(full, points)
    full.set_title("(c) the full game: points per deal gained over all-pass", fontsize=9)
    draw_lines(learning, points, LEARNING)
    learning.set(title="(d) tabular learners: how often nobody bids", xscale="log", ylim=(0, None))
    learning.set_xlabel("iterations", fontsize=8)
    for axes in (bids, gains, full, learning):
        axes.title.set_fontsize(9)
        axes.tick_params(labelsize=8)
        axes.spines[["top", "right"]].set_visible(False)
        axes.legend(fontsize=7, frameon=False)
    return figure


def draw_lines(axes: Axes, points: list[Point], panel: str) -> None:
    """Draw lines: those of one colour belong to one case, and the second is dashed."""
    shown = [p for p in points if p.panel == panel]
    names = list(dict.fromkeys(p.series for p in shown))
    cases = list(dict.fromkeys(name.partition(":")[0] for name in names))
    for name in names:
        own = [p for p in shown if p.series == name]
        colour = COLOURS[cases.index(name.partition(":")[0])]
        line = "--" if name.endswith("against all") else "-"
        axes.plot([p.x for p in own], [p.y for p in own], line, color=colour, label=name)
        if own[0].low is not None:
            low, high = [p.low for p in own], [p.high for p in own]
            axes.fill_between([p.x for p in own], low, high, color=colour, alpha=0.15, linewidth=0)


def draw_full(axes: Axes, points: list[Point]) -> None:
    """Draw the scenes from the top down, a row of points each."""
    shown = [p for p in points if p.panel == FULL]
    scenes = list(dict.fromkeys(p.x for p in shown))
    seats = sorted({p.series for p in shown}, key=lambda seat: (len(seat), seat))
    for k, seat in enumerate(seats):
        own = [p for p in shown if p.series == seat]
        ys = [scenes.index(p.x) + 0.1 * (k - len(seats) / 2) for p in own]
        ends = [[p.y - (p.y if p.low is None else p.low) for p in own]]
        ends += [[(p.y if p.high is None else p.high) - p.y for p in own]]
        label = f"seats {seat.replace('+', ' and ')}" if "+" in seat else f"seat {seat}"
        marker = "s" if "+" in seat else "o"
        xs = [p.y for p in own]
        axes.errorbar(xs, ys, xerr=ends, fmt=marker, ms=3, color=COLOURS[k], label=label)
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(range(len(scenes)), scenes)
    axes.invert_yaxis()
