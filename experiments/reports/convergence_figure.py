"""The figures of `experiments/tabular_convergence.py`: NashConv against iterations, and seconds."""

import math
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import save_figure
from analysis.figures.palette import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, RED, SKY
from experiments.common.curves import legend
from experiments.common.runs import Metrics
from spielgames.core.game import GAMES

COLUMNS = ("game", "solver", "iterations", "seconds", "nash_conv")
WIDE = 4  # panels in a row
LOWEST = 1e-12  # rounding errors are drawn here
UNITS = {"iterations": "iterations", "seconds": "seconds of the solver"}


class SolverStyle(NamedTuple):
    """The style in which a solver is drawn. An algorithm has one colour, whoever implements it."""

    description: str
    colour: str
    line: str = "-"  # matplotlib's short form
    size: float = 4.0  # of the marker


STYLES = {
    "cfr": SolverStyle("CFR", BLUE, "o-"),
    "plus": SolverStyle("CFR+", RED, "s--"),
    "linear": SolverStyle("linear CFR", GREEN, "^-."),
    "discounted": SolverStyle("discounted CFR", PINK, "D:"),
    "predictive": SolverStyle("predictive CFR+", ORANGE, "v-"),
    "mmd": SolverStyle("magnetic mirror descent", BLACK, "--"),
    "external": SolverStyle("external-sampling MCCFR", SKY, "P-."),
    "outcome": SolverStyle("outcome-sampling MCCFR", GREY, "X:"),
    "lp": SolverStyle("linear programme", BLACK, "*", 7),
    "openspiel_python_cfr": SolverStyle("OpenSpiel's CFR, Python", BLUE, ".:"),
    "openspiel_cfr": SolverStyle("OpenSpiel's CFR, C++", BLUE, "<--"),
    "openspiel_plus": SolverStyle("OpenSpiel's CFR+, C++", RED, ">--"),
}
DESCRIPTIONS = {name: style.description for name, style in STYLES.items()}


def save_convergence_figures(metrics: list[Metrics], folder: Path) -> list[Path]:
    """Save PDF, PNG and CSV of both figures."""
    rows = [[line[column] for column in COLUMNS] for line in metrics]
    return [
        path
        for along in UNITS
        for path in save_figure(draw(metrics, along), folder / along, COLUMNS, rows)
    ]


def by_game(metrics: list[Metrics]) -> dict[str, list[Metrics]]:
    games = defaultdict(list)
    for line in metrics:
        games[line["game"]].append(line)
    return dict(games)


def draw(metrics: list[Metrics], along: str) -> Figure:
    """Draw a panel for each game."""
    games = by_game(metrics)
    high, wide = math.ceil(len(games) / WIDE), min(len(games), WIDE)
    figure = Figure(figsize=(14, 1.2 + 3.2 * high), layout="constrained")
    panels = figure.subplots(high, wide, squeeze=False).flatten()
    for axes, (game, lines) in zip(panels, games.items(), strict=False):
        draw_game(axes, game, lines, along)
    for axes in panels[len(games) :]:
        axes.set_axis_off()
    handles = {h.get_label(): h for axes in panels for h in axes.get_lines()}
    labels = (legend(name, DESCRIPTIONS) for name in STYLES)
    order = [label for label in labels if label in handles]
    curves = [handles[label] for label in order]
    figure.legend(curves, order, loc="outside upper center", ncols=4, frameon=False, fontsize=9)
    figure.supxlabel(UNITS[along], fontsize=10)
    return figure


def draw_game(axes: Axes, game: str, lines: list[Metrics], along: str) -> None:
    for name, style in STYLES.items():
        points = [line for line in lines if line["solver"] == name]
        if not points or (name == "lp" and along == "iterations"):
            continue
        x = [point[along] for point in points]
        y = [max(point["nash_conv"], LOWEST) for point in points]
        drawn = {"lw": 1.2, "ms": style.size, "markevery": max(1, len(x) // 8)}
        axes.plot(x, y, style.line, color=style.colour, label=legend(name, DESCRIPTIONS), **drawn)
    axes.set(xscale="log", yscale="log")
    axes.set_title("\n".join(title(game, lines[0])), fontsize=8)
    known = GAMES.get(base_of(game))
    axes.set_ylabel(f"NashConv, {known.unit}" if known else "NashConv", fontsize=8)
    axes.tick_params(labelsize=7)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)


def title(game: str, line: Metrics) -> tuple[str, str]:
    """A game's name, and its size; whether convergence is proven for so many players."""
    known = GAMES.get(base_of(game))
    name = game.replace(base_of(game), f"{known.title} ") if known else game
    proven = "" if line["players"] == 2 else " (no guarantee)"
    return name, f"{line['leaves']:,} leaves, {line['players']} players{proven}"


def base_of(game: str) -> str:
    """A game's name without its parameters."""
    return game.partition("(")[0]
