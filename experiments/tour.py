"""A tour of the games: a deal of each as a seat sees it, and how fast they all are.

    python experiments/tour.py --workdir=runs/tour --quick    (under a minute once compiled)
    python experiments/tour.py --workdir=runs/tour            (some two minutes, steadier numbers)

Writes report.md, benchmark.json and figures/speeds.{pdf,png,csv} into the work folder.
"""

import json
from pathlib import Path
from random import Random
from statistics import mean
from textwrap import fill, indent
from typing import NamedTuple

import pyspiel
from absl import flags
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from analysis.benchmark import Results, measure, report
from analysis.figures import save_figure, save_text, short
from analysis.workloads import drawn
from spielgames.command import run
from spielgames.core.game import GAMES, Game

SEED = 7
SERIES = {  # in the figure: what is measured, and its colour
    "compiled loop": ("compiled_moves_per_s", "#0072B2"),
    "batch of 1,024, policy outside": ("batch_moves_per_s", "#009E73"),
    "through OpenSpiel, from Python": ("openspiel_decisions_per_s", "#E69F00"),
    "OpenSpiel's C++ game, same Python loop": ("openspiel_decisions_per_s", "#8C8C8C"),
}
*OURS, PEER = SERIES


class Moment(NamedTuple):
    """A decision in a deal."""

    state: pyspiel.State
    action: int


class Bar(NamedTuple):
    """A bar of the figure, and a row of its numbers."""

    game: str
    how: str
    decisions_per_s: float


def play_deal(game: pyspiel.Game, seed: int) -> tuple[list[Moment], pyspiel.State]:
    """A random deal: its decisions, and its end."""
    random, state, moments = Random(seed), game.new_initial_state(), []
    while not state.is_terminal():
        if state.is_chance_node():
            action = drawn(state.chance_outcomes(), random.random())
        else:
            action = random.choice(state.legal_actions())
            moments.append(Moment(state.clone(), action))
        state.apply_action(action)
    return moments, state


def wrapped(text: str) -> str:
    return fill(text, 96, subsequent_indent="  ")


def seat_view(moment: Moment) -> str:
    """What the seat to move sees and may do, and what it does."""
    state = moment.state
    allowed = ", ".join(state.action_to_string(a) for a in state.legal_actions())
    chosen = state.action_to_string(moment.action)
    return f"{state.observation_string()}\n{wrapped(f'allowed: {allowed}')}\nchosen: {chosen}"


def deal_story(game: Game) -> str:
    """A random deal in words: what a seat saw in the middle of it, all moves, and the result."""
    moments, end = play_deal(pyspiel.load_game(game.name), SEED)
    middle = len(moments) // 2
    moves = " ".join(json.loads(end.to_json())["events"])
    payoffs = ", ".join(f"seat {seat} {value:+.3g}" for seat, value in enumerate(end.returns()))
    parts = [seat_view(moments[middle]), wrapped(f"all moves: {moves}"), f"result: {payoffs}"]
    heading = f"{game.title} ({game.name}): decision {middle + 1} of {len(moments)}"
    return heading + "\n" + indent("\n".join(parts), "  ")


def bars_of(results: Results) -> list[Bar]:
    """Three speeds of each of our games, then OpenSpiel's own games."""
    ours = [
        Bar(GAMES[name].title, how, speeds[SERIES[how][0]])
        for name, speeds in results["games"].items()
        for how in OURS
    ]
    key = SERIES[PEER][0]
    return ours + [Bar(f"C++ {name}", PEER, of[key]) for name, of in results["peers"].items()]


def draw_speeds(bars: list[Bar]) -> Figure:
    """Bars from the top down, with a gap before each game, on a logarithmic scale."""
    figure = Figure(figsize=(7.5, 1.4 + 0.22 * len(bars)), layout="constrained")
    axes = figure.subplots()
    games = list(dict.fromkeys(bar.game for bar in bars))
    height = {bar: i + 0.6 * games.index(bar.game) for i, bar in enumerate(bars)}
    for how, (_, colour) in SERIES.items():
        mine = {height[bar]: bar.decisions_per_s for bar in bars if bar.how == how}
        drawn_bars = axes.barh(list(mine), list(mine.values()), 0.9, color=colour, label=how)
        axes.bar_label(drawn_bars, [short(x) for x in mine.values()], padding=4, fontsize=8)
    ticks = [mean(height[bar] for bar in bars if bar.game == game) for game in games]
    axes.set_yticks(ticks, games)
    dress(axes, max(bar.decisions_per_s for bar in bars))
    figure.legend(loc="outside upper center", ncols=2, frameon=False, fontsize=9)
    return figure


def dress(axes: Axes, fastest: float) -> None:
    """Scale, grid and labels, with room for the number behind the longest bar."""
    axes.invert_yaxis()
    axes.margins(y=0.02)
    axes.tick_params(axis="y", length=0)
    axes.set_xscale("log")
    axes.set_xlim(1e5, 3 * fastest)
    axes.set_xlabel("decisions per second, random play on one core (logarithmic)")
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(axis="x", alpha=0.3)
    axes.set_axisbelow(True)


def write_report(path: Path, stories: list[str], results: Results, figure: Path) -> None:
    deals = "\n\n".join(f"```\n{story}\n```" for story in stories)
    parts = [
        "# A tour of the games",
        "## Speed",
        report(results),
        f"![Decisions per second]({figure.relative_to(path.parent)})",
        f"The figure is in `{figure.parent.name}/` as PDF and PNG, its numbers beside it as CSV.",
        "## A random deal of each, as a seat sees it",
        deals,
    ]
    save_text(path, "\n\n".join(parts))


def tour(workdir: Path, games: list[str], seconds: float, repetitions: int) -> list[Path]:
    """Shows and writes everything; the files written."""
    stories = [deal_story(GAMES[name]) for name in games]
    print("\n\n".join(stories), end="\n\n")
    results = measure(games, seconds, repetitions)
    print(report(results))
    data, summary = workdir / "benchmark.json", workdir / "report.md"
    save_text(data, json.dumps(results, indent=2))
    bars = bars_of(results)
    figure = save_figure(draw_speeds(bars), workdir / "figures" / "speeds", Bar._fields, bars)
    write_report(summary, stories, results, figure[1])
    return [summary, data, *figure]


def define_flags() -> None:
    flags.DEFINE_string("workdir", "runs/tour", "the folder that gets the report")
    flags.DEFINE_bool("quick", False, "measure briefly: everything in under a minute")
    flags.register_validator("workdir", lambda w: w and not Path(w).is_file(), "it is a folder")


def main() -> None:
    workdir, quick = Path(flags.FLAGS.workdir), flags.FLAGS.quick
    files = tour(workdir, list(GAMES), *((0.02, 3) if quick else (0.2, 5)))
    print("\nWritten:", *files, sep="\n  ")
    print("\nNext:")
    if quick:
        print(f"  python experiments/tour.py --workdir={workdir}")
    print(f"  python -m analysis.benchmark --json={workdir / 'benchmark.json'}")


if __name__ == "__main__":
    define_flags()
    run(main)
