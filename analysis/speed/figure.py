"""The figure of the benchmark: decisions per second of our games, and of OpenSpiel's own."""

from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import save_figure, short
from analysis.figures.palette import BLUE, GREEN, GREY, ORANGE
from spielgames.core.game import GAMES

SERIES = {  # what is measured, and its colour
    "compiled loop": ("compiled_moves_per_s", BLUE),
    "batch of 1,024, policy outside": ("batch_moves_per_s", GREEN),
    "through OpenSpiel, from Python": ("openspiel_decisions_per_s", ORANGE),
    "OpenSpiel's C++ game, same Python loop": ("openspiel_decisions_per_s", GREY),
}
*OURS, PEER = SERIES
Results = dict[str, Any]  # as `analysis.speed.games` has them


class Bar(NamedTuple):
    """A bar of the figure, and a row of its numbers."""

    game: str
    how: str
    decisions_per_s: float


def save_speed_figure(results: Results, stem: Path) -> list[Path]:
    """Save PDF, PNG and CSV."""
    bars = bars_of(results)
    return save_figure(draw_speeds(bars), stem, Bar._fields, bars)


def bars_of(results: Results) -> list[Bar]:
    """Three speeds of each of our games, then OpenSpiel's own games."""
    ours = [
        Bar(GAMES[name].title, how, speeds[SERIES[how][0]])
        for name, speeds in results["games"].items()
        for how in OURS
    ]
    key = SERIES[PEER][0]
    return ours + [Bar(f"C++ {name}", PEER, of[key]) for name, of in results["peers"].items()]


def draw_speeds(bars: list[Bar]) -> Figure:
    """Bars from the top down, with a gap before each game, on a logarithmic scale."""
    figure = Figure(figsize=(7.5, 1.4 + 0.22 * len(bars)), layout="constrained")
    axes = figure.subplots()
    games = list(dict.fromkeys(bar.game for bar in bars))
    height = {bar: i + 0.6 * games.index(bar.game) for i, bar in enumerate(bars)}
    for how, (_, colour) in SERIES.items():
        mine = {height[bar]: bar.decisions_per_s for bar in bars if bar.how == how}
        drawn_bars = axes.barh(list(mine), list(mine.values()), 0.9, color=colour, label=how)
        axes.bar_label(drawn_bars, [short(x) for x in mine.values()], padding=4, fontsize=8)
    ticks = [mean(height[bar] for bar in bars if bar.game == game) for game in games]
    axes.set_yticks(ticks, games)
    dress(axes, max(bar.decisions_per_s for bar in bars))
    figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize=9)
    return figure


def dress(axes: Axes, fastest: float) -> None:
    """Scale, grid and labels, with room for the number behind the longest bar."""
    axes.invert_yaxis()
    axes.margins(y=0.02)
    axes.tick_params(axis="y", length=0)
    axes.set_xscale("log")
    axes.set_xlim(1e5, 3 * fastest)
    axes.set_xlabel("decisions per second, random play on one core (logarithmic)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)
