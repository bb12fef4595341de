"""The report and the figures of `experiments/leduc_reproduction.py`."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import mean
from typing import NamedTuple

from analysis.figures import duration, short, table
from analysis.figures.palette import BLACK, BLUE, GREEN, GREY, ORANGE, PINK, RED, SKY
from experiments.common.curves import describe
from experiments.common.runs import Metrics
from experiments.reports.convergence_figure import base_of, by_game
from spielgames.core.game import GAMES

Points = list[tuple[float, float]]
MILLI = 1000 / 2  # NashConv of two seats -> thousandths of an ante that each loses
POKER = ("kuhn_poker", "leduc_poker")
LEDUC = {  # the same game; whether players are told suits, which never matter
    "leduc_poker(suit_isomorphism=True)": "suits left out",
    "leduc_poker": "suits shown",
}
UNITS = {"iteration": "iterations", "nodes": "nodes", "episodes": "episodes", "seconds": "seconds"}
ANSWERS = {
    "average": "average of all iterations",
    "policy": "policy network",
    "last": "last iteration",
}


class MethodStyle(NamedTuple):
    description: str
    colour: str
    line: str = "-"


STYLES = {
    "sd_cfr": MethodStyle("SD-CFR and Deep CFR, from one run", BLUE),
    "dream": MethodStyle("DREAM", ORANGE, "--"),
    "vr_deep_dcfr_plus": MethodStyle("VR-DeepDCFR+", GREEN, "-."),
    "external": MethodStyle("external sampling: all actions of the traverser", BLUE),
    "sampled": MethodStyle("2 actions sampled, unbiased", ORANGE, "--"),
    "uncorrected": MethodStyle("2 actions sampled, biased", RED, "-."),
    "outcome": MethodStyle("outcome sampling: 1 action", GREY, ":"),
    "outcome_baseline": MethodStyle("outcome sampling with a baseline", PINK, "--"),
    "dcfr_plus": MethodStyle("outcome sampling with a baseline and DCFR+", GREEN, "-."),
    "openspiel_deep_cfr": MethodStyle("OpenSpiel's Deep CFR", BLACK, "--"),
    "openspiel_outcome_mccfr": MethodStyle("OpenSpiel's outcome-sampling MCCFR", GREY, "--"),
    "openspiel_external_mccfr": MethodStyle("OpenSpiel's external-sampling MCCFR", SKY, "--"),
    "openspiel_outcome_mccfr_cpp": MethodStyle(
        "OpenSpiel's outcome-sampling MCCFR, C++", GREY, ":"
    ),
    "openspiel_external_mccfr_cpp": MethodStyle(
        "OpenSpiel's external-sampling MCCFR, C++", SKY, ":"
    ),
    "openspiel_ismcts": MethodStyle("OpenSpiel's IS-MCTS", RED, "--"),
}
MARKERS = dict(zip(STYLES, "os^Dv*PX<>+xdhp", strict=True))
DESCRIPTIONS = {name: style.description for name, style in STYLES.items()}


class Published(NamedTuple):
    """A curve on Leduc in thousandths of an ante: as its authors print it (read off figures), and
    as others have reproduced it (romaf5/headsup-poker, 2026).
    """

    label: str
    axis: str
    method: str
    answer: str
    at: tuple[float, ...]
    printed: tuple[float, ...]
    reproduced: tuple[float, ...]


ITERATIONS = (500, 1000, 2000, 3000, 5000)
PUBLISHED = (
    Published(
        "SD-CFR (Steinberger 2019)",
        *("iteration", "sd_cfr", "average", ITERATIONS),
        printed=(96, 89, 69, 67, 59),
        reproduced=(90, 81, 58, 58, 60),
    ),
    Published(
        "Deep CFR (Brown et al. 2019)",
        *("iteration", "sd_cfr", "policy", ITERATIONS),
        printed=(116, 110, 93, 86, 80),
        reproduced=(109, 110, 94, 90, 101),
    ),
    Published(
        "DREAM (Steinberger et al. 2020)",
        *("nodes", "dream", "average", (2.6e6, 3.5e6, 6.7e6, 1e7, 1.3e7)),
        printed=(78, 67, 62, 57, 56),
        reproduced=(90, 74, 71, 60, 56),
    ),
    Published(
        "VR-DeepDCFR+ (2025)",
        *("episodes", "vr_deep_dcfr_plus", "policy", (1e6, 2e6, 4e6, 8e6, 1e7)),
        printed=(152, 121, 114, 85, 89),
        reproduced=(101, 79, 69, 68, 69),
    ),
)


def published_at(game: str, method: str) -> tuple[float, ...]:
    """The abscissae of a method's published curves."""
    curves = PUBLISHED if game in LEDUC else ()
    return tuple(sorted({x for p in curves if p.method == method for x in p.at}))


def shown(game: str, value: float) -> float:
    """NashConv in the unit in which it is shown."""
    return value * MILLI if base_of(game) in POKER else value


def unit(game: str) -> str:
    if base_of(game) in POKER:
        return "NashConv / 2, thousandths of an ante"
    return f"NashConv, {GAMES[base_of(game)].unit}" if base_of(game) in GAMES else "NashConv"


def series(
    metrics: list[Metrics], game: str, method: str, answer: str, axis: str
) -> dict[int, Points]:
    """The points of each seed's curve."""
    curves: dict[int, Points] = defaultdict(list)
    for m in metrics:
        fits = (m["game"], m["method"]) == (game, method)
        if fits and answer in m["nash_conv"] and m[axis] > 0:
            curves[m["seed"]].append((m[axis], shown(game, m["nash_conv"][answer])))
    return dict(curves)


def value_at(points: Points, x: float) -> float | None:
    """The value at the first measurement not before x, if there is one."""
    return next((value for at, value in points if at >= x), None)


def summary(values: Iterable[float | None]) -> str:
    """The mean over seeds, and their range."""
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    low, high = min(known), max(known)
    spread = f" ({low:.3g} … {high:.3g})" if len(known) > 1 else ""
    return f"{mean(known):.3g}{spread}"


def title(game: str) -> str:
    if game in LEDUC:
        return f"Leduc poker, {LEDUC[game]}"
    known = GAMES.get(base_of(game))
    return game.replace(base_of(game), f"{known.title} ").replace(",", ", ") if known else game


ASKED = """How near do Deep CFR and its relatives come to an equilibrium of small games, beside the
published curves and OpenSpiel's own learners?"""

PREFACE = """NashConv is what all seats together could gain by best responses, found exactly. For
poker it is given as NashConv / 2 in thousandths of an ante. A number for several seeds is their
mean, followed by the best and the worst. Nodes are the positions that traversals visit:
decisions with a choice, and ends (in OpenSpiel's learners also chance and forced moves). Seconds
are those of learning, without the measurements and the policy networks fitted for them. With more
than two seats, none of these methods is guaranteed to converge."""

SUITS = """SD-CFR, Deep CFR and DREAM were published with networks that are not told suits, which
never matter in Leduc (PokerRL leaves them out): OpenSpiel's `suit_isomorphism`. Where suits are
shown, a network has to find that out by itself, from a third of the samples for each case."""


def report(metrics: list[Metrics]) -> str:
    methods = {m["method"] for m in metrics}
    parts = ["# Deep CFR and its relatives", f"{ASKED} {answer(metrics)}", PREFACE]
    parts += ["## The methods", describe(methods, DESCRIPTIONS)]
    if any(published_at(m["game"], m["method"]) for m in metrics):
        parts += ["## Against the published curves, on Leduc poker", SUITS, comparison(metrics)]
    for game, lines in by_game(metrics).items():
        parts += [f"## {title(game)}: where the curves end ({unit(game)})", ends(game, lines)]
    return "\n\n".join(parts)


def answer(metrics: list[Metrics]) -> str:
    """The method that comes nearest on each game, by its average strategy or policy network."""
    found = []
    for game, lines in by_game(metrics).items():
        last = {(m["method"], m["seed"]): m["nash_conv"] for m in lines}
        values: dict[tuple[str, str], list[float]] = defaultdict(list)
        for (method, _), answers in last.items():
            for name in ("average", "policy"):
                if name in answers:
                    values[method, name].append(shown(game, answers[name]))
        if values:
            method, name = min(values, key=lambda key: mean(values[key]))
            value = f"{mean(values[method, name]):.3g} {short_unit(game)}"
            found.append(f"`{method}` on {short_title(game)} ({value}, {ANSWERS[name]})")
    return f"The nearest at the end: {', '.join(found)}."


def short_unit(game: str) -> str:
    return unit(game).partition(", ")[2]


def short_title(game: str) -> str:
    known = GAMES.get(base_of(game))
    return known.title if known else title(game)


def comparison(metrics: list[Metrics]) -> str:
    """Our curves and the published ones, at the published abscissae."""
    ours = [f"ours, {suits}" for suits in LEDUC.values()]
    rows = [["method", "at", *ours, "printed", "reproduced"]]
    for p in PUBLISHED:
        games = [series(metrics, game, p.method, p.answer, p.axis).values() for game in LEDUC]
        for x, printed, reproduced in zip(p.at, p.printed, p.reproduced, strict=True):
            at = f"{short(x)} {UNITS[p.axis]}"
            found = [summary(value_at(points, x) for points in curves) for curves in games]
            rows.append([p.label, at, *found, f"{printed}", f"{reproduced}"])
    return table(rows)


def ends(game: str, metrics: list[Metrics]) -> str:
    """The last measurement of each curve."""
    heading = ["method", "seeds", *ANSWERS.values()]
    rows = [[*heading, "iterations", "nodes", "nodes/s", "time per seed"]]
    for method in STYLES:
        last = {m["seed"]: m for m in metrics if m["method"] == method}
        if last:
            rows.append([f"`{method}`", f"{len(last)}", *end(game, list(last.values()))])
    return table(rows)


def end(game: str, last: list[Metrics]) -> list[str]:
    """The cells of a method, over all its seeds."""
    found = [
        summary(shown(game, m["nash_conv"][a]) for m in last if a in m["nash_conv"])
        for a in ANSWERS
    ]
    iterations, nodes, seconds = (
        mean(m[key] for m in last) for key in ("iteration", "nodes", "seconds")
    )
    rates = [short(nodes), short(nodes / seconds)] if nodes else ["–", "–"]
    return [*found, short(iterations), *rates, duration(seconds)]
