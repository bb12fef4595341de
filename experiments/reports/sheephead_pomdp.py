"""The report of `experiments/sheephead_pomdp.py`."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from analysis.figures import Row, table
from analysis.tournament.variance import Interval, intervals
from experiments.common.runs import Metrics
from experiments.common.tables import ROLES

SEAT_CURVES = "thesis-1", "learned-1", "pimc", "search"
FIGURE = {1: 10, 2: 11, 3: 12, 4: 13}  # the thesis' number, by the number of learners
DESCRIPTIONS = {
    **{
        f"thesis-{k}": f"the thesis' setting, {k} learning: deals played on by the rules"
        for k in FIGURE
    },
    "no-actor": "thesis-1 without an actor: it learns nothing that it plays by",
    "predictor-only": "the same with learned predictors",
    **{f"learned-{k}": f"thesis-{k} with learned predictors" for k in FIGURE},
    "ngnet": "learned-1 with normalised Gaussian networks as predictors, in place of perceptrons",
    "linear": "learned-1 with linear predictors",
    "table-2": "learned-1 whose predictors see the 26 inputs of table 2, by the own belief",
    "critic": "thesis-1 with a critic of 46 features in place of the rest of the deal",
    "critic-mlp": "critic with a perceptron",
    "critic-learned": "critic with learned predictors",
    "learned-belief": "learned-1 with worlds drawn as its predictors make them likely",
    "rules-belief": "thesis-1 with worlds drawn as the rules make them likely",
    "true-hands": "learned-1, but it sees all hands (cheating)",
    "true-all": "thesis-1, but it sees all hands (cheating)",
    "thesis-bids": "thesis-1 without an actor, but it bids, buries and calls by foresight, too",
    "more-worlds": "thesis-bids with 50 worlds in place of 8",
    "bids": "thesis-bids with learned predictors",
    "actor-bids": "bids with an actor of 46 features",
    "all-stages": "bids by the full rules: Nola is played, too",
    "random-cards": "learned-1 among players who play random cards",
    "rules-of-random": "thesis-1 among players who play random cards",
    "among-pimc": "learned-1 among pimc:worlds=10",
    "rules-of-pimc": "thesis-1 among pimc:worlds=10",
    "moved-to-rules": "the learner of learned-1 as it is at the end; it learns no more",
    "moved-to-random": "the same among players who play random cards",
    "moved-to-pimc": "the same among pimc:worlds=10",
    "pimc": "no learner: pimc:worlds=50 among rule-based players",
    "search": "no learner: the search preset among rule-based players",
    "ppo": "no learner here: net:sheephead, trained by PPO, among rule-based players",
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
    by_seat: list[list[float]]  # cents per hand of a learner and of the rules in its place
    by_role: list[list[float]]  # the share of the hands, and the same
    by_both: list[list[list[float]]]  # by seat and role, the share of the seat's hands
    explained: list[float]  # cents per hand that a seat brings by its roles alone
    speed: float  # hands per second of one processor


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
        *seat_effect(lines),
        speed(lines, hands),
    )


def speed(lines: Sequence[Metrics], hands: int) -> float:
    """Hands per second in the median block: the first one may be compiled, too."""
    return round(len(lines[0]["gain"]) * hands / float(np.median([x["seconds"] for x in lines])), 1)


def seat_effect(lines: Sequence[Metrics]) -> tuple[list, list, list, list]:
    """Cents per hand by seat and by role, and what each seat would bring if only the frequency of
    its roles mattered: Σ P(role | seat) · cents of the rules in that role.
    """
    hands, cents, rules = np.moveaxis(sum(np.array(line["seats"]) for line in lines), 2, 0)
    most = np.maximum
    seats = np.stack([each.sum(1) / most(hands.sum(1), 1) for each in (cents, rules)], axis=1)
    roles = np.stack([each.sum(0) / most(hands.sum(0), 1) for each in (cents, rules)], axis=1)
    shares = hands / most(hands.sum(axis=1, keepdims=True), 1)
    by_role = np.column_stack([hands.sum(0) / hands.sum(), roles])
    both = np.stack([shares, cents / most(hands, 1), rules / most(hands, 1)], axis=2)
    found = seats, by_role, both, shares @ roles[:, 1]
    return tuple(x.round(3).tolist() for x in found)


def sessions(lines: Iterable[Metrics], key: str) -> np.ndarray:
    """The values of each session, as far as all runs have come. `[runs, sessions, …]`"""
    runs: dict[int, list] = {}
    for line in lines:
        runs.setdefault(line["seed"], []).extend(line[key])
    shortest = min(map(len, runs.values()))
    return np.array([values[:shortest] for values in runs.values()], float)


def ends(lines: Iterable[Metrics], key: str) -> tuple[float | None, float | None]:
    """The mean in the first and in the last tenth."""
    values = blocks(lines, key)
    if values.size == 0:
        return None, None
    tenth = max(1, values.shape[1] // 10)
    return round(values[:, :tenth].mean(), 4), round(values[:, -tenth:].mean(), 4)


def blocks(lines: Iterable[Metrics], key: str) -> np.ndarray:
    """The values of each block, as far as all runs have come; none if there are none.
    `[runs, blocks]`
    """
    runs: dict[int, list] = {}
    for line in lines:
        if line[key] is not None:
            runs.setdefault(line["seed"], []).append(line[key])
    shortest = min(map(len, runs.values()), default=0)
    return np.array([values[:shortest] for values in runs.values()], float)


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
        f" {lead} cents per hand, that of the closest pair {closest}; each gains"
        f" {show(found.gain)} over a rule-based player in its place."
    )


def report(found: Sequence[Result], beliefs: Sequence[Metrics]) -> str:
    claims = [one for one in found if one.curve[:-2] in ("thesis", "learned")]
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
        "![Gains over a rule-based player](figures/gains.png)",
        "## Errors before learning, in the first and the last tenth of each run",
        table(error_rows(found)),
        "![Log-loss of the predictors](figures/predictors.png)",
        "## Seats",
        "Cents per hand of a learner and of a rule-based player in its place, seat 0 being left of"
        " the dealer; and what a seat would bring if only the frequency of its roles mattered.",
        table(seat_rows(found)),
        "![Cents by seat](figures/seats.png)",
        "Cents per hand by role, and the share of hands in that role.",
        table(role_rows(found)),
        "## Beliefs",
        "Nats for each unseen card, at the plays of rule-based players; exact marginals where the"
        " belief is uniform.",
        table(belief_rows(beliefs)),
        "![What beliefs say, and how often it is true](figures/beliefs.png)",
    ]
    return "\n\n".join(parts) + "\n"


def rows_of(found: Iterable[Result]) -> list[Row]:
    titles = "runs × hands", "each learner", "lead", "gain", "gain, second half", "hands/s"
    rows = [["curve", *titles]]
    for x in found:
        numbers = [show(each) for each in (x.each, x.lead, x.gain, x.late_gain)]
        rows.append([x.curve, f"{x.runs} × {x.hands:,}", *numbers, f"{x.speed:,.0f}"])
    return rows


def error_rows(found: Iterable[Result]) -> list[Row]:
    rows = [["curve", "TD error", "then", "log-loss of plays, nats", "then"]]
    for x in found:
        if x.td_error[0] is not None:
            both = (*x.td_error, *x.log_loss)
            rows.append([x.curve, *("" if e is None else f"{e:.3f}" for e in both)])
    return rows


def seat_rows(found: Iterable[Result]) -> list[Row]:
    rows = [["curve", *(f"seat {k}" for k in range(5))]]
    for x in (each for each in found if each.curve in SEAT_CURVES):
        rows.append([f"`{x.curve}`", *(f"{own:+.2f}" for own, _ in x.by_seat)])
        rows.append(["the rules there", *(f"{rules:+.2f}" for _, rules in x.by_seat)])
        rows.append(["by roles alone", *(f"{cents:+.2f}" for cents in x.explained)])
    return rows


def role_rows(found: Iterable[Result]) -> list[Row]:
    rows = [["curve", "role", "share", "learner", "the rules there"]]
    for x in (each for each in found if each.curve in SEAT_CURVES):
        for name, (share, own, rules) in zip(ROLES, x.by_role, strict=True):
            rows.append([f"`{x.curve}`", name, f"{share:.1%}", f"{own:+.2f}", f"{rules:+.2f}"])
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
