"""The figure of a playbook: a bar with its interval for each rate, and a tick for chance."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from textwrap import wrap

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter

from analysis.figures import save_figure
from analysis.figures.palette import COLOURS
from analysis.hokm.behaviour import BEHAVIOURS
from analysis.hokm.rates import Playbook, Rate

COLUMNS = ("opponents", "behaviour", *Rate._fields)
FILLED = 0.8  # of the room between two behaviours
WHISKERS = {"lw": 0.9, "capsize": 1.5}
TITLE_WIDTH = 100  # letters
Playbooks = Mapping[str, Playbook]  # against each kind of opponents


def save_playbook_figure(title: str, found: Playbooks, stem: Path) -> list[Path]:
    """Save PDF, PNG, and the numbers as CSV."""
    return save_figure(draw(title, found), stem, COLUMNS, rows(found))


def rows(found: Playbooks) -> Iterator[tuple]:
    for opponents, book in found.items():
        for name, rate in book.items():
            yield opponents, name, *rate


def draw(title: str, found: Playbooks) -> Figure:
    height = 1.2 + len(BEHAVIOURS) * (0.14 + 0.13 * len(found))
    figure = Figure(figsize=(8, height), layout="constrained")
    axes = figure.subplots()
    width = FILLED / len(found)
    for i, (opponents, book) in enumerate(found.items()):
        middles = [y + width * (i + 0.5) - FILLED / 2 for y in range(len(book))]
        style = {"color": COLOURS[i % len(COLOURS)], "label": f"against {opponents}"}
        draw_book(axes, list(book.values()), middles, width, style)
    axes.vlines([], 0, 0, color="black", label="chance")
    tidy(axes)
    figure.suptitle("\n".join(wrap(title, TITLE_WIDTH)), fontsize=9)
    figure.legend(loc="outside lower center", ncols=4, frameon=False, fontsize=8)
    return figure


def draw_book(
    axes: Axes, rates: list[Rate], middles: list[float], width: float, style: dict[str, str]
) -> None:
    """Draw a bar for each behaviour."""
    shown = [r.rate for r in rates]
    ends = [[r.rate - r.low for r in rates], [r.high - r.rate for r in rates]]
    axes.barh(middles, shown, 0.85 * width, xerr=ends, error_kw=WHISKERS, alpha=0.8, **style)
    tops, feet = [m - width / 2 for m in middles], [m + width / 2 for m in middles]
    axes.vlines([r.chance for r in rates], tops, feet, color="black", lw=1.6)


def tidy(axes: Axes) -> None:
    axes.set_yticks(range(len(BEHAVIOURS)), BEHAVIOURS, fontsize=8)
    axes.set_ylim(len(BEHAVIOURS) - 0.4, -0.6)  # from the top down
    axes.set_xlim(0, 1)
    axes.xaxis.set_major_formatter(PercentFormatter(1))
    axes.set_xlabel("share of the occasions", fontsize=9)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
