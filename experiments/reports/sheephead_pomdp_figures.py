"""The figures of `experiments/sheephead_pomdp.py`."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import line_style, save_figure
from analysis.figures.palette import BLUE, GREY
from experiments.common.runs import Metrics
from experiments.reports.sheephead_pomdp import (
    DESCRIPTIONS,
    FIGURE,
    SEAT_CURVES,
    Result,
    blocks,
    results,
    sessions,
)

PREDICTORS = "learned-1", "ngnet", "linear", "table-2", "random-cards", "among-pimc"
PANELS = "thesis", "learned"  # the rows of figures 10 to 13
COLUMNS = ("curve", "hands", "who", "dollars", "least run", "most run")
GAIN_COLUMNS = "cents", "low", "high"
SEAT_COLUMNS = "curve", "seat", "cents", "rules", "by roles"


def save_figures(
    lines: Sequence[Metrics], config: dict[str, Any], beliefs: Sequence[Metrics], folder: Path
) -> list[Path]:
    """Save PDF, PNG and CSV of each figure."""
    names = [name for name in DESCRIPTIONS if any(line["curve"] == name for line in lines)]
    claims = [name for name in names if name.partition("-")[0] in PANELS and name[-1].isdigit()]
    found = results(lines, config)
    paths = {name: money_paths(name, lines, config) for name in claims}
    rows = [row for name in claims for row in money_rows(name, *paths[name])]
    files = save_figure(draw_money(paths), folder / "money", COLUMNS, rows)
    curves = {name: loss_path(name, lines, config) for name in PREDICTORS if name in names}
    losses = [(name, *map(float, pair)) for name, path in curves.items() for pair in path]
    gains = [(x.curve, *x.gain[:3]) for x in found]
    files += save_figure(draw_gains(found), folder / "gains", ("curve", *GAIN_COLUMNS), gains)
    own = [x for x in found if x.curve in SEAT_CURVES]
    seats = [(x.curve, k, *x.by_seat[k], x.explained[k]) for x in own for k in range(5)]
    files += save_figure(draw_seats(own), folder / "seats", SEAT_COLUMNS, seats)
    columns = "curve", "hands", "nats"
    points = [(x["belief"], *point) for x in beliefs for point in x["reliability"]]
    about = "belief", "cards", "said", "true"
    files += save_figure(draw_beliefs(beliefs), folder / "beliefs", about, points)
    return files + save_figure(draw_losses(curves), folder / "predictors", columns, losses)


def money_paths(
    name: str, lines: Sequence[Metrics], config: dict[str, Any]
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Hands, and the dollars of a learner and of another player in each run. `[runs, sessions]`"""
    own = [line for line in lines if line["curve"] == name]
    dollars = sessions(own, "money").cumsum(axis=1) / 100
    learners = config["curves"][name]["learners"]
    hands = config["hands"] * np.arange(1, dollars.shape[1] + 1)
    return hands, dollars[:, :, :learners].mean(2), dollars[:, :, learners:].mean(2)


def money_rows(name: str, hands: np.ndarray, *dollars: np.ndarray) -> list[tuple]:
    return [
        (name, int(h), who, *(round(float(f(runs[:, i])), 2) for f in (np.mean, np.min, np.max)))
        for who, runs in zip(("learner", "rule-based"), dollars, strict=True)
        for i, h in enumerate(hands)
    ]


def draw_money(paths: dict[str, tuple]) -> Figure:
    """A panel for each number of learners, a row for each setting."""
    kinds = list(dict.fromkeys(name.partition("-")[0] for name in paths))
    picture = Figure(figsize=(11, 1 + 2.6 * max(1, len(kinds))), layout="constrained")
    grid = picture.subplots(max(1, len(kinds)), len(FIGURE), squeeze=False)
    for axes in grid.flat:
        axes.set_visible(False)
    for name, (hands, *dollars) in paths.items():
        kind, _, count = name.partition("-")
        axes = grid[kinds.index(kind), int(count) - 1]
        axes.set_visible(True)
        for runs, colour, dash in zip(dollars, (BLUE, GREY), ("-", "--"), strict=True):
            axes.plot(hands / 1000, runs.mean(0), color=colour, linestyle=dash, lw=1.4)
            axes.fill_between(hands / 1000, runs.min(0), runs.max(0), color=colour, alpha=0.2, lw=0)
        axes.set_title(f"{kind}: {count} learning (figure {FIGURE[int(count)]})", fontsize=9)
        tidy(axes)
    lines = [grid.flat[0].plot([], [], color=BLUE)[0]]
    lines += grid.flat[0].plot([], [], color=GREY, linestyle="--")
    labels = "a learner, mean and range of the runs", "a rule-based player"
    picture.legend(lines, labels, loc="outside upper center", ncols=2, frameon=False, fontsize=9)
    picture.supylabel("money ($)", fontsize=10)
    picture.supxlabel("thousands of hands", fontsize=10)
    return picture


def draw_gains(found: Sequence[Result]) -> Figure:
    """What each player gains, with its interval, from the top down."""
    picture = Figure(figsize=(6.5, 1 + 0.24 * len(found)), layout="constrained")
    axes, rows = picture.subplots(), range(len(found))
    for k, x in zip(rows, found, strict=True):
        axes.plot([x.gain.low, x.gain.high], [k, k], color=GREY, lw=1.4)
        axes.plot(x.gain.mean, k, "o" if x.gain.low > 0 else "s", color=BLUE, ms=4, mfc="white")
    for marker, label in (("o", "more than none (95 %)"), ("s", "not surely more than none")):
        axes.plot([], [], marker, color=BLUE, ms=4, mfc="white", label=label)
    axes.legend(frameon=False, fontsize=8)
    axes.axvline(0, color="black", lw=0.7, ls=":")
    axes.set_yticks(rows, [x.curve for x in found])
    axes.invert_yaxis()
    axes.set_xlabel("gain over a rule-based player in its place, cents per hand")
    tidy(axes)
    return picture


def draw_seats(found: Sequence[Result]) -> Figure:
    """A panel for each player: by seat, its cents, those of the rules there, and by roles alone."""
    picture = Figure(figsize=(2.6 * max(1, len(found)), 3), layout="constrained")
    grid = picture.subplots(1, max(1, len(found)), sharey=True, squeeze=False)[0]
    for axes, x in zip(grid, found, strict=False):
        own, rules = np.array(x.by_seat).T
        drawn = own, rules, x.explained
        for k, (cents, name) in enumerate(zip(drawn, ("player", "rules", "roles"), strict=True)):
            axes.plot(cents, label=name, **line_style(k) | {"lw": 1.2, "ms": 4})
        axes.set_title(x.curve, fontsize=9)
        axes.set_xlabel("seat, from the dealer's left", fontsize=8)
        tidy(axes)
    if found:
        grid[0].set_ylabel("cents per hand")
        grid[0].legend(frameon=False, fontsize=8)
    return picture


def loss_path(name: str, lines: Sequence[Metrics], config: dict[str, Any]) -> np.ndarray:
    """Hands, and the log-loss of the predictors. `[blocks, 2]`"""
    losses = blocks([line for line in lines if line["curve"] == name], "log_loss").mean(axis=0)
    block = config["hands"] * config["sessions"]
    return np.column_stack([block * np.arange(1, len(losses) + 1), losses])


def draw_losses(curves: dict[str, np.ndarray]) -> Figure:
    picture = Figure(figsize=(6.5, 4), layout="constrained")
    axes = picture.subplots()
    for k, (name, path) in enumerate(curves.items()):
        style = line_style(k) | {"lw": 1.2, "ms": 4, "markevery": max(1, len(path) // 8)}
        axes.plot(path[:, 0], path[:, 1], label=name, **style)
    axes.set_ylabel("log-loss of a card played, nats")
    axes.set_xlabel("hands")
    if curves:
        axes.legend(frameon=False, fontsize=9)
    tidy(axes)
    return picture


def draw_beliefs(beliefs: Sequence[Metrics]) -> Figure:
    picture = Figure(figsize=(4.5, 4.5), layout="constrained")
    axes = picture.subplots()
    axes.plot([0, 1], [0, 1], color="black", lw=0.7, ls=":")
    for k, one in enumerate(beliefs):
        _, said, true = np.array(one["reliability"]).T
        axes.plot(said, true, label=one["belief"], **line_style(k) | {"lw": 1.2, "ms": 4})
    axes.set_xlabel("probability that a card lies in a place")
    axes.set_ylabel("share of the cards that do")
    if beliefs:
        axes.legend(frameon=False, fontsize=9)
    tidy(axes)
    return picture


def tidy(axes: Axes) -> None:
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
