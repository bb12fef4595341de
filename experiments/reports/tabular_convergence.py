"""The report of `experiments/tabular_convergence.py`: the targets, then where the curves end."""

from collections import Counter

from analysis.figures import duration, table
from analysis.speed.benchmark import verdict
from experiments.common.curves import describe
from experiments.common.runs import Metrics
from experiments.reports.convergence_figure import DESCRIPTIONS, STYLES, by_game, title

VALUES = {"kuhn_poker": -1 / 18, "leduc_poker": -0.0856}  # of the first seat
CLOSE = 1e-4
NASH_CONV = 1e-3  # NashConv of CFR+ on Leduc
ASKED = "How fast do tabular solvers approach an equilibrium, and how fast are OpenSpiel's?"
PREFACE = """NashConv is what all seats together could gain by best responses: in a two-player
zero-sum game twice the exploitability, in any game 0 in a Nash equilibrium. CFR and its descendants
are proven to reach one for two players with opposite interests; with more players (or two teams
whose partners cannot talk) nothing is guaranteed. Seconds are the solver's own: loading, compiling
and evaluating do not count."""


def report(metrics: list[Metrics]) -> str:
    parts = ["# Tabular solvers", f"{ASKED} {answer(metrics)}", PREFACE, "## The solvers"]
    parts += [describe({m["solver"] for m in metrics}, DESCRIPTIONS)]
    parts += ["## Targets", targets(metrics)]
    for game, lines in by_game(metrics).items():
        name, size = title(game, lines[0])
        parts += [f"## {name}", f"{size}. {left_out(lines, metrics)}", ends(lines)]
    return "\n\n".join(parts)


def answer(metrics: list[Metrics]) -> str:
    """The solvers that end nearest to an equilibrium, by the number of games."""
    games = by_game(metrics)
    best = Counter(
        min(
            (line for line in lines if line["last"] and line["solver"] != "lp"),
            key=lambda line: line["nash_conv"],
            default={"solver": "lp"},
        )["solver"]
        for lines in games.values()
    )
    of = ", ".join(f"`{name}` on {count}" for name, count in best.most_common())
    return f"The iterative solver that ends nearest to one is {of} of {len(games)} games."


def targets(metrics: list[Metrics]) -> str:
    rows = [["target", "found", ""]]
    for game, value in VALUES.items():
        for solver in ("lp", "plus"):
            rows.append(value_target(metrics, game, solver, value))
    return table([*rows, leduc_target(metrics)])


def value_target(metrics: list[Metrics], game: str, solver: str, value: float) -> list[str]:
    target = f"{game}: value {value:.4f} by `{solver}`"
    found = [line["values"][0] for line in of(metrics, game, solver)]
    if not found:
        return [target, "–", "not run"]
    return [target, f"{found[-1]:.6f}", verdict(abs(found[-1] - value) < CLOSE)]


def leduc_target(metrics: list[Metrics]) -> list[str]:
    target = f"leduc_poker: CFR+ below NashConv {NASH_CONV}"
    lines = of(metrics, "leduc_poker", "plus")
    if not lines:
        return [target, "–", "not run"]
    below = [line for line in lines if line["nash_conv"] < NASH_CONV]
    if not below:
        return [target, f"{lines[-1]['nash_conv']:.2g}", verdict(False)]
    first = below[0]
    return [
        target,
        f"after {first['iterations']} iterations, {duration(first['seconds'])}",
        verdict(True),
    ]


def of(metrics: list[Metrics], game: str, solver: str) -> list[Metrics]:
    return [line for line in metrics if (line["game"], line["solver"]) == (game, solver)]


def left_out(lines: list[Metrics], metrics: list[Metrics]) -> str:
    """The solvers that were run on other games only."""
    missing = {line["solver"] for line in metrics} - {line["solver"] for line in lines}
    names = [f"`{name}`" for name in STYLES if name in missing]
    why = "The tree is too large, or has too many players, for"
    return f"{why} {', '.join(names)}." if names else "All solvers were run."


def ends(lines: list[Metrics]) -> str:
    """The last line of each curve."""
    rows = [["solver", "iterations", "time", "per iteration", "NashConv", "value of seat 0"]]
    for line in lines:
        if line["last"]:
            each = duration(line["seconds"] / line["iterations"])
            spent = [f"{line['iterations']:,}", duration(line["seconds"]), each]
            found = [f"{line['nash_conv']:.3g}", f"{line['values'][0]:.6f}"]
            rows.append([f"`{line['solver']}`", *spent, *found])
    return table(rows)
