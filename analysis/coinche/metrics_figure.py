"""The Coinche paper's figures 2 to 4: the metrics of a team as it learns, one line per curve."""

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import line_style, save_figure
from analysis.tournament.ratios import COVERED

WIDE = 5  # panels in a row
LINE, MARGIN = 180, 8  # characters in a line of the legend, and beside a name
APART = 0.12  # between curves, where places on the axis have names; they are 1 apart
Point = Mapping[str, float]  # the metrics at some time, and under `along` when that was
Curves = Mapping[str, Sequence[Point]]
Style = dict[str, Any]


class MetricPanel(NamedTuple):
    """A metric, and its values for human players in appendix C."""

    title: str
    human: str = ""
    levels: tuple[float, ...] = ()  # drawn as thin lines
    is_rate: bool = False


PANELS = {
    "attacking_rate": MetricPanel("attacking rate", "about 40 %", (0.4,), is_rate=True),
    "attacker_reward": MetricPanel("reward as attacker", "above 0", (0,)),
    "defender_reward": MetricPanel("reward as defender", "above 0", (0,)),
    "reward": MetricPanel("reward"),
    "attacker_success": MetricPanel("success as attacker", is_rate=True),
    "defender_success": MetricPanel("success as defender", is_rate=True),
    "bid_precision": MetricPanel("bid precision, points", "about 10", (10,)),
    "contract_value": MetricPanel("contract value, points", "100 to 120", (100, 120)),
    "capot_rate": MetricPanel("capots per contract", "rare", is_rate=True),
    "table_turns": MetricPanel("episode length, table turns", "about 10", (10,)),
    "calls_and_cards": MetricPanel("episode length, calls and cards"),
    "coinche_rate": MetricPanel("coinches per contract of the others", is_rate=True),
    "defending_rate": MetricPanel("defending rate", is_rate=True),
    "all_pass_rate": MetricPanel("all pass", is_rate=True),
}
APPENDIX_C = tuple(PANELS)[:10]


def save_metrics_figure(
    curves: Curves, stem: Path, along: str = "iterations", metrics: Sequence[str] = APPENDIX_C
) -> list[Path]:
    """Save PDF, PNG and CSV. A point is a result of `measure_team` with its place on the axis
    `along` added: a number, or a name if the points have no order (all curves then have the same
    names).
    """
    columns = ("curve", along, "metric", "mean", "low", "high", "cases")
    figure = draw(curves, along, metrics)
    return save_figure(figure, stem, columns, rows(curves, along, metrics))


def rows(curves: Curves, along: str, metrics: Sequence[str]) -> Iterator[tuple]:
    for name, points in curves.items():
        for point in points:
            for metric in metrics:
                mean, reach = point[metric], COVERED * point[f"{metric}_error"]
                cases = round(point[f"{metric}_cases"])
                yield name, point[along], metric, mean, mean - reach, mean + reach, cases


def draw(curves: Curves, along: str, metrics: Sequence[str]) -> Figure:
    high = math.ceil(len(metrics) / WIDE)
    figure = Figure(figsize=(14, 0.9 + 2.5 * high), layout="constrained")
    panels = figure.subplots(high, min(WIDE, len(metrics)), squeeze=False, sharex=True).flatten()
    for axes, metric in zip(panels, metrics, strict=False):
        draw_panel(axes, curves, along, metric)
    for axes in panels[len(metrics) :]:
        axes.set_axis_off()
    for axes in panels[max(0, len(metrics) - WIDE) : len(metrics)]:
        axes.tick_params(labelbottom=True)  # the lowest of each column
    handles, names = panels[0].get_legend_handles_labels()
    figure.legend(
        handles, names, loc="outside upper center", ncols=ncols(names), frameon=False, fontsize=9
    )
    figure.supxlabel(along, fontsize=10)
    return figure


def ncols(names: Sequence[str]) -> int:
    """The legend's columns: as many as fit in a line of text."""
    return max(1, min(6, LINE // (MARGIN + max(map(len, names), default=0))))


def draw_panel(axes: Axes, curves: Curves, along: str, metric: str) -> None:
    panel = PANELS[metric]
    for level in panel.levels:
        axes.axhline(level, color="black", lw=0.7, ls=":")
    for i, (name, points) in enumerate(curves.items()):
        if not points:
            continue  # its colour stays free
        x = [point[along] for point in points]
        mean, error = np.array([(point[metric], point[f"{metric}_error"]) for point in points]).T
        style = line_style(i) | {"ms": 4, "label": name}
        if isinstance(x[0], str):
            draw_points(axes, x, mean, COVERED * error, APART * (i - (len(curves) - 1) / 2), style)
        else:
            draw_line(axes, x, mean, COVERED * error, style)
    human = f"\nhuman: {panel.human}" if panel.human else ""
    axes.set_title(panel.title + human, fontsize=8)
    if panel.is_rate:
        axes.set_ylim(-0.03, 1.03)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)


def draw_line(axes: Axes, x: list, mean: np.ndarray, reach: np.ndarray, style: Style) -> None:
    """A line in its band."""
    axes.plot(x, mean, lw=1.2, markevery=max(1, len(x) // 8), **style)
    axes.fill_between(x, mean - reach, mean + reach, color=style["color"], alpha=0.2, lw=0)


def draw_points(
    axes: Axes, x: list, mean: np.ndarray, reach: np.ndarray, shift: float, style: Style
) -> None:
    """Points with their intervals, beside those of other curves."""
    points = style | {"linestyle": "none"}
    axes.errorbar(np.arange(len(x)) + shift, mean, reach, capsize=2, **points)
    axes.set_xticks(range(len(x)), x)
