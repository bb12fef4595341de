"""The report and the figures of `experiments/hokm_league.py`."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import Row, line_style, save_figure, short, table
from experiments.common.curves import describe, in_order, legend
from experiments.common.runs import Metrics
from solvers.ppo.settings import LeagueSettings
from solvers.runs.agent import PLAYS

Value = Callable[[Metrics], float | None]  # what a panel shows of a line
OPPONENTS = ("random", "rules")
PAPER = {"random": 0.80, "rules": 0.60}  # what the paper's agent wins in the end
DESCRIPTIONS = {  # in the order of the config
    "started": "from Deep CFR's network, against rules, random, earlier versions; 150 iterations",
    "long": "from Deep CFR's network, against rules, random, earlier versions; 400 iterations",
    "rehearsed": "from the network of long; values actions by its own rollouts; only wins count",
    "league": "from scratch, against earlier versions",
    "rules": "from scratch, half against rules, half against earlier versions",
    "learned": "from scratch, half against rules, half against earlier versions; names the trump",
    "self_play": "from scratch, against itself: all four seats learn",
    "blind": "from scratch, against earlier versions; the critic sees one hand only",
    "transformer": "from scratch, against earlier versions; the paper's transformer, smaller",
    "no_context": "from scratch, against earlier versions; that transformer without context",
}
ADMISSION = LeagueSettings().admission
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
        Panel(f"share of deals won against {name}", against(name), (0.5, PAPER[name]))
        for name in OPPONENTS
    ],
    "critic": [
        Panel("variance of returns explained by the critic", logged("explained_variance")),
        Panel(
            "correlation of a deal's first value and its outcome",
            logged("value_correlation"),
            (0.5,),
        ),
    ],
    "league": [
        Panel("share of deals won against the league", logged("arena"), (ADMISSION,)),
        Panel("versions admitted to the league so far", logged("versions")),
    ],
}


def save_figures(lines: Sequence[Metrics], folder: Path) -> list[Path]:
    """Save PDF, PNG and CSV of each figure."""
    files, lines = [], with_versions(in_order(lines, DESCRIPTIONS))
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
    figure = Figure(figsize=(11, 5.6), layout="constrained")
    for axes, panel in zip(figure.subplots(1, len(panels), squeeze=False)[0], panels, strict=True):
        draw_panel(axes, lines, panel)
    handles = {h.get_label(): h for axes in figure.axes for h in axes.get_lines()}
    labels = [label for label in handles if not label.startswith("_")]
    where = {"loc": "outside upper center", "ncols": 2, "frameon": False, "fontsize": 8}
    figure.legend([handles[label] for label in labels], labels, **where)
    figure.supxlabel("decisions that the learner has learnt from", fontsize=10)
    return figure


def draw_panel(axes: Axes, lines: Sequence[Metrics], panel: Panel) -> None:
    """Draw a line for each seed, in the style of the curve."""
    for level in panel.levels:
        axes.axhline(level, color="black", lw=0.7, ls=":")
    named: set[str] = set()
    for (curve, _), own in by_curve(lines).items():
        shown = [(line["samples"], panel.value(line)) for line in own]
        points = np.array([(x, y) for x, y in shown if y is not None]).reshape(-1, 2)
        label = None if curve in named else legend(curve, DESCRIPTIONS)
        named.add(curve)
        style = line_style([*DESCRIPTIONS].index(curve)) | {"lw": 1.2, "ms": 4, "label": label}
        axes.plot(*points.T, **style, markevery=max(1, len(points) // 8))
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
    """Lines with the number of versions that the league has admitted so far."""
    admitted: dict[tuple[str, int], int] = defaultdict(int)
    out = []
    for line in lines:
        if "arena" in line:
            admitted[line["curve"], line["seed"]] += line["admitted"]
            line = line | {"versions": admitted[line["curve"], line["seed"]]}
        out.append(line)
    return out


def report(lines: Sequence[Metrics], finals: Sequence[Metrics], ceilings: Sequence[Metrics]) -> str:
    lines, finals = in_order(lines, DESCRIPTIONS), in_order(finals, DESCRIPTIONS)
    parts = [
        "# PPO leagues on Hokm",
        answer(finals),
        "## The curves",
        describe((line["curve"] for line in lines), DESCRIPTIONS),
        "## Deals won, on fresh deals",
        "Share of deals won, with 95 % intervals; each deal is played in both seatings. `sample`"
        " draws actions from the network's policy, `best` plays its most likely one; all others are"
        " options of `pimc`, a search that deviates from the network's move where it finds a better"
        " one.",
        table(final_rows(finals)),
    ]
    if ceilings:
        parts += ["## What other players win", table(ceiling_rows(ceilings))]
    pictures = [
        f"![{', and '.join(p.title for p in FIGURES[n])}](figures/{n}.png)" for n in FIGURES
    ]
    explained = (
        "`explained` is the share of the variance of returns that the critic explains; `versions`"
        " counts the versions that the league has admitted."
    )
    return "\n\n".join([*parts, "## Training", explained, table(way_rows(lines)), *pictures])


def answer(finals: Sequence[Metrics]) -> str:
    """The question, and its answer."""
    asked = "How often can PPO learners of a league beat a random and a rule-based player?"
    paper = " and ".join(f"{100 * PAPER[name]:.0f} % against {name}" for name in OPPONENTS)
    ways = [final for final in finals if final["plays"] in PLAYS]
    found = [best_of("network", ways), best_of("search", [f for f in finals if f not in ways])]
    return f"{asked} {' '.join(filter(None, found))} The paper's agent wins {paper}."


def best_of(kind: str, finals: Sequence[Metrics]) -> str:
    if not finals:
        return ""
    best = max(finals, key=lambda final: final["against"]["rules"]["won"])
    won = " and ".join(f"{share(best['against'][name])} against {name}" for name in OPPONENTS)
    return f"The best {kind} is that of `{best['curve']}`, which wins {won}."


def final_rows(finals: Iterable[Metrics]) -> list[Row]:
    rows = [["curve", "seed", "plays", "deals", *(f"against {name}" for name in OPPONENTS)]]
    for final in finals:
        won = [share(final["against"][name]) for name in OPPONENTS]
        known = [f"`{final['curve']}`", str(final["seed"]), final["plays"]]
        counts = dict.fromkeys(final["against"][name]["deals"] for name in OPPONENTS)
        rows.append([*known, " / ".join(f"{deals:,}" for deals in counts), *won])
    return rows


def ceiling_rows(ceilings: Iterable[Metrics]) -> list[Row]:
    rows = [["player", "deals", *(f"against {name}" for name in OPPONENTS)]]
    for found in ceilings:
        won = [share(found["against"][name]) for name in OPPONENTS]
        rows.append([f"`{found['agent']}`", f"{found['deals']:,}", *won])
    return rows


def way_rows(lines: Sequence[Metrics]) -> list[Row]:
    rows = [["curve", "seed", "iterations", "decisions", "minutes", "explained", "versions"]]
    for (curve, seed), own in by_curve(lines).items():
        last, versions = own[-1], sum(line.get("admitted", 0) for line in own)
        done = [f"{last['iteration']:,}", short(last["samples"]), f"{last['seconds'] / 60:.0f}"]
        rows.append(
            [f"`{curve}`", str(seed), *done, f"{last['explained_variance']:.2f}", str(versions)]
        )
    return rows


def share(found: Mapping[str, float]) -> str:
    return f"{100 * found['won']:.1f} % ({100 * found['low']:.1f} … {100 * found['high']:.1f})"
