"""The figures of `experiments/leduc_reproduction.py`."""

import math
from pathlib import Path
from statistics import mean

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import save_figure
from analysis.figures.palette import BLUE, GREY, ORANGE
from experiments.common.curves import legend
from experiments.common.runs import Metrics
from experiments.reports.convergence_figure import by_game
from experiments.reports.leduc_reproduction import (
    ANSWERS,
    DESCRIPTIONS,
    LEDUC,
    MARKERS,
    PUBLISHED,
    STYLES,
    UNITS,
    Points,
    Published,
    published_at,
    series,
    title,
    unit,
)

LEAST = (
    1e-5  # × the greatest value: lower ones are cut off, as a last iterate may be at 1e-9 by chance
)
COLUMNS = ("game", "method", "seed", "answer", "iteration", "nodes", "episodes", "seconds", "y")


def band(curves: dict[int, Points]) -> list[tuple[float, float, float, float]]:
    """Points of x, mean, least and greatest wherever all seeds have a value; between measurements,
    values are interpolated on logarithmic axes.
    """
    xs = sorted({x for points in curves.values() for x, _ in points})
    out = []
    for x in xs:
        values = [interpolated(points, x) for points in curves.values()]
        if all(value is not None for value in values):
            out.append((x, mean(values), min(values), max(values)))
    return out


def interpolated(points: Points, x: float) -> float | None:
    for (x0, y0), (x1, y1) in zip(points, points[1:], strict=False):
        if x0 <= x <= x1:
            share = math.log(x / x0) / math.log(x1 / x0) if x1 > x0 else 0.0
            return y0 + share * (y1 - y0)
    return points[0][1] if len(points) == 1 and points[0][0] == x else None


def save_learning_curves(metrics: list[Metrics], folder: Path) -> list[Path]:
    """Save PDF, PNG and CSV of each figure."""
    rows = [
        [*(m[column] for column in COLUMNS[:3]), answer, *(m[c] for c in COLUMNS[4:-1]), value]
        for m in metrics
        for answer, value in m["nash_conv"].items()
    ]
    figures = {along: draw_answers(metrics, along) for along in ("nodes", "seconds")}
    if any(published_at(m["game"], m["method"]) for m in metrics):
        figures["published"] = draw_published(metrics)
    return [
        path
        for name, figure in figures.items()
        for path in save_figure(figure, folder / name, COLUMNS, rows)
    ]


def draw_answers(metrics: list[Metrics], along: str) -> Figure:
    """Draw a row for each game, a column for each kind of answer."""
    games = by_game(metrics)
    answers = [a for a in ANSWERS if any(a in m["nash_conv"] for m in metrics)]
    size = 1 + 4.2 * len(answers), 1.4 + 3 * len(games)
    figure = Figure(figsize=size, layout="constrained")
    panels = figure.subplots(len(games), len(answers), squeeze=False, sharey="row")
    for row, (game, lines) in zip(panels, games.items(), strict=True):
        for axes, answer in zip(row, answers, strict=True):
            for method, style in STYLES.items():
                curves = series(lines, game, method, answer, along)
                label, mark = legend(method, DESCRIPTIONS), MARKERS[method]
                draw_band(axes, curves, label, style.colour, style.line, mark)
            axes.set_title(f"{title(game)}: {ANSWERS[answer]}", fontsize=8)
            arrange(axes, UNITS[along])
        row[0].set_ylabel(unit(game), fontsize=8)
        low, high = row[0].get_ylim()
        row[0].set_ylim(max(low, high * LEAST), high)
    add_legend(figure)
    return figure


def draw_published(metrics: list[Metrics]) -> Figure:
    """Draw a panel for each axis of the published curves, which are markers: full as printed,
    hollow as reproduced by others.
    """
    axes_of = dict.fromkeys(p.axis for p in PUBLISHED)
    figure = Figure(figsize=(14, 4.8), layout="constrained")
    panels = figure.subplots(1, len(axes_of), sharey=True)
    for axes, axis in zip(panels, axes_of, strict=True):
        here = [p for p in PUBLISHED if p.axis == axis]
        for published in here:
            draw_markers(axes, published)
        for method in dict.fromkeys(p.method for p in here):
            for (game, suits), line in zip(LEDUC.items(), ("-", "--"), strict=True):
                for answer, colour in ANSWER_COLOURS.items():
                    curves = series(metrics, game, method, answer, axis)
                    label = f"ours, {suits}: {ANSWERS[answer]}"
                    draw_band(axes, curves, label, colour, line, ANSWER_MARKERS[answer])
        axes.set_title(", ".join({legend(p.method, DESCRIPTIONS): 0 for p in here}), fontsize=9)
        arrange(axes, UNITS[axis])
    panels[0].set_ylabel(unit("leduc_poker"), fontsize=8)
    add_legend(figure)
    return figure


ANSWER_COLOURS = {"average": BLUE, "policy": ORANGE, "last": GREY}
ANSWER_MARKERS = {"average": "", "policy": "s", "last": "x"}  # ours; small ones


def draw_markers(axes: Axes, published: Published) -> None:
    colour = ANSWER_COLOURS[published.answer]
    for values, fill, kind in (
        (published.printed, colour, "printed"),
        (published.reproduced, "white", "reproduced"),
    ):
        label = f"{published.label}, {kind}"
        shape = ANSWER_MARKERS[published.answer] or "o"
        axes.plot(published.at, values, shape, ms=6, mec=colour, mfc=fill, label=label, zorder=3)


def draw_band(
    axes: Axes,
    curves: dict[int, Points],
    label: str,
    colour: str,
    line: str = "-",
    marker: str = "",
) -> None:
    """Draw the mean over seeds, and their range."""
    points = band(curves)
    if points:
        x, middle, low, high = zip(*points, strict=True)
        mark = {
            "marker": marker or "." * (len(x) == 1),
            "ms": 3.5,
            "markevery": max(1, len(x) // 8),
        }
        axes.plot(x, middle, line, color=colour, lw=1.3, label=label, **mark)
        axes.fill_between(x, low, high, color=colour, alpha=0.2, lw=0)


def arrange(axes: Axes, along: str) -> None:
    axes.set(xscale="log", yscale="log")
    axes.set_xlabel(along, fontsize=8)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3, which="both")


def add_legend(figure: Figure) -> None:
    handles = {h.get_label(): h for axes in figure.axes for h in axes.get_lines()}
    where = {"loc": "outside upper center", "ncols": 3, "frameon": False, "fontsize": 8}
    figure.legend(list(handles.values()), list(handles), **where)
