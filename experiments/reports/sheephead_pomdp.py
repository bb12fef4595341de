"""The report of `experiments/sheephead_pomdp.py`."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from analysis.figures import Row, table
from analysis.tournament.variance import Interval, intervals
from experiments.common.runs import Metrics

FIGURE = {1: 10, 2: 11, 3: 12, 4: 13}  # the thesis' number, by the number of learners
DESCRIPTIONS = {
    **{
        f"thesis-{k}": f"the thesis' setting, {k} learning: deals played on by rules"
        for k in FIGURE
    },
    "values-1": "the rest of the deal is worth what a critic of 46 features says",
    "learned": "the same with learned predictors, one for each opponent",
    "linear": "learned, with a linear critic and linear predictors",
    "mlp": "learned, with perceptrons",
    "to-end": "learned predictors, and deals played on to their end instead of asking the critic",
    "all-clues": "to-end, and the predictors know sides and points, too",
    "true-hands": "to-end, but it sees all hands (cheating)",
    "true-all": "to-end, but it sees all hands, and the others play on by the rules",
    "random-cards": "to-end, among players who play random cards",
    "rules-of-random": "thesis-1, among players who play random cards",
    "pimc-others": "to-end, among pimc:worlds=10",
    "pimc": "no learner: pimc:worlds=50 among rule-based players",
}


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
    agrees = "as the thesis says" if better == claimed else "other than the thesis says"
    result = f"do{'' if better else ' not do'} better than rule-based players, {agrees}"
    if found.lead.low <= 0 <= found.lead.high:
        result = "may or may not do better than rule-based players"
    lead, closest = show(found.lead), show(found.closest)
    return (
        f"Figure {FIGURE[found.learners]} (`{found.curve}`): learners {result}: their lead is"
        f" {lead} cents per hand; that of the closest pair is {closest}."
    )


def report(found: Sequence[Result], beliefs: Sequence[Metrics]) -> str:
    claims = [one for one in found if one.curve.startswith("thesis-")]
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
        "## Beliefs",
        "Nats for each unseen card, at the plays of rule-based players; exact marginals where the"
        " belief is uniform.",
        table(belief_rows(beliefs)),
        "![What beliefs say, and how often it is true](figures/beliefs.png)",
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


def belief_rows(beliefs: Iterable[Metrics]) -> list[Row]:
    rows = [["belief", "deals", "log-loss"]]
    for x in beliefs:
        loss = f"{x['log_loss']:.3f} ({x['low']:.3f} … {x['high']:.3f})"
        rows.append([f"`{x['belief']}`", f"{x['deals']}", loss])
    return rows


def as_json(found: Result) -> dict[str, Any]:
    """What pages quote."""
    return found._asdict() | {"better": found.lead.low > 0}
