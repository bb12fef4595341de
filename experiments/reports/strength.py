"""The reports and the figures of experiments that measure how strong networks become against other
agents (`experiments/common/meetings.py`).

TEXTS = Texts("AlphaZero under hidden cards on Snapszer", "game points", DESCRIPTIONS)
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import Row, line_style, save_figure, short, table
from experiments.common.curves import describe, in_order, legend
from experiments.common.runs import Metrics

PLAYS = {
    "best": "alone, its likeliest action",
    "sample": "alone, drawn from its policy",
    "search": "with search",
    "rival": "in their place",
}
LOSSES = {
    "value": "squared error of values (VMSE)",
    "policy": "cross-entropy of policies, nats (PCE)",
}
COUNTS = {"deals": "positions", "decisions learnt from": "samples"}
COLUMNS = ("curve", "seed", "iteration", "minutes", "measure", "value", "low", "high")


@dataclass(frozen=True)
class Texts:
    """What the experiment of a game says."""

    title: str
    unit: str
    descriptions: Mapping[str, str]  # of curves and rivals, in the order of the config
    digits: int = 3  # of what is won
    more: Callable[[Sequence[Metrics]], Sequence[str]] = lambda finals: ()  # about what is played
    apart: Sequence[str] = ()  # curves that win something else, and are not drawn with the others
    counts: Mapping[str, str] = field(default_factory=COUNTS.copy)  # columns, and their metrics

    def report(
        self, lines: Sequence[Metrics], finals: Sequence[Metrics], exact: Sequence[Metrics] = ()
    ) -> str:
        lines, finals, exact = (in_order(x, self.descriptions) for x in (lines, finals, exact))
        parts = [
            f"# {self.title}",
            "## The curves",
            describe((line["curve"] for line in [*lines, *finals]), self.descriptions),
            table(curve_rows(lines, self.counts)),
            f"## {self.unit.capitalize()} per deal, on fresh deals",
            "Duplicate deals: each is played in every seating. With 95 % intervals.",
            table(final_rows([x for x in finals if "unit" not in x], self.unit, self.digits)),
            *self.more(finals),
        ]
        if exact:
            parts += ["## Exact NashConv in a small variant", table(exact_rows(exact, self.unit))]
        return "\n\n".join(parts) + "\n"

    def save_figures(self, lines: Sequence[Metrics], folder: Path) -> list[Path]:
        """Save PDF, PNG and CSV of each figure."""
        lines = in_order(lines, self.descriptions)
        small = [line for line in lines if "nash_conv" in line]
        apart = {*self.apart, *(line["curve"] for line in small)}
        full = [line for line in lines if line["curve"] not in apart]
        played = [line for line in full if "against" in line]
        files = save_figure(self._draw(played), folder / "strength", COLUMNS, strengths(played))
        if losses(full):
            files += save_figure(self._draw_losses(full), folder / "losses", COLUMNS, losses(full))
        if small:
            values = [(*about(line), "NashConv", line["nash_conv"], "", "") for line in small]
            files += save_figure(self._draw_exact(small), folder / "nash_conv", COLUMNS, values)
        return files

    def _draw(self, lines: Sequence[Metrics]) -> Figure:
        """Strength over time, a panel for each opponent."""
        opponents = list(dict.fromkeys(name for line in lines for name in line["against"]))
        figure = Figure(figsize=(11, 4.6), layout="constrained")
        all_axes = figure.subplots(1, max(1, len(opponents)), squeeze=False)[0]
        for axes, opponent in zip(all_axes, opponents, strict=False):
            own = [line for line in lines if opponent in line.get("against", ())]
            for curve, points in by_curve(own).items():
                found = [line["against"][opponent] for line in points]
                middle = np.array([x["mean"] for x in found])
                ends = np.array([[x["low"], x["high"]] for x in found]).T
                style = self._style(curve[0])
                times = [minutes(line) for line in points]
                axes.errorbar(times, middle, np.abs(ends - middle), capsize=2, **style)
            axes.axhline(0, color="black", lw=0.7, ls=":")
            axes.set_title(f"{self.unit} per deal against {opponent}, without search", fontsize=9)
        self._finish(figure, lines)
        return figure

    def _draw_losses(self, lines: Sequence[Metrics]) -> Figure:
        figure = Figure(figsize=(11, 4.6), layout="constrained")
        for axes, (name, title) in zip(figure.subplots(1, 2), LOSSES.items(), strict=True):
            for curve, points in by_curve(lines).items():
                style = self._style(curve[0])
                shown = [line["losses"][name] for line in points]
                times = [minutes(line) for line in points]
                axes.plot(times, shown, **style, markevery=max(1, len(points) // 8))
            axes.set_title(title, fontsize=9)
        self._finish(figure, lines)
        return figure

    def _draw_exact(self, lines: Sequence[Metrics]) -> Figure:
        figure = Figure(figsize=(6.5, 4.6), layout="constrained")
        axes = figure.subplots()
        for curve, points in by_curve(lines).items():
            style = self._style(curve[0])
            iterations = [line["iteration"] for line in points]
            axes.semilogy(iterations, [line["nash_conv"] for line in points], **style)
        axes.set_ylabel(f"exact NashConv of the policy, {self.unit}")
        self._finish(figure, lines, "iterations of 500 deals")
        return figure

    def _finish(
        self, figure: Figure, lines: Sequence[Metrics], time: str = "minutes of learning"
    ) -> None:
        """Axes as in all figures, and a legend."""
        for axes in figure.axes:
            tidy(axes)
        names = list(dict.fromkeys(line["curve"] for line in lines))
        handles = [figure.axes[0].plot([], [], **self._style(name))[0] for name in names]
        labels = [legend(name, self.descriptions) for name in names]
        where = {"loc": "outside upper center", "ncols": 1, "frameon": False, "fontsize": 8}
        figure.legend(handles, labels, **where)
        figure.supxlabel(time, fontsize=10)

    def _style(self, curve: str) -> dict[str, Any]:
        return line_style([*self.descriptions].index(curve)) | {"lw": 1.2, "ms": 4}


def curve_rows(lines: Sequence[Metrics], counts: Mapping[str, str]) -> list[Row]:
    """How far each curve has come."""
    rows = [["curve", "seed", "iterations", *counts, "minutes"]]
    last = {(line["curve"], line["seed"]): line for line in lines}
    for (curve, seed), line in last.items():
        numbers = [short(line[metric]) for metric in counts.values()]
        rows.append([curve, str(seed), str(line["iteration"]), *numbers, f"{minutes(line):.0f}"])
    return rows


def minutes(line: Metrics) -> float:
    return line["seconds"] / 60


def final_rows(finals: Sequence[Metrics], unit: str, digits: int) -> list[Row]:
    rows = [["curve", "seed", "plays", "against", "deals", f"{unit} per deal", "won"]]
    for one in finals:
        mean, low, high = (f"{one[name]:+.{digits}f}" for name in ("mean", "low", "high"))
        who = one["curve"], str(one["seed"]), PLAYS[one["plays"]]
        won = f"{one['win_rate']:.1%}" if "win_rate" in one else "–"
        shown = f"{mean} ({low} … {high})"
        rows.append([*who, f"`{one['opponent']}`", short(one["deals"]), shown, won])
    return rows


def exact_rows(exact: Sequence[Metrics], unit: str) -> list[Row]:
    """The NashConv that each small run has come to."""
    rows = [["curve", "seed", "plays", f"NashConv, {unit}"]]
    for one in exact:
        plays = PLAYS[one["plays"]]
        rows.append([one["curve"], str(one["seed"]), plays, f"{one['nash_conv']:.4f}"])
    return rows


def strengths(lines: Iterable[Metrics]) -> list[tuple]:
    return [
        (*about(line), opponent, *(found[key] for key in ("mean", "low", "high")))
        for line in lines
        for opponent, found in line.get("against", {}).items()
    ]


def losses(lines: Iterable[Metrics]) -> list[tuple]:
    """The losses of AlphaZero."""
    return [
        (*about(line), name, line["losses"][name], "", "")
        for line in lines
        if "losses" in line
        for name in LOSSES
    ]


def about(line: Metrics) -> tuple:
    return line["curve"], line["seed"], line["iteration"], round(minutes(line), 2)


def by_curve(lines: Iterable[Metrics]) -> dict[tuple[str, int], list[Metrics]]:
    found: dict[tuple[str, int], list[Metrics]] = {}
    for line in lines:
        found.setdefault((line["curve"], line["seed"]), []).append(line)
    return found


def tidy(axes: Axes) -> None:
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
