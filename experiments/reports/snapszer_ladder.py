"""The report and the figures of `experiments/snapszer_ladder.py`."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import fields
from math import comb
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from analysis.figures import Row, line_style, save_figure, short, table
from analysis.tournament.figure import draw_matrix, draw_pairs
from analysis.tournament.pairs import PairResult, mean_matrix
from analysis.tournament.ratings import rate
from experiments.common.curves import describe, in_order
from experiments.common.runs import Metrics
from experiments.reports.strength import LOSSES, by_curve, tidy

BOOT, AZ = "BOOT", "AZ"  # phases: leaves are played out at random, or valued by the network
DESCRIPTIONS = {  # in the order of the config
    "T0-Direct": "Deep Monte Carlo, no search; 2 × 128, one network each to lead and to follow",
    "T1-Pawn": "1 × 32 units, heads of 16; 2,000 games; 30 simulations in 3 worlds",
    "T2-Scout": "2 × 64 units, heads of 32; 4,500 games; 40 × 3",
    "T3-Knight": "2 × 64 units, heads of 32; 8,000 games; 50 × 4",
    "T4-Bishop": "2 × 128 units, heads of 64; 15,000 games; 60 × 5",
    "T5-Rook": "2 × 128 units, heads of 64; 20,000 games; 60 × 5",
    "T6-Captain": "3 × 128 units, heads of 64; 48,000 games; 80 × 6",
    "T7-General": "4 × 256 units, heads of 128; 100,000 games; 150 × 8",
    "T8-Marshal": "4 × 256 units, heads of 128; 200,000 games; 200 × 12",
    "Knight-126": "T3-Knight with the paper's 126 features, which do not say who has closed",
    "linear": "T0 with a linear model",
}
SEARCHES = {
    "trees": "trees, the most visited action",
    "trees_mean": "trees, the best mean of worlds",
    "rollouts": "rollouts at information sets by the same network",
    "pimc": "pimc, which needs no network",
}
COLUMNS = ("tier", "games", "phase", "VMSE", "PCE")


def report(lines: Sequence[Metrics], games: Sequence[Metrics], budgets: Sequence[Metrics]) -> str:
    lines = in_order(lines, DESCRIPTIONS)
    parts = [
        "# The ladder of Snapszer players",
        "## The tiers",
        describe((line["curve"] for line in lines), DESCRIPTIONS),
        table(tier_rows(lines)),
        "## Round robin: game points per deal",
        "Duplicate deals: each is played in both seatings. With 95 % intervals.",
        table(rating_rows(games)),
        table(matrix_rows(games)),
        table(pair_rows(games)),
        "## More search at play",
        table(budget_rows(budgets)),
    ]
    return "\n\n".join(parts) + "\n"


def tier_rows(lines: Iterable[Metrics]) -> list[Row]:
    """VMSE and PCE at first, and at the end of each phase."""
    rows = [["tier", "games", "minutes", "VMSE", f"[{BOOT}]", f"[{AZ}]", "PCE", *phases()]]
    for (tier, _), found in by_curve(lines).items():
        last = found[-1]
        row = [tier, short(last["positions"]), f"{last['seconds'] / 60:.1f}"]
        ends = [found[0], last_of(found, BOOT), last_of(found, AZ) or last]
        for loss in ("value", "policy"):
            row += ["" if end is None else shown(end["losses"].get(loss)) for end in ends]
        rows.append(row)
    return rows


def phases() -> list[str]:
    return [f"[{BOOT}] ", f"[{AZ}] "]


def last_of(lines: Iterable[Metrics], phase: str) -> Metrics | None:
    return ([None, *(line for line in lines if line["phase"] == phase)])[-1]


def shown(loss: float | None) -> str:
    return "" if loss is None else f"{loss:.3f}"


def results_of(games: Iterable[Metrics]) -> list[PairResult]:
    names = [f.name for f in fields(PairResult)]
    return [PairResult(**{name: line[name] for name in names}) for line in games]


def players_in(games: Iterable[Metrics]) -> list[str]:
    """The anchors first, then the tiers."""
    names = dict.fromkeys(name for line in games for name in (line["a"], line["b"]))
    return sorted(
        names, key=lambda name: [*DESCRIPTIONS].index(name) if name in DESCRIPTIONS else -1
    )


def rating_rows(games: Sequence[Metrics]) -> list[Row]:
    """Ratings, the best first, once all pairs have met."""
    rows = [["player", "mean over opponents", "openskill", "α-rank"]]
    names = players_in(games)
    if not games or len(games) < comb(len(names), 2):
        return rows
    margins = [np.array(line["margins"]) for line in games]
    for one in sorted(rate(names, results_of(games), margins), key=lambda one: -one.mean):
        skill = f"{one.skill:.1f} ± {one.uncertainty:.1f}"
        rows.append([one.agent, f"{one.mean:+.3f}", skill, f"{one.alpha_rank:.3f}"])
    return rows


def matrix_rows(games: Sequence[Metrics]) -> list[Row]:
    names = players_in(games)
    rows = [["mean of ↓ against →", *names]]
    for name, means in zip(names, mean_matrix(names, results_of(games)), strict=True):
        rows.append([name, *("" if np.isnan(mean) else f"{mean:+.2f}" for mean in means)])
    return rows


def pair_rows(games: Iterable[Metrics]) -> list[Row]:
    rows = [["the second against the first", "deals", "game points per deal", "won"]]
    for line in games:
        won = f"{100 * (1 - line['win_rate']):.1f} %"
        rows.append([f"{line['b']} – {line['a']}", short(line["deals"]), of_second(line), won])
    return rows


def of_second(line: Metrics) -> str:
    return f"{-line['mean']:+.3f} ({-line['high']:+.3f} … {-line['low']:+.3f})"


def budget_rows(budgets: Iterable[Metrics]) -> list[Row]:
    rows = [["search", "size", "ms for a decision", "deals", "game points per deal", "won"]]
    for line in budgets:
        mean = f"{line['mean']:+.3f} ({line['low']:+.3f} … {line['high']:+.3f})"
        row = [SEARCHES[line["search"]], line["size"], f"{line['ms']:.2f}"]
        rows.append([*row, short(line["deals"]), mean, f"{100 * line['win_rate']:.1f} %"])
    return rows


def save_figures(
    lines: Sequence[Metrics], games: Sequence[Metrics], budgets: Sequence[Metrics], folder: Path
) -> list[Path]:
    """Save PDF, PNG and CSV of each figure."""
    lines = [line for line in in_order(lines, DESCRIPTIONS) if line["phase"]]
    pairs = results_of(games)
    columns = "a", "b", "deals", "mean", "low", "high", "win_rate"
    found = save_figure(draw_losses(lines), folder / "losses", COLUMNS, losses(lines))
    rows = [[getattr(pair, name) for name in columns] for pair in pairs]
    found += save_figure(draw_ladder(players_in(games), pairs), folder / "ladder", columns, rows)
    if budgets:
        columns = "search", "size", "ms", "deals", "mean", "low", "high", "win_rate"
        rows = [[line[name] for name in columns] for line in budgets]
        found += save_figure(draw_budgets(budgets), folder / "budgets", columns, rows)
    return found


def losses(lines: Iterable[Metrics]) -> Iterator[tuple]:
    for line in lines:
        both = (line["losses"][name] for name in LOSSES)
        yield line["curve"], line["positions"], line["phase"], *both


def draw_losses(lines: Sequence[Metrics]) -> Figure:
    """Over the share of a tier's games, so that all change their phase at the same place."""
    figure = Figure(figsize=(11, 4.6), layout="constrained")
    for axes, (name, title) in zip(figure.subplots(1, 2), LOSSES.items(), strict=True):
        for k, ((tier, _), found) in enumerate(by_curve(lines).items()):
            values = [line["losses"][name] for line in found]
            style = line_style(k) | {"lw": 1.2, "ms": 4, "markevery": max(1, len(found) // 8)}
            shares = np.arange(1, len(found) + 1) / len(found)
            axes.plot(shares, values, **style, label=tier)
            change = sum(line["phase"] == BOOT for line in found) / len(found)
            axes.axvline(change, color="black", lw=0.5, ls=":")
        axes.set_title(title, fontsize=9)
        axes.text(0.2, 1, f"[{BOOT}]", transform=axes.transAxes, va="top", ha="center")
        axes.text(0.7, 1, f"[{AZ}]", transform=axes.transAxes, va="top", ha="center")
        axes.set_xlabel("share of the tier's games", fontsize=9)
        tidy(axes)
    figure.axes[1].legend(frameon=False, fontsize=8)
    return figure


def draw_ladder(names: Sequence[str], pairs: Sequence[PairResult]) -> Figure:
    """The matrix of means, and the tiers that are next to each other with intervals."""
    figure = Figure(figsize=(13, 6.2), layout="constrained")
    left, right = figure.subplots(1, 2, width_ratios=(8, 5))
    draw_matrix(left, names, mean_matrix(names, pairs))
    left.set_title("game points per deal of row against column", fontsize=9)
    most = max((pair.deals for pair in pairs), default=0)
    neighbours = [pair for pair in pairs if pair.deals == most]
    if neighbours:
        draw_pairs(right, neighbours)
    right.set_xlabel("game points per deal of the first against the second (95 %)", fontsize=9)
    return figure


def draw_budgets(budgets: Sequence[Metrics]) -> Figure:
    """Strength against time, a curve for each search."""
    figure = Figure(figsize=(7.5, 5), layout="constrained")
    axes = figure.subplots()
    for k, search in enumerate(dict.fromkeys(line["search"] for line in budgets)):
        found = [line for line in budgets if line["search"] == search]
        means = np.array([line["mean"] for line in found])
        ends = np.array([[line["low"], line["high"]] for line in found]).T
        times = [line["ms"] for line in found]
        style = line_style(k) | {"lw": 1.2, "ms": 4, "label": SEARCHES[search]}
        axes.errorbar(times, means, np.abs(ends - means), capsize=2, **style)
        for line in found:
            axes.annotate(line["size"], (line["ms"], line["mean"]), (3, 4), fontsize=6,
                          textcoords="offset points")  # fmt: skip
    axes.set_xscale("log")
    for ticks in (axes.xaxis.set_major_formatter, axes.xaxis.set_minor_formatter):
        ticks("{x:g}")
    axes.axhline(0, color="black", lw=0.7, ls=":")
    axes.set_xlabel("milliseconds of one core for a decision, many at once", fontsize=9)
    axes.set_ylabel("game points per deal (95 %)", fontsize=9)
    axes.legend(frameon=False, fontsize=8)
    tidy(axes)
    return figure
