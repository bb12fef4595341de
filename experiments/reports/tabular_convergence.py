"""What `experiments/tabular_convergence.py` found, in Markdown: the bars, then all curves' ends."""

from analysis.figures import duration, table
from analysis.speed.benchmark import verdict
from experiments.reports.convergence_figure import STYLES, Metrics, by_game, title

VALUES = {"kuhn_poker": -1 / 18, "leduc_poker": -0.0856}  # of the first seat
CLOSE = 1e-4
TARGET = 1e-3  # NashConv of CFR+ on Leduc
PREFACE = """NashConv is what all seats together could gain by best responses: in a two-player
zero-sum game twice the exploitability, in any game 0 in a Nash equilibrium. CFR and its descendants
are proven to reach one for two players with opposite interests; with more players (or two teams
whose partners cannot talk) nothing is guaranteed. Seconds are the solver's own: loading, compiling
and evaluating do not count."""


def report(metrics: list[Metrics]) -> str:
    parts = ["# Tabular solvers", PREFACE, "## Bars", bars(metrics)]
    for game, lines in by_game(metrics).items():
        name, size = title(game, lines[0])
        parts += [f"## {name}", f"{size}. {left_out(lines, metrics)}", ends(lines)]
    return "\n\n".join(parts)


def bars(metrics: list[Metrics]) -> str:
    rows = [["bar", "found", ""]]
    for game, value in VALUES.items():
        for solver in ("lp", "plus"):
            rows.append(value_bar(metrics, game, solver, value))
    return table([*rows, leduc_bar(metrics)])


def value_bar(metrics: list[Metrics], game: str, solver: str, value: float) -> list[str]:
    bar = f"{game}: value {value:.4f} by {STYLES[solver].label}"
    found = [line["values"][0] for line in of(metrics, game, solver)]
    if not found:
        return [bar, "–", "not run"]
    return [bar, f"{found[-1]:.6f}", verdict(abs(found[-1] - value) < CLOSE)]


def leduc_bar(metrics: list[Metrics]) -> list[str]:
    bar = f"leduc_poker: CFR+ below NashConv {TARGET}"
    lines = of(metrics, "leduc_poker", "plus")
    if not lines:
        return [bar, "–", "not run"]
    below = [line for line in lines if line["nash_conv"] < TARGET]
    if not below:
        return [bar, f"{lines[-1]['nash_conv']:.2g}", verdict(False)]
    first = below[0]
    return [
        bar,
        f"after {first['iterations']} iterations, {duration(first['seconds'])}",
        verdict(True),
    ]


def of(metrics: list[Metrics], game: str, solver: str) -> list[Metrics]:
    return [line for line in metrics if (line["game"], line["solver"]) == (game, solver)]


def left_out(lines: list[Metrics], metrics: list[Metrics]) -> str:
    """Whoever was run on other games only."""
    missing = {line["solver"] for line in metrics} - {line["solver"] for line in lines}
    names = [style.label for name, style in STYLES.items() if name in missing]
    why = "Left out, as the tree is too large for them or has too many players"
    return f"{why}: {'; '.join(names)}." if names else "All solvers were run."


def ends(lines: list[Metrics]) -> str:
    """Where each curve ends."""
    rows = [["solver", "iterations", "time", "per iteration", "NashConv", "value of seat 0"]]
    for line in lines:
        if line["last"]:
            each = duration(line["seconds"] / line["iterations"])
            spent = [f"{line['iterations']:,}", duration(line["seconds"]), each]
            found = [f"{line['nash_conv']:.3g}", f"{line['values'][0]:.6f}"]
            rows.append([STYLES[line["solver"]].label, *spent, *found])
    return table(rows)
