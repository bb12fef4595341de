"""The time of PPO's iterations by what it is spent on, networks above all.

    python -m analysis.speed.ppo --json=hokm.json    (some minutes, on one thread)
    python -m analysis.speed.ppo --config=experiments/configs/coinche_ppo.py:cpu --curves=strong

Curves of an experiment's config are measured at their full size. After one iteration to warm up,
some are profiled. Time in networks is that of their answers, while deals are played or valued, and
of gradient steps; the rest is rules, encodings, and bookkeeping.
"""

import cProfile
import pstats
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from absl import flags
from ml_collections import ConfigDict, config_flags

from analysis.figures import short, table
from analysis.speed.benchmark import Results, benchmark, define_json, machine, verdict
from solvers.environments.load import load_environment
from solvers.networks.network import predict
from solvers.ppo.learner import Learner
from solvers.ppo.settings import Settings
from solvers.ppo.update import step
from solvers.runs.threads import use_threads
from spielgames.command import run, user_input

CONFIG = "experiments/configs/hokm_league.py:cpu"
LEAST_SHARE = 0.5  # "the network dominates"


class Speed(NamedTuple):
    case: str  # the curve
    seconds: float  # of an iteration
    decisions: float  # learnt from, per second
    answers: float  # share of the time
    steps: float  # share of the time


def measure(config: ConfigDict, curves: list[str], iterations: int) -> Results:
    use_threads(1)
    speeds = [measure_curve(name, config.curves[name], iterations) for name in curves]
    return {"machine": machine(), "cases": [speed._asdict() for speed in speeds]}


def measure_curve(name: str, curve: ConfigDict, iterations: int) -> Speed:
    settings = Settings.of(curve.settings.to_dict())
    with TemporaryDirectory() as folder:
        env = load_environment(curve.game, settings.encoding)
        learner = Learner(env, settings, Path(folder), seed=1)
        learner.iterate()
        before, profile = learner.archive.state, cProfile.Profile()
        with profile:
            for _ in range(iterations):
                learner.iterate()
        after = learner.archive.state
    stats = pstats.Stats(profile)
    answers, steps = (seconds_in(stats, function) / stats.total_tt for function in (predict, step))
    seconds = after.seconds - before.seconds
    decided = after.samples - before.samples
    return Speed(name, seconds / iterations, decided / seconds, answers, steps)


def seconds_in(stats: pstats.Stats, function: object) -> float:
    """The seconds spent in a function and in all that it calls."""
    code = function.__code__
    place = code.co_filename, code.co_firstlineno, code.co_name
    return stats.stats[place][3]


def report(results: Results) -> str:
    heading = ["PPO, one thread", "iteration", "decisions/s", "answers", "gradient steps"]
    rows = [[*heading, "in networks", f"≥ {LEAST_SHARE:.0%}"]]
    for speed in (Speed(**case) for case in results["cases"]):
        share = speed.answers + speed.steps
        rows.append(
            [
                speed.case,
                f"{speed.seconds:.1f} s",
                short(speed.decisions),
                f"{speed.answers:.0%}",
                f"{speed.steps:.0%}",
                f"{share:.0%}",
                verdict(share >= LEAST_SHARE),
            ]
        )
    return table(rows)


def define_flags() -> None:
    config_flags.DEFINE_config_file("config", CONFIG, "an experiment's config file and variant")
    flags.DEFINE_list("curves", ["league", "rules", "transformer"], "the curves to measure")
    flags.DEFINE_integer("iterations", 3, "the number of iterations profiled", lower_bound=1)
    define_json()


def main() -> None:
    chosen = flags.FLAGS
    known = list(chosen.config.curves)
    with user_input():
        if unknown := [name for name in chosen.curves if name not in known]:
            raise ValueError(f"there is no curve {unknown[0]!r}; there are {', '.join(known)}")
    benchmark(lambda: measure(chosen.config, chosen.curves, chosen.iterations), report)


if __name__ == "__main__":
    define_flags()
    run(main)
