"""The report and the figure of `experiments/snapszer_ablations.py`."""

from collections.abc import Iterable, Sequence
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import Row, save_figure, short, table
from analysis.figures.palette import BLUE, GREY
from experiments.common.curves import describe, in_order
from experiments.common.runs import Metrics

DESCRIPTIONS = {  # in the order of the config
    "rollouts": "policy iteration at information sets: 8 worlds, uniform; 3 × 128 units, canonical",
    "importance": "belief: 8 of 32 worlds, as likely as the policy makes what the other did",
    "exact": "belief: 8 of all deals, as likely as the policy makes what the other did",
    "free": "regularisation: none, π' ∝ exp(Q / τ)",
    "magnet": "regularisation: near the present policy and a slow average of it",
    "plain": "network: suits as they are",
    "trees": "continuation: 6 trees of 40 simulations, visits summed, PUCT",
    "mean": "aggregation: means over the trees",
    "gumbel": "root: Gumbel's, and so means over the trees",
    "bootstrap": "leaves played out at random for the first 40 % of the iterations",
}
COLUMNS = ("curve", "base", "seed", "mean", "low", "high", "deals")
SHIFT = 0.2  # from one seed's point to the next


def report(lines: Sequence[Metrics], finals: Sequence[Metrics], duels: Sequence[Metrics]) -> str:
    lines, finals = in_order(lines, DESCRIPTIONS), in_order(finals, DESCRIPTIONS)
    parts = [
        "# Ablations of AlphaZero on Snapszer",
        describe((line["curve"] for line in lines), DESCRIPTIONS),
        "## The curves",
        table(curve_rows(lines)),
        "## Game points per deal, on fresh deals",
        "Networks alone, each playing its likeliest action. Duplicate deals: each is played in both"
        " seatings. With 95 % intervals.",
        table(final_rows(finals)),
        "## Searches with the same network",
        table(duel_rows(duels)),
    ]
    return "\n\n".join(parts) + "\n"


def curve_rows(lines: Iterable[Metrics]) -> list[Row]:
    """What each curve has learnt from, and its CPU time."""
    last, used = {}, dict[tuple, float]()
    for line in lines:
        curve = line["curve"], line["seed"]
        last[curve] = line
        used[curve] = used.get(curve, 0.0) + line["cpu_seconds"]
    rows = [["curve", "seed", "deals", "decisions searched", "CPU seconds"]]
    for (name, seed), line in last.items():
        counts = short(line["positions"]), short(line["samples"])
        rows.append([name, str(seed), *counts, f"{used[name, seed]:.0f}"])
    return rows


def final_rows(finals: Iterable[Metrics]) -> list[Row]:
    rows = [["curve", "seed", "against", "deals", "game points per deal", "won"]]
    for one in finals:
        opponent = f"its base, {one['base']}" if "base" in one else f"`{one['opponent']}`"
        rows.append([one["curve"], str(one["seed"]), opponent, *result(one)])
    return rows


def duel_rows(duels: Iterable[Metrics]) -> list[Row]:
    rows = [["search", "against", "deals", "game points per deal", "won"]]
    return rows + [[f"`{x['agent']}`", f"`{x['opponent']}`", *result(x)] for x in duels]


def result(one: Metrics) -> tuple[str, str, str]:
    mean = f"{one['mean']:+.3f} ({one['low']:+.3f} … {one['high']:+.3f})"
    return short(one["deals"]), mean, f"{100 * one['win_rate']:.1f} %"


def save_figures(finals: Sequence[Metrics], folder: Path) -> list[Path]:
    """Save PDF, PNG and CSV of the forest plot."""
    shown = in_order([one for one in finals if "base" in one], DESCRIPTIONS)
    rows = [[one[name] for name in COLUMNS] for one in shown]
    return save_figure(draw(shown), folder / "differences", COLUMNS, rows)


def draw(shown: Sequence[Metrics]) -> Figure:
    """A point with its interval for each curve and seed, from the top down; a panel for each
    base; grey where it is open whether the change matters.
    """
    bases = list(dict.fromkeys(one["base"] for one in shown)) or [""]
    parts = [[one for one in shown if one["base"] == base] for base in bases]
    curves = [list(dict.fromkeys(one["curve"] for one in part)) for part in parts]
    heights = [max(1, len(names)) for names in curves]
    figure = Figure(figsize=(8.5, 1.4 + 0.42 * sum(heights)), layout="constrained")
    panels = figure.subplots(len(bases), 1, sharex=True, height_ratios=heights, squeeze=False)
    for axes, base, names, part in zip(panels[:, 0], bases, curves, parts, strict=True):
        draw_panel(axes, names, part)
        axes.set_title(f"changes of {base}", fontsize=9, loc="left")
    axes.set_xlabel("game points per deal against the base's network (95 %)", fontsize=9)
    return figure


def draw_panel(axes: Axes, names: Sequence[str], part: Sequence[Metrics]) -> None:
    seeds = sorted({one["seed"] for one in part})
    for one in part:
        y = names.index(one["curve"]) + SHIFT * (seeds.index(one["seed"]) - (len(seeds) - 1) / 2)
        colour = GREY if one["low"] <= 0 <= one["high"] else BLUE
        ends = [[one["mean"] - one["low"]], [one["high"] - one["mean"]]]
        axes.errorbar(one["mean"], y, xerr=ends, fmt="o", color=colour, markersize=3, capsize=3)
    axes.axvline(0, color="black", linewidth=0.8)
    labels = [f"{name}\n{DESCRIPTIONS[name]}" for name in names]
    axes.set_yticks(range(len(names)), labels, fontsize=7)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="x", labelsize=8)
    axes.tick_params(axis="y", length=0)
    axes.spines[["top", "right", "left"]].set_visible(False)
    axes.grid(axis="x", alpha=0.3)
