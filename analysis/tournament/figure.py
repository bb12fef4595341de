"""The figure of a tournament: the matrix of means, and beside it every pair with its interval."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import save_figure
from analysis.figures.palette import BLUE, GREY
from analysis.tournament.pairs import PLURAL, PairResult, mean_matrix, precise

COLUMNS = ("a", "b", "deals", "mean", "low", "high", "win_rate", "win_low", "win_high")
WIDE = 10  # numbers as large as this are shown without decimals
PALE = 0.6  # of the strongest colour: numbers on darker cells are white


def save_matrix_figure(
    game: str, unit: str, agents: Sequence[str], results: Sequence[PairResult], stem: Path
) -> list[Path]:
    """Save PDF, PNG, and the pairs' numbers as CSV."""
    rows = [[getattr(result, name) for name in COLUMNS] for result in results]
    return save_figure(draw(game, unit, agents, results), stem, COLUMNS, rows)


def draw(game: str, unit: str, agents: Sequence[str], results: Sequence[PairResult]) -> Figure:
    size = 2.2 + 0.65 * len(agents)
    height = max(size, 1.4 + 0.32 * len(results))
    figure = Figure(figsize=(size + 5.2, height), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(size, 5.2))
    draw_matrix(left, agents, mean_matrix(agents, results))
    draw_pairs(right, results)
    left.set_title(f"mean of row against column, per {unit}", fontsize=9)
    right.set_xlabel(f"mean of the first against the second, per {unit} (95 %)", fontsize=9)
    figure.suptitle(
        f"{game}: {max(r.deals for r in results)} {PLURAL[unit]} in every seating", fontsize=10
    )
    return figure


def draw_matrix(axes: Axes, agents: Sequence[str], means: np.ndarray) -> None:
    """A heat map, blue where the row is better, with the numbers in it."""
    most = np.nanmax(np.abs(means)) or 1.0
    axes.imshow(means, cmap="RdBu", vmin=-most, vmax=most)
    for (i, j), mean in np.ndenumerate(means):
        if not np.isnan(mean):
            colour = "white" if abs(mean) > PALE * most else "black"
            digits = 2 if most < WIDE else 0
            centred = {"ha": "center", "va": "center", "color": colour, "fontsize": 8}
            axes.text(j, i, f"{mean:+.{digits}f}", **centred)
    axes.set_xticks(range(len(agents)), agents, rotation=40, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(agents)), agents)
    axes.tick_params(length=0, labelsize=8)
    axes.spines[:].set_visible(False)


def draw_pairs(axes: Axes, results: Sequence[PairResult]) -> None:
    """A point with its interval for each pair, from the top down, with the numbers above it; grey
    where it is open who is better.
    """
    for y, r in enumerate(results):
        colour = BLUE if r.sign else GREY
        ends = [[r.mean - r.low], [r.high - r.mean]]
        axes.errorbar(r.mean, y, xerr=ends, fmt="o", color=colour, markersize=3, capsize=4)
        mean, low, high = (precise(x, r.high - r.low) for x in (r.mean, r.low, r.high))
        note = axes.annotate(
            f"{mean}  ({low} … {high})",
            (r.mean, y),
            xytext=(0, 6),
            textcoords="offset points",
            ha="center",
            fontsize=7,
        )
        note.set_bbox({"color": "white", "pad": 0.5})
    axes.axvline(0, color="black", linewidth=0.8)
    axes.set_yticks(range(len(results)), [f"{r.a} – {r.b}" for r in results], fontsize=8)
    axes.set_ylim(len(results) - 0.4, -0.6)
    axes.margins(x=0.2)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
