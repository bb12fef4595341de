"""The report and the figures of `experiments/snapszer_alphazero.py`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import Row, line_style, save_figure, short, table
from experiments.common.curves import describe, in_order, legend
from experiments.common.runs import Metrics

GAME = "python_snapszer"  # the curves of other variants are not drawn with those
DESCRIPTIONS = {  # in the order of the config
    "rollouts": "policy iteration at information sets; 8 worlds, 3 × 128 units, suits in order",
    "belief": "the same, 3 × 256 units; worlds as likely as the policy makes what the other did",
    "plain": "the same as rollouts, but suits as they are",
    "small_uniform": "six cards, a talon of two; worlds drawn uniformly",
    "small_belief": "the same; worlds as likely as the policy makes what the other did",
    "small_trees": "six cards; trees in six worlds drawn uniformly, visits summed",
    "small_trees_belief": "the same; worlds as likely as the policy makes what the other did",
    "match": "the same as rollouts, but for the chance of winning a match that stands at any score",
}
PLAYS = {
    "best": "alone, its likeliest action",
    "sample": "alone, drawn from its policy",
    "search": "with search",
}
LOSSES = {
    "value": "squared error of values (VMSE)",
    "policy": "cross-entropy of policies, nats (PCE)",
}
COLUMNS = ("curve", "seed", "iteration", "minutes", "measure", "value", "low", "high")


def report(lines: Sequence[Metrics], finals: Sequence[Metrics], exact: Sequence[Metrics]) -> str:
    lines, finals, exact = (in_order(each, DESCRIPTIONS) for each in (lines, finals, exact))
    parts = [
        "# AlphaZero under hidden cards on Snapszer",
        "## The curves",
        describe((line["curve"] for line in lines), DESCRIPTIONS),
        table(curve_rows(lines)),
        "## Game points per deal, on fresh deals",
        "Duplicate deals: each is played in both seatings. With 95 % intervals.",
        table(final_rows([one for one in finals if "unit" not in one])),
        "## Whole matches",
        "Each is played in both seatings with the same cards. With 95 % intervals.",
        table(match_rows([one for one in finals if "unit" in one])),
        "## Exact NashConv in a small variant",
        table(exact_rows(exact)),
    ]
    return "\n\n".join(parts) + "\n"


def curve_rows(lines: Sequence[Metrics]) -> list[Row]:
    """How far each curve has come."""
    rows = [["curve", "seed", "iterations", "deals", "decisions searched", "minutes"]]
    last = {(line["curve"], line["seed"]): line for line in lines}
    for (curve, seed), line in last.items():
        counts = short(line["positions"]), short(line["samples"])
        rows.append([curve, str(seed), str(line["iteration"]), *counts, f"{minutes(line):.0f}"])
    return rows


def minutes(line: Metrics) -> float:
    return line["seconds"] / 60


def final_rows(finals: Sequence[Metrics]) -> list[Row]:
    rows = [["curve", "seed", "plays", "against", "deals", "game points per deal", "won"]]
    for one in finals:
        mean = f"{one['mean']:+.3f} ({one['low']:+.3f} … {one['high']:+.3f})"
        who = one["curve"], str(one["seed"]), PLAYS[one["plays"]]
        won = f"{100 * one['win_rate']:.1f} %"
        rows.append([*who, f"`{one['opponent']}`", short(one["deals"]), mean, won])
    return rows


def match_rows(finals: Sequence[Metrics]) -> list[Row]:
    rows = [["curve", "seed", "against", "matches", "won"]]
    for one in finals:
        won = [100 * one[key] for key in ("win_rate", "win_low", "win_high")]
        share = f"{won[0]:.1f} % ({won[1]:.1f} … {won[2]:.1f})"
        who = one["curve"], str(one["seed"]), f"`{one['opponent']}`"
        rows.append([*who, short(one["deals"]), share])
    return rows


def exact_rows(exact: Sequence[Metrics]) -> list[Row]:
    """The NashConv that each small run has come to."""
    rows = [["curve", "seed", "plays", "NashConv, game points"]]
    for one in exact:
        plays = PLAYS[one["plays"]]
        rows.append([one["curve"], str(one["seed"]), plays, f"{one['nash_conv']:.4f}"])
    return rows


def save_figures(lines: Sequence[Metrics], folder: Path) -> list[Path]:
    """Save PDF, PNG and CSV of each figure."""
    lines = in_order(lines, DESCRIPTIONS)
    opponents = list(dict.fromkeys(name for line in lines for name in line.get("against", ())))
    full = [line for line in lines if line["game"] == GAME]
    small = [line for line in lines if "nash_conv" in line]
    files = save_figure(draw(full, opponents), folder / "strength", COLUMNS, strengths(full))
    files += save_figure(draw_losses(full), folder / "losses", COLUMNS, losses(full))
    if small:
        values = [(*about(line), "NashConv", line["nash_conv"], "", "") for line in small]
        files += save_figure(draw_exact(small), folder / "nash_conv", COLUMNS, values)
    return files


def strengths(lines: Iterable[Metrics]) -> list[tuple]:
    return [
        (*about(line), opponent, *(found[key] for key in ("mean", "low", "high")))
        for line in lines
        for opponent, found in line.get("against", {}).items()
    ]


def losses(lines: Iterable[Metrics]) -> list[tuple]:
    return [(*about(line), name, line["losses"][name], "", "") for line in lines for name in LOSSES]


def about(line: Metrics) -> tuple:
    return line["curve"], line["seed"], line["iteration"], round(minutes(line), 2)


def draw(lines: Sequence[Metrics], opponents: Sequence[str]) -> Figure:
    """Strength over time, a panel for each opponent."""
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    all_axes = figure.subplots(1, max(1, len(opponents)), squeeze=False)[0]
    for axes, opponent in zip(all_axes, opponents, strict=False):
        own = [line for line in lines if opponent in line.get("against", ())]
        for curve, points in by_curve(own).items():
            found = [line["against"][opponent] for line in points]
            middle = np.array([x["mean"] for x in found])
            ends = np.array([[x["low"], x["high"]] for x in found]).T
            style = line_style([*DESCRIPTIONS].index(curve[0])) | {"lw": 1.2, "ms": 4}
            times = [minutes(line) for line in points]
            axes.errorbar(times, middle, np.abs(ends - middle), capsize=2, **style)
        axes.axhline(0, color="black", lw=0.7, ls=":")
        axes.set_title(f"game points per deal against {opponent}, without search", fontsize=9)
    finish(figure, lines)
    return figure


def draw_losses(lines: Sequence[Metrics]) -> Figure:
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    for axes, (name, title) in zip(figure.subplots(1, 2), LOSSES.items(), strict=True):
        for curve, points in by_curve(lines).items():
            style = line_style([*DESCRIPTIONS].index(curve[0])) | {"lw": 1.2, "ms": 4}
            shown = [line["losses"][name] for line in points]
            times = [minutes(line) for line in points]
            axes.plot(times, shown, **style, markevery=max(1, len(points) // 8))
        axes.set_title(title, fontsize=9)
    finish(figure, lines)
    return figure


def draw_exact(lines: Sequence[Metrics]) -> Figure:
    figure = Figure(figsize=(6.5, 4.6), layout="constrained")
    axes = figure.subplots()
    for curve, points in by_curve(lines).items():
        style = line_style([*DESCRIPTIONS].index(curve[0])) | {"lw": 1.2, "ms": 4}
        iterations = [line["iteration"] for line in points]
        axes.semilogy(iterations, [line["nash_conv"] for line in points], **style)
    axes.set_ylabel("exact NashConv of the policy, game points")
    finish(figure, lines, "iterations of 500 deals")
    return figure


def by_curve(lines: Iterable[Metrics]) -> dict[tuple[str, int], list[Metrics]]:
    found: dict[tuple[str, int], list[Metrics]] = {}
    for line in lines:
        found.setdefault((line["curve"], line["seed"]), []).append(line)
    return found


def finish(
    figure: Figure, lines: Sequence[Metrics], time: str = "minutes of learning on two cores"
) -> None:
    """Axes as in all figures, and a legend."""
    for axes in figure.axes:
        tidy(axes)
    names = list(dict.fromkeys(line["curve"] for line in lines))
    styles = [line_style([*DESCRIPTIONS].index(name)) for name in names]
    handles = [figure.axes[0].plot([], [], **style, lw=1.2, ms=4)[0] for style in styles]
    labels = [legend(name, DESCRIPTIONS) for name in names]
    where = {"loc": "outside upper center", "ncols": 1, "frameon": False, "fontsize": 8}
    figure.legend(handles, labels, **where)
    figure.supxlabel(time, fontsize=10)


def tidy(axes: Axes) -> None:
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
