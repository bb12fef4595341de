"""Exact NashConv of Deep CFR and its relatives on small games: ours against the published curves,
each switch alone, and OpenSpiel's own learners beside them.

    python experiments/leduc_reproduction.py --workdir=runs/leduc \\
        --config=experiments/configs/leduc_reproduction.py:quick

Up to three answers of each of our runs are measured side by side: SD-CFR's exact average of all
iterations, the policy network of Deep CFR, and the last iterate. Seconds are those of traversals
and of fitting advantages and baselines; policy networks are fitted for a measurement only.

A curve is a game, a method and a seed, and has a folder: curves/GAME/METHOD-SEED. The same command
goes on with every curve where it was stopped (with OpenSpiel's from the start, as they can't be
stored). Other methods, seeds and limits can share the work folder, also at the same time. Writes
report.md, metrics.jsonl, figures and the last networks of all curves in the work folder.
"""

import math
import re
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pyspiel
from ml_collections import ConfigDict

from analysis.speed.openspiel_learners import LEARNERS
from experiments.common.curves import Curve, open_curve
from experiments.common.exact import Answers, load_small
from experiments.common.experiment import Experiment, check_least, check_names
from experiments.common.learners import Limits, ProgressBar, export, follow
from experiments.common.runs import Metrics, Run, read_lines, save_lines
from experiments.common.stopwatch import Stopwatch
from experiments.reports.leduc_figures import save_learning_curves
from experiments.reports.leduc_reproduction import DESCRIPTIONS, published_at, report
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import Settings
from solvers.environments.load import load_environment
from solvers.runs.archive import State
from spielgames.core.game import GAMES

AXES = ("iteration", "nodes", "episodes")
GOAL = ("axis", "until", "seconds")  # how far a method goes; all other fields are its settings
ANSWERS = {"openspiel_deep_cfr": "policy", "openspiel_ismcts": "last"}  # others: "average"


class Schedule:
    """The points at which a curve is measured: ever fewer, and the published abscissae."""

    def __init__(self, curve: Curve, axis: str, per_decade: int) -> None:
        self.axis, self.per_decade = axis, per_decade
        self.marks = published_at(curve.game, curve.name)

    def due(self, metrics: list[Metrics], x: float) -> bool:
        """Whether a point lies after the last line of metrics, and not after x."""
        return x >= self.after(metrics[-1][self.axis] if metrics else 0)

    def after(self, x: float) -> float:
        powers = (round(10 ** (k / self.per_decade)) for k in count())
        return min(next(p for p in powers if p > x), *(m for m in (*self.marks, math.inf) if m > x))


def compile_all(game: str, settings: Settings) -> None:
    """Compile everything, so that compiling does not count as learning."""

    def hasty(part: Any) -> Any:
        return part and replace(part, fit=replace(part.fit, steps=1))

    tiny = replace(hasty(settings), traversals=10)
    tiny = replace(tiny, policy=hasty(tiny.policy), baseline=hasty(tiny.baseline))
    with TemporaryDirectory() as folder:
        learner = Learner(load_environment(game, settings.encoding), tiny, Path(folder))
        learner.iterate()
        learner.iterate()  # now with networks


def learn(curve: Curve, given: ConfigDict, per_decade: int) -> None:
    """Go on with a learner of ours, up to its limits."""
    run, learner = open_curve(curve, Learner)
    episodes = episodes_of(curve)
    answers = Answers(learner, load_small(curve.game))
    schedule = Schedule(curve, given.axis, per_decade)
    if not curve.limits.reached(learner.archive.state):
        compile_all(curve.game, curve.settings)
    for found in follow(learner, curve.limits, run.metrics, title(curve)):
        state = learner.archive.state
        point = place(curve, state, episodes)
        if schedule.due(run.metrics, point[given.axis]) or curve.limits.reached(state):
            fits = {name: fit for name, fit in found.items() if isinstance(fit, dict)}
            run.append(point | {"nash_conv": answers.measure(), "fits": fits})
    export(curve.folder, curve.network)


def learn_with_openspiel(curve: Curve, given: ConfigDict, per_decade: int) -> None:
    """Compute a curve of OpenSpiel's from the start, unless it is at its end."""
    run = Run(curve.folder, curve.identity)
    if run.metrics and curve.limits.reached(state_of(run.metrics[-1])):
        return
    run.keep([])
    small, schedule = load_small(curve.game), Schedule(curve, given.axis, per_decade)
    watch = Stopwatch(LEARNERS[curve.name](small.tree, curve.seed, **curve.settings))
    state, at = State(), 1
    with ProgressBar(title(curve), curve.limits, state) as bar:
        while not curve.limits.reached(state):
            watch.run_to(at)
            state = State(at, positions=watch.solver.nodes or 0, seconds=watch.seconds)
            bar.show(state)
            found = small.nash_conv(watch.solver.profile())
            answer = {ANSWERS.get(curve.name, "average"): found}
            run.append(place(curve, state, episodes_of(curve)) | {"nash_conv": answer})
            at = next_iteration(at, curve.limits.share(state), schedule)


def next_iteration(at: int, share: float, schedule: Schedule) -> int:
    """The next iteration to measure: as scheduled, but not far behind the limits."""
    end = math.ceil(at / share) if share else math.inf
    return max(at + 1, int(min(schedule.after(at), end)))


def title(curve: Curve) -> str:
    return f"{curve.game} {curve.title}"


def place(curve: Curve, state: State, episodes: int) -> Metrics:
    """The first fields of a line: which curve, and where on it."""
    known = {"game": curve.game, "method": curve.name, "seed": curve.seed}
    done = {"iteration": state.iteration, "nodes": state.positions}
    return known | done | {"episodes": episodes * state.iteration, "seconds": state.seconds}


def state_of(metrics: Metrics) -> State:
    return State(metrics["iteration"], positions=metrics["nodes"], seconds=metrics["seconds"])


def episodes_of(curve: Curve) -> int:
    """The episodes of an iteration."""
    players = pyspiel.load_game(curve.game).num_players()
    if isinstance(curve.settings, Settings):
        return curve.settings.traversals * len(curve.settings.learners or range(players))
    return curve.settings.get("traversals", 1) * players


def limits_of(given: ConfigDict, episodes: int) -> Limits:
    if given.axis == "nodes":
        return Limits(positions=given.until, seconds=given.seconds)
    each = episodes if given.axis == "episodes" else 1
    return Limits(iterations=given.until / each, seconds=given.seconds)


def curve_of(game: str, method: str, seed: int, given: ConfigDict, workdir: Path) -> Curve:
    fields = {name: value for name, value in given.to_dict().items() if name not in GOAL}
    settings = fields if method in LEARNERS else Settings.of(fields)
    folder = Path(re.sub(r"\W+", "-", game).strip("-")) / f"{method}-{seed}"
    places = workdir / "curves" / folder, workdir / "networks" / folder
    curve = Curve(method, seed, game, settings, Limits(), *places, {"method": method})
    return curve._replace(limits=limits_of(given, episodes_of(curve)))


@dataclass(frozen=True)
class LeducReproduction(Experiment):
    def check(self, config: ConfigDict) -> None:
        methods = chosen_methods(config)
        check_names("method", methods, [n for n in config if isinstance(config[n], ConfigDict)])
        games = [game.partition("(")[0] for game in config.games]
        check_names("game", games, [*GAMES, *pyspiel.registered_names()])
        for name in methods:
            if (axis := config[name].axis) not in AXES:
                known = ", ".join(AXES)
                raise ValueError(f"{name}.axis={axis} is not allowed; it is one of {known}")
        check_least(config, per_decade=1)

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        return [
            curve_of(game, method, seed, config[method], workdir)
            for seed in config.seeds
            for game in config.games
            for method in chosen_methods(config)
        ]

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        how = learn_with_openspiel if curve.name in LEARNERS else learn
        how(curve, config[curve.name], config.per_decade)

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        """Gather the lines of all curves in the folder, also of other configs."""
        paths = sorted(workdir.glob("curves/*/*/metrics.jsonl"))
        save_lines(workdir / "metrics.jsonl", [one for path in paths for one in read_lines(path)])

    def report(self, workdir: Path) -> str:
        return report(read_lines(workdir / "metrics.jsonl"))

    def draw(self, workdir: Path) -> list[Path]:
        return save_learning_curves(read_lines(workdir / "metrics.jsonl"), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        return [
            f"{self.command('cpu')} --workdir=runs/leduc",
            f"{self.command('ablation')} --workdir=runs/ablation",
        ]


def chosen_methods(config: ConfigDict) -> list[str]:
    return [config.solver] if config.solver else list(config.methods)


EXPERIMENT = LeducReproduction(
    script="experiments/leduc_reproduction.py",
    config="experiments/configs/leduc_reproduction.py",
    descriptions=DESCRIPTIONS,
)

if __name__ == "__main__":
    EXPERIMENT.start()
