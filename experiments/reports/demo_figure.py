"""The figure of `experiments/demo.py`: how a solver and a learner approach an equilibrium."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis.figures import save_figure
from analysis.figures.palette import BLUE, DARK_GREY, RED

LINES = {"random": (":", "random play"), "rules": ("--", "rule-based players")}


class DemoPoint(NamedTuple):
    """A point of a curve, and a row of the figure's numbers."""

    curve: str  # "solved" or "learnt"
    iterations: int
    nash_conv: float


def save_demo_figure(
    title: str, unit: str, points: Sequence[DemoPoint], fixed: dict[str, float], stem: Path
) -> list[Path]:
    """Save PDF, PNG and CSV; `fixed` is the NashConv of players who learn nothing."""
    rows = [*points, *(DemoPoint(name, 0, value) for name, value in fixed.items())]
    return save_figure(draw_demo(title, unit, points, fixed), stem, DemoPoint._fields, rows)


def draw_demo(
    title: str, unit: str, points: Sequence[DemoPoint], fixed: dict[str, float]
) -> Figure:
    """Draw the solver on the left, the learner on the right."""
    figure = Figure(figsize=(9, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    solved, learnt = ([p for p in points if p.curve == c] for c in ("solved", "learnt"))
    draw(left, solved, fixed, "predictive CFR+ on the whole tree", BLUE, "o-")
    draw(right, learnt, fixed, "Deep CFR, average of its iterations", RED, "s-")
    left.set(xscale="log", yscale="log", xlabel="iterations of the solver (logarithmic)")
    left.set_ylabel(f"NashConv, {unit} (logarithmic)")
    right.set(xlabel="iterations of the learner", ylabel=f"NashConv, {unit}")
    right.set_ylim(bottom=0)
    right.xaxis.set_major_locator(MaxNLocator(integer=True))
    lines = {line.get_label(): line for axes in (left, right) for line in axes.get_lines()}
    figure.legend(lines.values(), lines, loc="outside lower center", ncols=2, frameon=False)
    figure.suptitle(f"{title}: what both seats could gain by deviating (0 is an equilibrium)")
    return figure


def draw(
    axes: Axes,
    points: Sequence[DemoPoint],
    fixed: dict[str, float],
    label: str,
    colour: str,
    style: str,
) -> None:
    """Draw a curve, and the lines of players who do not learn."""
    for name, value in fixed.items():
        line, words = LINES[name]
        axes.axhline(value, color=DARK_GREY, linestyle=line, label=words)
    x, y = [p.iterations for p in points], [p.nash_conv for p in points]
    axes.plot(x, y, style, color=colour, markersize=4, label=label)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
