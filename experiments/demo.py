"""A tour in two minutes: a deal of each game, and a small game solved and learnt.

    python experiments/demo.py --workdir=runs/demo

`make demo` installs everything first. The same command goes on where it was stopped. Writes
figures/demo.{pdf,png,csv} into the work folder, which is also the agent `net:runs/demo`.
"""

import json
import os
import shlex
import sys
from pathlib import Path
from random import Random
from textwrap import fill, indent
from typing import NamedTuple

import pyspiel
from absl import flags
from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.figures import short
from analysis.speed.openspiel_workloads import drawn
from experiments.common.exact import Answers, Small, load_small
from experiments.common.experiment import carry_out, define_workdir
from experiments.common.learners import Limits, changes, follow
from experiments.common.runs import Run
from experiments.common.stopwatch import Stopwatch
from experiments.reports.demo_figure import DemoPoint, save_demo_figure
from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import Settings
from solvers.environments.load import load_environment
from solvers.exact.cfr import Cfr
from solvers.exact.profiles import profile_of, uniform
from solvers.networks.settings import MlpSettings
from solvers.runs.threads import use_threads
from spielgames.agents import make_agent
from spielgames.command import run
from spielgames.core.game import GAMES, Game
from spielgames.core.registry import find

SEED = 7
DEALS = """\
1  A deal of each game, played at random: what a seat sees in the middle of it, and what it may do.
   A game is compiled when it is first used, which takes some seconds each; then it is kept.
"""
SOLVE = """\
2  A small game solved: {game}
   Predictive CFR+ walks the whole tree, {leaves:,} leaves, again and again. NashConv is what
   both seats could gain by deviating. It is {random:.2f} {unit} where both play at random,
   {rules:.2f} where both are our rule-based player, and 0 in an equilibrium.
   Expect less than a millionth within ten seconds.
"""
LEARN = """\
3  The same game learnt: Deep CFR plays deals, and fits networks to its regrets in them. It never
   walks the whole tree; we do, to tell exactly how good its average strategy is.
   Expect {learn} iterations in a minute, the first ones better than the rule-based player, the last
   ones several times as good. (Larger networks and more deals come nearer to an equilibrium.)
"""


class Tour(NamedTuple):
    """The game that is solved and learnt, and how far."""

    game: str
    settings: Settings
    solve: tuple[int, ...]  # iterations after which the solver is measured
    learn: int  # iterations of the learner


FULL = Tour(
    game="python_snapszer(suits=2,ranks=4,hand=3)",
    settings=Settings(
        traversals=1000,
        network=MlpSettings(hidden=128),
        fit=FitSettings(steps=300, batch=1024, learning_rate=3e-3, schedule="cosine"),
        warm_start=True,
    ),
    solve=(1, 2, 5, 10, 20, 50, 100, 200, 500, 1000),
    learn=12,
)


class Moment(NamedTuple):
    """A decision in a deal."""

    state: pyspiel.State
    action: int


def play_deal(game: pyspiel.Game, seed: int) -> tuple[list[Moment], pyspiel.State]:
    """Play a random deal; return its decisions, and its end."""
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
    """Return what the seat to move sees, its legal actions, and the one it takes."""
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
    result = f"result: {payoffs} {game.unit}"
    parts = [seat_view(moments[middle]), wrapped(f"all moves: {moves}"), result]
    heading = f"{game.title} ({game.name}): decision {middle + 1} of {len(moments)}"
    return heading + "\n" + indent("\n".join(parts), "  ")


def solve(small: Small, tour: Tour) -> list[DemoPoint]:
    """Solve the game exactly; return the curve."""
    Cfr(small.tree, "predictive").run(1)  # compile it, so that its seconds are its own
    watch, points = Stopwatch(Cfr(small.tree, "predictive")), []
    for iterations in tour.solve:
        watch.run_to(iterations)
        value = small.nash_conv(watch.solver.average())
        points.append(DemoPoint("solved", iterations, value))
        print(f"   {iterations:>5} iterations, {watch.seconds:4.1f} s: NashConv {value:.2g}")
    return points


def learn(run: Run, small: Small, tour: Tour) -> list[DemoPoint]:
    """Go on with a learner; return its curve."""
    env = load_environment(tour.game, tour.settings.encoding)
    learner = Learner(env, tour.settings, run.workdir, SEED)
    answers, limits = Answers(learner, small), Limits(iterations=tour.learn)
    for report in follow(learner, limits, run.metrics, "   Deep CFR"):
        run.append({"iteration": report["iteration"], "nash_conv": answers.measure()["average"]})
        tqdm.write(told(run.metrics[-1], report["samples"]))
    return [DemoPoint("learnt", m["iteration"], m["nash_conv"]) for m in run.metrics]


def told(metrics: dict[str, float], samples: int) -> str:
    iteration, value = metrics["iteration"], metrics["nash_conv"]
    return f"   iteration {iteration:>2}, {short(samples)} samples: NashConv {value:.2f}"


def demo(workdir: Path, tour: Tour) -> list[Path]:
    """Run the whole demo; return the files of the figure."""
    use_threads(1)
    run = Run(workdir, ConfigDict({"game": tour.game, "settings": changes(tour.settings)}))
    print(DEALS)
    print("\n\n".join(indent(deal_story(game), "   ") for game in GAMES.values()), end="\n\n\n")
    unit, small = find(tour.game)[0].unit, load_small(tour.game)
    rules = profile_of(make_agent("rules", tour.game), small.tree)
    fixed = {"random": small.nash_conv(uniform(small.tree)), "rules": small.nash_conv(rules)}
    print(SOLVE.format(game=tour.game, leaves=len(small.tree.chance), unit=unit, **fixed))
    points = solve(small, tour)
    print("\n\n" + LEARN.format(learn=tour.learn))
    points += [DemoPoint("learnt", 0, fixed["random"]), *learn(run, small, tour)]
    return save_demo_figure(tour.game, unit, points, fixed, run.figures / "demo")


def follow_up(workdir: Path, game: str) -> list[str]:
    """Commands to sit down at a table, and to see where the learner still loses."""
    learnt = f"--game='{game}' --{{}}net:{workdir},strategy=average"
    return [
        *activation(),
        "python -m spielgames.play    # sit down: Hearts against three rule-based players",
        f"python -m spielgames.play {learnt.format('seats=human,')}",
        f"python -m analysis.exploitability {learnt.format('agent=')}",
    ]


def activation() -> list[str]:
    """The command that activates this environment, unless it is active."""
    known = "VIRTUAL_ENV" in os.environ or sys.prefix == sys.base_prefix
    return [] if known else [f"source {shlex.quote(sys.prefix)}/bin/activate"]


def define_flags() -> None:
    define_workdir("runs/demo")


def main() -> None:
    workdir = Path(flags.FLAGS.workdir)
    carry_out(lambda: demo(workdir, FULL), lambda: follow_up(workdir, FULL.game))


if __name__ == "__main__":
    define_flags()
    run(main)
