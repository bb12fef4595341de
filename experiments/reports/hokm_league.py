"""The figures and the report of `experiments/hokm_league.py`, from what its curves logged."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import COLOURS, Row, save_figure, short, table

Metrics = dict[str, Any]  # a line of metrics.jsonl
Value = Callable[[Metrics], float | None]  # what a panel shows of a line
OPPONENTS = ("random", "rules")
PAPER = {"random": 0.80, "rules": 0.60}  # what the paper's agent wins in the end
LABELS = {
    "started": "from Deep CFR's network",
    "long": "from it, for longer",
    "league": "league",
    "rules": "league and rules",
    "learned": "trump learned",
    "self_play": "self-play alone",
    "blind": "critic sees one hand",
    "transformer": "transformer",
    "no_context": "transformer, no context",
    "rehearsed": "from that, rehearsing",
}
COLUMNS = ("curve", "seed", "iteration", "decisions", "panel", "value")


def against(opponent: str) -> Value:
    return lambda line: line["against"][opponent]["won"] if "against" in line else None


def logged(name: str) -> Value:
    return lambda line: line.get(name)


class Panel(NamedTuple):
    title: str
    value: Value
    levels: tuple[float, ...] = ()  # drawn as thin lines


FIGURES = {
    "win_rates": [
        Panel(f"deals won against {name}", against(name), (0.5, PAPER[name])) for name in OPPONENTS
    ],
    "critic": [
        Panel("explained variance of returns", logged("explained")),
        Panel("correlation of first value and outcome", logged("foreseen"), (0.5,)),
    ],
    "league": [
        Panel("games won in the arena", logged("arena"), (0.52,)),
        Panel("versions admitted so far", logged("versions")),
    ],
}


def save_figures(lines: Sequence[Metrics], folder: Path) -> list[Path]:
    """PDF, PNG and CSV of each."""
    files, lines = [], with_versions(lines)
    for name, panels in FIGURES.items():
        files += save_figure(draw(lines, panels), folder / name, COLUMNS, numbers(lines, panels))
    return files


def numbers(lines: Iterable[Metrics], panels: Sequence[Panel]) -> list[tuple]:
    found = [(line, panel.title, panel.value(line)) for line in lines for panel in panels]
    return [
        (line["curve"], line["seed"], line["iteration"], line["samples"], title, value)
        for line, title, value in found
        if value is not None
    ]


def draw(lines: Sequence[Metrics], panels: Sequence[Panel]) -> Figure:
    figure = Figure(figsize=(4.6 * len(panels), 3.6), layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        draw_panel(axes, lines, panel)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside upper center", ncols=4)
    figure.supxlabel("decisions of the learner", fontsize=10)
    return figure


def draw_panel(axes: Axes, lines: Sequence[Metrics], panel: Panel) -> None:
    """A line for each seed, in the colour of the curve."""
    for level in panel.levels:
        axes.axhline(level, color="black", lw=0.7, ls=":")
    named: set[str] = set()
    for (curve, _), own in by_curve(lines).items():
        shown = [(line["samples"], panel.value(line)) for line in own]
        points = [(x, y) for x, y in shown if y is not None]
        label = None if curve in named else LABELS[curve]
        named.add(curve)
        colour = COLOURS[list(LABELS).index(curve)]
        axes.plot(*np.array(points).reshape(-1, 2).T, color=colour, lw=1.2, label=label)
    axes.set_title(panel.title, fontsize=9)
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)


def by_curve(lines: Iterable[Metrics]) -> dict[tuple[str, int], list[Metrics]]:
    found: dict[tuple[str, int], list[Metrics]] = defaultdict(list)
    for line in lines:
        found[line["curve"], line["seed"]].append(line)
    return found


def with_versions(lines: Iterable[Metrics]) -> list[Metrics]:
    """With the number of versions that the league has admitted up to each arena."""
    admitted: dict[tuple[str, int], int] = defaultdict(int)
    out = []
    for line in lines:
        if "arena" in line:
            admitted[line["curve"], line["seed"]] += line["admitted"]
            line = line | {"versions": admitted[line["curve"], line["seed"]]}
        out.append(line)
    return out


def report(
    lines: Sequence[Metrics],
    finals: Sequence[Mapping[str, Any]],
    ceilings: Sequence[Mapping[str, Any]],
) -> str:
    parts = ["# PPO leagues on Hokm", "## Deals won, on fresh deals", table(final_rows(finals))]
    if ceilings:
        parts += ["## What others win", table(ceiling_rows(ceilings))]
    pictures = [f"![{name}](figures/{name}.png)" for name in FIGURES]
    return "\n\n".join([*parts, "## On the way", table(way_rows(lines)), *pictures])


def final_rows(finals: Iterable[Mapping[str, Any]]) -> list[Row]:
    rows = [["curve", "seed", "plays", "deals", *(f"against {name}" for name in OPPONENTS)]]
    for final in finals:
        won = [share(final["against"][name]) for name in OPPONENTS]
        known = [LABELS[final["curve"]], str(final["seed"]), final["plays"]]
        counts = dict.fromkeys(final["against"][name]["deals"] for name in OPPONENTS)
        rows.append([*known, " / ".join(f"{deals:,}" for deals in counts), *won])
    return rows


def ceiling_rows(ceilings: Iterable[Mapping[str, Any]]) -> list[Row]:
    rows = [["player", "deals", *(f"against {name}" for name in OPPONENTS)]]
    for found in ceilings:
        won = [share(found["against"][name]) for name in OPPONENTS]
        rows.append([found["agent"], f"{found['deals']:,}", *won])
    return rows


def way_rows(lines: Sequence[Metrics]) -> list[Row]:
    rows = [["curve", "seed", "iterations", "decisions", "minutes", "explained", "versions"]]
    for (curve, seed), own in by_curve(lines).items():
        last, versions = own[-1], sum(line.get("admitted", 0) for line in own)
        done = [f"{last['iteration']:,}", short(last["samples"]), f"{last['seconds'] / 60:.0f}"]
        known = [LABELS[curve], str(seed), *done]
        rows.append([*known, f"{last['explained']:.2f}", str(versions)])
    return rows


def share(found: Mapping[str, float]) -> str:
    return f"{100 * found['won']:.1f} % ({100 * found['low']:.1f} … {100 * found['high']:.1f})"
