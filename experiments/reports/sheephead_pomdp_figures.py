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
from experiments.reports.sheephead_pomdp import DESCRIPTIONS, FIGURE, sessions

PREDICTORS = "learned", "linear", "mlp", "to-end", "all-clues", "random-cards", "pimc-others"
COLUMNS = ("curve", "hands", "who", "dollars", "least run", "most run")


def save_figures(
    lines: Sequence[Metrics], config: dict[str, Any], beliefs: Sequence[Metrics], folder: Path
) -> list[Path]:
    """Save PDF, PNG and CSV of each figure."""
    names = [name for name in DESCRIPTIONS if any(line["curve"] == name for line in lines)]
    claims = [name for name in names if name.startswith("thesis-")]
    paths = {name: money_paths(name, lines, config) for name in claims}
    rows = [row for name in claims for row in money_rows(name, *paths[name])]
    files = save_figure(draw_money(paths), folder / "money", COLUMNS, rows)
    curves = {name: loss_path(name, lines, config) for name in PREDICTORS if name in names}
    losses = [(name, *map(float, pair)) for name, path in curves.items() for pair in path]
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
    picture = Figure(figsize=(11, 1 + 2.6 * len(kinds)), layout="constrained")
    grid = picture.subplots(len(kinds), len(FIGURE), sharex=True, sharey=True, squeeze=False)
    for name, (hands, *dollars) in paths.items():
        kind, _, count = name.partition("-")
        axes = grid[kinds.index(kind), int(count) - 1]
        for runs, colour, dash in zip(dollars, (BLUE, GREY), ("-", "--"), strict=True):
            axes.plot(hands, runs.mean(0), color=colour, linestyle=dash, lw=1.4)
            axes.fill_between(hands, runs.min(0), runs.max(0), color=colour, alpha=0.2, lw=0)
        axes.set_title(f"{kind}: {count} learning (figure {FIGURE[int(count)]})", fontsize=9)
    for axes in grid.flat:
        tidy(axes)
    lines = [grid.flat[0].plot([], [], color=BLUE)[0]]
    lines += grid.flat[0].plot([], [], color=GREY, linestyle="--")
    labels = "a learner, mean and range of the runs", "a rule-based player"
    picture.legend(lines, labels, loc="outside upper center", ncols=2, frameon=False, fontsize=9)
    picture.supylabel("money ($)", fontsize=10)
    picture.supxlabel("hands", fontsize=10)
    return picture


def loss_path(name: str, lines: Sequence[Metrics], config: dict[str, Any]) -> np.ndarray:
    """Hands, and the log-loss of the predictors. `[blocks, 2]`"""
    losses = sessions([line for line in lines if line["curve"] == name], "log_loss")
    losses = losses.mean(axis=(0, 2))
    return np.column_stack([config["hands"] * np.arange(1, len(losses) + 1), losses])


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
