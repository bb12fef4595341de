"""The report and the figures of `experiments/sheephead_pomdp.py`."""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import Row, line_style, save_figure, table
from analysis.figures.palette import BLUE, GREY
from analysis.tournament.variance import Interval, intervals
from experiments.common.runs import Metrics

FIGURE = {1: 10, 2: 11, 3: 12, 4: 13}  # the thesis' number, by the number of learners
DESCRIPTIONS = {
    **{
        f"thesis-{k}": f"the thesis' setting, {k} learning, among rule-based players"
        for k in FIGURE
    },
    **{f"values-{k}": f"all features, hands' rewards only, {k} learning" for k in FIGURE},
    "learned": "values-1 with learned predictors instead of the rules",
    "unpredicted": "the same, but the others' plays are taken to be random",
    "linear": "learned, with a linear critic and linear predictors",
    "mlp": "learned, with perceptrons",
    "true-hands": "learned, but it sees all hands (cheating)",
    "true-critic": "learned, but deals are played to their end instead of asking the critic",
    "true-all": "all hands seen, the rules as predictor, deals played to their end",
    "random-cards": "learned, among players who play random cards",
    "rules-of-random": "the rules as predictor, among players who play random cards",
    "pimc-others": "learned, among pimc:worlds=10",
    "pimc": "no learner: pimc:worlds=50 among rule-based players",
}
PREDICTORS = "learned", "linear", "mlp", "random-cards", "pimc-others"
COLUMNS = ("curve", "hands", "who", "dollars", "least run", "most run")


class Result(NamedTuple):
    """A curve in numbers: cents per hand, with 95 % intervals over all sessions of all runs."""

    curve: str
    learners: int
    runs: int
    hands: int  # of each run
    each: Interval  # a learner
    other: Interval
    lead: Interval  # of the mean learner over the mean other
    closest: Interval  # of a learner over another player, for the pair where it is least
    gain: Interval  # over a rule-based player in the same seats with the same cards
    late_gain: Interval  # the same in the second half
    td_error: tuple[float | None, float | None]  # in the first and the last tenth
    log_loss: tuple[float | None, float | None]


def results(lines: Sequence[Metrics], config: dict[str, Any]) -> list[Result]:
    names = [name for name in DESCRIPTIONS if any(line["curve"] == name for line in lines)]
    return [result_of(name, [x for x in lines if x["curve"] == name], config) for name in names]


def result_of(name: str, lines: Sequence[Metrics], config: dict[str, Any]) -> Result:
    learners, hands = config["curves"][name]["learners"], config["hands"]
    money, gain = sessions(lines, "money") / hands, sessions(lines, "gain")
    runs, count = gain.shape
    flat = money.reshape(-1, money.shape[2])
    ours, theirs = flat[:, :learners], flat[:, learners:]
    pairs = intervals(ours[:, :, None] - theirs[:, None, :])
    means = np.stack([ours.mean(1), theirs.mean(1), ours.mean(1) - theirs.mean(1)], axis=1)
    return Result(
        name,
        learners,
        runs,
        count * hands,
        *intervals(means),
        min(pairs, key=lambda pair: pair.low),
        intervals(gain.reshape(-1))[0],
        intervals(gain[:, count // 2 :].reshape(-1))[0],
        ends(lines, "td_error"),
        ends(lines, "log_loss"),
    )


def sessions(lines: Iterable[Metrics], key: str) -> np.ndarray:
    """The values of each session, as far as all runs have come. `[runs, sessions, …]`"""
    runs: dict[int, list] = {}
    for line in lines:
        runs.setdefault(line["seed"], []).extend(line[key])
    shortest = min(map(len, runs.values()))
    return np.array([values[:shortest] for values in runs.values()], float)


def ends(lines: Iterable[Metrics], key: str) -> tuple[float | None, float | None]:
    """The mean in the first and in the last tenth."""
    values = sessions(lines, key)
    if values.size == 0 or np.isnan(values).all():
        return None, None
    tenth = max(1, values.shape[1] // 10)
    return round(values[:, :tenth].mean(), 4), round(values[:, -tenth:].mean(), 4)


def show(x: Interval) -> str:
    return f"{x.mean:+.2f} ({x.low:+.2f} … {x.high:+.2f})"


def verdict(found: Result) -> str:
    """What became of the thesis' claim: with three or more rule-based players a learner does
    significantly better, and with fewer the advantage is lost.
    """
    better, claimed = found.lead.low > 0, found.learners <= 2
    result = "do significantly better" if better else "do not do significantly better"
    agrees = "as the thesis says" if better == claimed else "other than the thesis says"
    return (
        f"Figure {FIGURE[found.learners]} (`{found.curve}`): learners {result} than rule-based"
        f" players, {agrees}: their lead is {show(found.lead)} cents per hand; that of the closest"
        f" pair is {show(found.closest)}."
    )


def report(lines: Sequence[Metrics], config: dict[str, Any]) -> str:
    found = results(lines, config)
    claims = [one for one in found if one.curve.startswith(("thesis-", "values-"))]
    parts = [
        "# Learners with a belief state on Sheephead",
        "## The thesis' claim",
        "\n".join(f"- {verdict(one)}" for one in claims),
        "![Money over hands](figures/money.png)",
        "## All curves",
        "\n".join(f"- `{one.curve}`: {DESCRIPTIONS[one.curve]}" for one in found),
        "Cents per hand, with 95 % intervals over all sessions of all runs. *Gain* is that over a"
        " rule-based player in the same seats with the same cards.",
        table(rows_of(found)),
        "## Errors before learning, in the first and the last tenth of each run",
        table(error_rows(found)),
        "![Log-loss of the predictors](figures/predictors.png)",
    ]
    return "\n\n".join(parts) + "\n"


def rows_of(found: Iterable[Result]) -> list[Row]:
    rows = [["curve", "runs × hands", "each learner", "lead", "gain", "gain, second half"]]
    for x in found:
        numbers = [show(each) for each in (x.each, x.lead, x.gain, x.late_gain)]
        rows.append([x.curve, f"{x.runs} × {x.hands:,}", *numbers])
    return rows


def error_rows(found: Iterable[Result]) -> list[Row]:
    rows = [["curve", "TD error", "then", "log-loss of plays, nats", "then"]]
    for x in found:
        if x.td_error[0] is not None:
            both = (*x.td_error, *x.log_loss)
            rows.append([x.curve, *("" if e is None else f"{e:.3f}" for e in both)])
    return rows


def as_json(lines: Sequence[Metrics], config: dict[str, Any]) -> list[dict]:
    """What pages quote."""
    return [x._asdict() | {"better": x.lead.low > 0} for x in results(lines, config)]


def save_figures(lines: Sequence[Metrics], config: dict[str, Any], folder: Path) -> list[Path]:
    """Save PDF, PNG and CSV of each figure."""
    names = [name for name in DESCRIPTIONS if any(line["curve"] == name for line in lines)]
    claims = [name for name in names if name.startswith(("thesis-", "values-"))]
    paths = {name: money_paths(name, lines, config) for name in claims}
    rows = [row for name in claims for row in money_rows(name, *paths[name])]
    files = save_figure(draw_money(paths), folder / "money", COLUMNS, rows)
    curves = {name: loss_path(name, lines, config) for name in PREDICTORS if name in names}
    losses = [(name, *map(float, pair)) for name, path in curves.items() for pair in path]
    columns = "curve", "hands", "nats"
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


def tidy(axes: Axes) -> None:
    axes.tick_params(labelsize=8)
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(alpha=0.3)
