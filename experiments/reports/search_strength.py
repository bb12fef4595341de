"""The report and the figure of `experiments/search_strength.py`."""

from pathlib import Path
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.figures import save_figure, table
from analysis.figures.palette import line_style
from analysis.tournament.pairs import precise
from experiments.common.runs import Metrics
from spielgames.core.registry import find

COLUMNS = ("game", "search", "ms", "spec", "deals", "mean", "low", "high")
ASKED = "Which search is best in which game, at the same time per decision?"
PREFACE = """Means are utilities per deal and seat with 95 % intervals; every pair plays the same
deals in all seatings. Times are those of one core per decision; the budgets that fill them were
measured once on this machine. Searches are compared on tuning deals. The preset of each game,
chosen from these, then meets players that it was not fitted to, on fresh deals."""


def of_phase(metrics: list[Metrics], game: str, phase: str) -> list[Metrics]:
    return [line for line in metrics if (line["game"], line["phase"]) == (game, phase)]


def interval(line: Metrics) -> str:
    mean, low, high = (precise(line[key], line["high"] - line["low"]) for key in COLUMNS[5:])
    return f"{mean} ({low} … {high})"


def games_of(metrics: list[Metrics]) -> list[str]:
    return list(dict.fromkeys(line["game"] for line in metrics))


def heading(game: str) -> str:
    definition, _ = find(game)
    return f"## {definition.title}\n\n`{game}`, in {definition.unit}."


def write_report(metrics: list[Metrics]) -> str:
    parts = ["# The strength of searches", ASKED, answer(metrics), PREFACE]
    parts += ["![Strength over time](figures/search_strength.png)"]
    for game in games_of(metrics):
        tables = strength(metrics, game), round_robin(metrics, game), presets(metrics, game)
        parts += [heading(game), *filter(None, tables)]
    return "\n\n".join(parts)


def answer(metrics: list[Metrics]) -> str:
    """How the presets fare against the rules and against plain PIMC."""
    told = []
    for rival in ("rules", "pimc:worlds=50"):
        lines = [line for line in metrics if line["phase"] == "preset" and is_rival(line, rival)]
        beaten = [find(line["game"])[0].title for line in lines if line["low"] > 0]
        told.append(
            f"`{rival}` in {', '.join(beaten) or 'no game'} ({len(beaten)} of {len(lines)})"
        )
    return f"The preset `search` beats {' and '.join(told)}, with intervals that exclude zero."


def is_rival(line: Metrics, rival: str) -> bool:
    """Whether b is that player; the rules of a game with several levels are the first of them."""
    first = f"rules:{find(line['game'])[0].levels[0]}"
    return line["b"] == rival or (rival == "rules" and line["b"] == first)


def strength(metrics: list[Metrics], game: str) -> str:
    """The searches against the rules, a column for each time."""
    lines = of_phase(metrics, game, "strength")
    times = sorted({line["ms"] for line in lines})
    rows = [["against the rules", *(f"{ms:g} ms" for ms in times)]]
    for name in dict.fromkeys(line["a"] for line in lines):
        found = {line["ms"]: line for line in lines if line["a"] == name}
        cells = [cell(found[ms]) if ms in found else "–" for ms in times]
        rows.append([f"`{name}`", *cells])
    deals = {line["ms"]: line["deals"] for line in lines}
    said = ", ".join(f"{deals[ms]:,} at {ms:g} ms" for ms in times)
    return f"{table(rows)}\n\nDeals: {said}." if lines else ""


def cell(line: Metrics) -> str:
    return f"{interval(line)}, `{line['spec_a']}`"


def round_robin(metrics: list[Metrics], game: str) -> str:
    lines = of_phase(metrics, game, "round robin")
    if not lines:
        return ""
    rows = [["each other", f"first's mean, {lines[0]['ms']:g} ms", "deals"]]
    rows += [[f"{line['a']} – {line['b']}", interval(line), str(line["deals"])] for line in lines]
    return table(rows)


def presets(metrics: list[Metrics], game: str) -> str:
    """The preset as it was last, against each opponent."""
    lines = {line["b"]: line for line in of_phase(metrics, game, "preset")}.values()
    if not lines:
        return ""
    spec = list(lines)[-1]["spec_a"]
    rows = [["`search` against", "mean", "wins", "deals"]]
    for line in lines:
        wins = f"{100 * line['win_rate']:.1f} %"
        rows.append([f"`{line['b']}`", interval(line), wins, f"{line['deals']:,}"])
    return f"`search` is `{spec}`.\n\n{table(rows)}"


def draw_strength(metrics: list[Metrics], folder: Path) -> list[Path]:
    """A panel for each game: the mean against the rules over the time for a decision."""
    games = games_of(metrics)
    figure = Figure(figsize=(7.5, 0.6 + 2.3 * len(games)))
    figure.set_layout_engine("constrained")
    panels = figure.subplots(len(games), 1, squeeze=False)[:, 0]
    names = list(dict.fromkeys(line["a"] for line in metrics if line["phase"] == "strength"))
    for axes, game in zip(panels, games, strict=True):
        draw_game(axes, game, of_phase(metrics, game, "strength"), names)
    rows = [row(line) for line in metrics if line["phase"] == "strength"]
    return save_figure(figure, folder / "search_strength", COLUMNS, rows)


def row(line: Metrics) -> list[Any]:
    named = line | {"search": line["a"], "spec": line["spec_a"]}
    return [named[column] for column in COLUMNS]


def draw_game(axes: Axes, game: str, lines: list[Metrics], names: list[str]) -> None:
    """A search has the same style in all panels."""
    definition, _ = find(game)
    for number, name in enumerate(names):
        own = sorted((line for line in lines if line["a"] == name), key=lambda line: line["ms"])
        if not own:
            continue
        means = [line["mean"] for line in own]
        ends = [
            [line["mean"] - line["low"] for line in own],
            [line["high"] - line["mean"] for line in own],
        ]
        shifted = [line["ms"] * 1.06**number for line in own]  # so that intervals do not overlap
        style = {"capsize": 2, "markersize": 4, "linewidth": 1.2}
        axes.errorbar(shifted, means, yerr=ends, label=name, **style, **line_style(number))
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_title(definition.title, fontsize=9)
    axes.set_xlabel("time for a decision on one core, ms", fontsize=8)
    axes.set_ylabel(f"against the rules,\n{definition.unit} (95 %)", fontsize=8)
    axes.tick_params(labelsize=8)
    axes.legend(fontsize=7, frameon=False, loc="center left", bbox_to_anchor=(1, 0.5))
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
