"""How far Deep CFR and its relatives come on small games, in exact NashConv: ours against the
published curves, each switch alone, and OpenSpiel's own learners beside them.

    python experiments/leduc_reproduction.py --workdir=runs/leduc \\
        --config=experiments/configs/leduc_reproduction.py:quick

Of each of our runs up to three answers are measured side by side: SD-CFR's exact average of all
iterations, the policy network of Deep CFR, and the last iterate. Seconds are those of traversals
and of fitting advantages and baselines; policy networks are fitted for a measurement only.

A curve, that is a game, a method and a seed, has its folder: curves/GAME/METHOD-SEED. The same
command goes on with every curve where it was stopped (with OpenSpiel's from their start: they can't
be stored); any other methods, seeds and limits can share the work folder, also at the same time.
Writes report.md, metrics.jsonl, figures and the last networks of all curves that are in it.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import pyspiel
from absl import flags
from ml_collections import ConfigDict

from analysis.figures import save_text
from analysis.speed.openspiel_learners import LEARNERS
from experiments.common.learners import Limits, Way, changes, export, follow, use_threads
from experiments.common.runs import Metrics, Run, carry_out, define_run, line, plain, variants
from experiments.reports.leduc_reproduction import published_at, report, save_learning_curves
from experiments.tabular_convergence import Stopwatch
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import Settings
from solvers.environments.load import load_environment
from solvers.exact.best_response import nash_conv
from solvers.exact.judge import Judge
from solvers.exact.profiles import Profile, load_tree
from solvers.exact.sequence_form import Form, flatten
from solvers.runs.archive import State
from spielgames.command import run
from spielgames.core.game import GAMES
from spielgames.core.tree import Tree

SCRIPT = "experiments/leduc_reproduction.py"
CONFIG = "experiments/configs/leduc_reproduction.py"
AXES = ("iteration", "nodes", "episodes")
GOAL = ("axis", "until", "seconds")  # how far a method goes; all else is what it does
ANSWERS = {"openspiel_deep_cfr": "policy", "openspiel_ismcts": "last"}  # others: "average"


class Curve(NamedTuple):
    game: str
    method: str
    seed: int

    @property
    def folder(self) -> Path:
        game = re.sub(r"\W+", "-", self.game).strip("-")
        return Path("curves") / game / f"{self.method}-{self.seed}"

    @property
    def title(self) -> str:
        return f"{self.game} {self.method}, seed {self.seed}"


class Small(NamedTuple):
    """A game that can be judged exactly."""

    tree: Tree
    form: Form

    def nash_conv(self, profile: Profile) -> float:
        return nash_conv(self.form, profile)


@cache
def load_small(game: str) -> Small:
    tree = load_tree(game)
    return Small(tree, flatten(tree))


class Schedule:
    """When a curve is measured: ever more rarely, and at the published abscissae."""

    def __init__(self, curve: Curve, axis: str, per_decade: int) -> None:
        self.axis, self.per_decade = axis, per_decade
        self.marks = published_at(curve.game, curve.method)

    def due(self, metrics: list[Metrics], x: float) -> bool:
        """Whether there is a point behind the last line of metrics, but not behind x."""
        return x >= self.after(metrics[-1][self.axis] if metrics else 0)

    def after(self, x: float) -> float:
        powers = (round(10 ** (k / self.per_decade)) for k in count())
        return min(next(p for p in powers if p > x), *(m for m in (*self.marks, math.inf) if m > x))


class Answers:
    """Everything that a learner has to say about how to play, judged."""

    def __init__(self, learner: Learner, small: Small) -> None:
        self.learner, self.small = learner, small
        self.judge, self.added = Judge(learner.env, small.tree), 0

    def measure(self) -> dict[str, float]:
        """The NashConv of each answer."""
        self._add_iterations()
        profiles = {
            "average": self.judge.average(),
            "last": self.judge.profile(self.learner.players),
        }
        if self.learner.policies:
            self.learner.fit_policies()
            networks = [model.network for model in self.learner.policies]
            profiles["policy"] = self.judge.policy(self._by_seat(networks))
        return {answer: self.small.nash_conv(p) for answer, p in profiles.items()}

    def _add_iterations(self) -> None:
        """Always as they are stored: so the average is the same if the run was interrupted."""
        for t in range(self.added + 1, self.learner.iteration + 1):
            names = [model.name for model in self.learner.advantages]
            networks = [self.learner.archive.load(name, t) for name in names]
            self.judge.add(self._by_seat(networks), t**self.learner.settings.averaging)
            self.added = t

    def _by_seat(self, networks: list[Any]) -> list[Any]:
        groups = self.learner.groups
        seats = {seat: k for k, group in enumerate(groups) for seat in group}
        return [networks[seats[seat]] for seat in range(self.learner.env.players)]


def compile_all(game: str, settings: Settings) -> None:
    """So that compiling does not count as learning."""
    once = {
        f: replace(getattr(settings, f), steps=1) for f in ("fit", "policy_fit", "baseline_fit")
    }
    tiny = replace(settings, traversals=10, memory=1000, **once)
    with TemporaryDirectory() as folder:
        learner = Learner(load_environment(game, settings.encoding), tiny, Path(folder))
        learner.iterate()
        learner.iterate()  # now with networks


def learn(workdir: Path, curve: Curve, given: ConfigDict, per_decade: int) -> None:
    """Ours: goes on with a curve, up to its limits."""
    settings = Settings.of(what_it_does(given))
    run = Run(workdir / curve.folder, identity(curve, changes(settings)))
    learner = Learner(
        load_environment(curve.game, settings.encoding), settings, run.workdir, curve.seed
    )
    episodes = settings.traversals * len(settings.learners or range(learner.env.players))
    limits = limits_of(given, episodes)
    answers = Answers(learner, load_small(curve.game))
    schedule = Schedule(curve, given.axis, per_decade)
    if not limits.reached(learner.archive.state):
        compile_all(curve.game, settings)
    for found in follow(learner, limits, run.metrics, curve.title):
        state = learner.archive.state
        point = place(curve, state, episodes)
        if schedule.due(run.metrics, point[given.axis]) or limits.reached(state):
            fits = {name: fit for name, fit in found.items() if isinstance(fit, dict)}
            run.append(point | {"nash_conv": answers.measure(), "fits": fits})
    export(run.workdir, workdir / "networks" / curve.folder.relative_to("curves"))


def learn_with_openspiel(workdir: Path, curve: Curve, given: ConfigDict, per_decade: int) -> None:
    """Theirs: from the start, if the curve is not at its end."""
    settings = what_it_does(given)
    run = Run(workdir / curve.folder, identity(curve, settings))
    episodes = settings.get("traversals", 1) * pyspiel.load_game(curve.game).num_players()
    limits = limits_of(given, episodes)
    if run.metrics and limits.reached(state_of(run.metrics[-1])):
        return
    run.keep([])
    small, schedule = load_small(curve.game), Schedule(curve, given.axis, per_decade)
    watch = Stopwatch(LEARNERS[curve.method](small.tree, curve.seed, **settings))
    state, at = State(), 1
    with Way(curve.title, limits, state) as way:
        while not limits.reached(state):
            watch.run_to(at)
            state = State(at, positions=watch.solver.nodes or 0, seconds=watch.seconds)
            way.show(state)
            found = small.nash_conv(watch.solver.profile())
            answer = {ANSWERS.get(curve.method, "average"): found}
            run.append(place(curve, state, episodes) | {"nash_conv": answer})
            at = next_iteration(at, limits.share(state), schedule)


def next_iteration(at: int, share: float, schedule: Schedule) -> int:
    """The next to be measured: as scheduled, but not far behind the limits."""
    end = math.ceil(at / share) if share else math.inf
    return max(at + 1, int(min(schedule.after(at), end)))


def place(curve: Curve, state: State, episodes: int) -> Metrics:
    """Where on the curve a measurement is."""
    done = {"iteration": state.iteration, "nodes": state.positions}
    more = {"episodes": episodes * state.iteration, "seconds": state.seconds}
    return curve._asdict() | done | more


def state_of(metrics: Metrics) -> State:
    return State(metrics["iteration"], positions=metrics["nodes"], seconds=metrics["seconds"])


def what_it_does(given: ConfigDict) -> dict[str, Any]:
    return {name: value for name, value in given.to_dict().items() if name not in GOAL}


def identity(curve: Curve, settings: Mapping[str, Any]) -> ConfigDict:
    """What a curve's folder is for."""
    return ConfigDict(curve._asdict() | {"settings": dict(settings)})


def limits_of(given: ConfigDict, episodes: int) -> Limits:
    """`episodes` of an iteration."""
    if given.axis == "nodes":
        return Limits(positions=given.until, seconds=given.seconds)
    each = episodes if given.axis == "episodes" else 1
    return Limits(iterations=given.until / each, seconds=given.seconds)


def check(config: ConfigDict) -> list[str]:
    """The methods that are to be run."""
    known = [name for name in config if isinstance(config[name], ConfigDict)]
    chosen = [config.solver] if config.solver else list(config.methods)
    if unknown := [name for name in chosen if name not in known]:
        raise ValueError(f"there is no method {unknown[0]!r}; there are {', '.join(known)}")
    games = {*GAMES, *pyspiel.registered_names()}
    if unknown := [game for game in config.games if game.partition("(")[0] not in games]:
        raise ValueError(f"there is no game {unknown[0]!r}")
    for name in chosen:
        if config[name].axis not in AXES:
            axis = config[name].axis
            raise ValueError(f"{name}.axis={axis} is not allowed; it is one of {', '.join(AXES)}")
        if name not in LEARNERS:
            Settings.of(what_it_does(config[name]))
    if config.per_decade < 1:
        raise ValueError(f"per_decade={config.per_decade} is not allowed; it is at least 1")
    return chosen


def experiment(workdir: Path, config: ConfigDict) -> list[Path]:
    """Goes on with all curves and writes everything; the files."""
    methods = check(config)
    use_threads(config.threads)
    save_text(workdir / "config.json", json.dumps(plain(config.to_dict()), indent=2))
    for seed in config.seeds:
        for game in config.games:
            for method in methods:
                how = learn_with_openspiel if method in LEARNERS else learn
                how(workdir, Curve(game, method, seed), config[method], config.per_decade)
    return write(workdir)


def write(workdir: Path) -> list[Path]:
    """What all curves in the folder show."""
    paths = sorted(workdir.glob("curves/*/*/metrics.jsonl"))
    metrics = [json.loads(text) for path in paths for text in path.read_text().splitlines()]
    save_text(workdir / "metrics.jsonl", "".join(map(line, metrics)).rstrip())
    text = report(metrics)
    print(f"\n{text}")
    save_text(workdir / "report.md", text)
    return [workdir / "report.md", *save_learning_curves(metrics, workdir / "figures")]


def main() -> None:
    chosen = flags.FLAGS
    carry_out(
        lambda: experiment(Path(chosen.workdir), chosen.config),
        lambda: [
            f"python {SCRIPT} --config={CONFIG}:cpu --workdir=runs/leduc",
            f"python {SCRIPT} --config={CONFIG}:ablation --workdir=runs/ablation",
        ],
    )


if __name__ == "__main__":
    define_run(CONFIG, "runs/leduc_reproduction")
    run(main, variants(CONFIG))
