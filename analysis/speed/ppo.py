"""Where the time of PPO's iterations goes: how much of it is spent in networks.

    python -m analysis.speed.ppo --json=ppo.json    (some minutes, on one thread)

Each case is a curve of an experiment's config, at its full size. After one iteration that nobody
looks at, some are profiled. Time in networks is that of their answers, while deals are played or
valued, and of gradient steps; the rest is rules, encodings, and bookkeeping.
"""

import cProfile
import json
import pstats
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from absl import flags
from ml_collections import ConfigDict

from analysis.figures.files import save_text, short, table
from analysis.speed.games import machine
from experiments.common.learners import use_threads
from experiments.configs import coinche_ppo, hokm_league
from solvers.environments.load import load_environment
from solvers.networks.network import predict
from solvers.ppo.learner import Learner
from solvers.ppo.settings import Settings
from solvers.ppo.update import step
from spielgames.command import run, user_input

CASES = {
    "hokm_league": (hokm_league, "league"),
    "hokm_rules": (hokm_league, "rules"),
    "hokm_transformer": (hokm_league, "transformer"),
    "coinche_strong": (coinche_ppo, "strong"),
}
LEAST_SHARE = 0.5  # "the network dominates"


class Speed(NamedTuple):
    case: str
    seconds: float  # of an iteration
    decisions: float  # learnt from, in a second
    answers: float  # share of the time
    steps: float  # share of the time


def measure(name: str, curve: ConfigDict, iterations: int) -> Speed:
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
    """With all that it calls."""
    code = function.__code__
    place = code.co_filename, code.co_firstlineno, code.co_name
    return stats.stats[place][3]


def report(found: list[Speed]) -> str:
    heading = ["PPO, one thread", "iteration", "decisions/s", "answers", "gradient steps"]
    rows = [[*heading, "in networks", f"≥ {LEAST_SHARE:.0%}"]]
    for one in found:
        share = one.answers + one.steps
        rows.append(
            [
                one.case,
                f"{one.seconds:.1f} s",
                short(one.decisions),
                f"{one.answers:.0%}",
                f"{one.steps:.0%}",
                f"{share:.0%}",
                "yes" if share >= LEAST_SHARE else "no",
            ]
        )
    return table(rows)


def define_flags() -> None:
    flags.DEFINE_list("cases", list(CASES), "what is measured")
    flags.DEFINE_string("variant", "cpu", "of the configs")
    flags.DEFINE_integer("iterations", 3, "that are profiled", lower_bound=1)
    flags.DEFINE_string("json", "", "a file for the numbers")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        if unknown := [case for case in chosen.cases if case not in CASES]:
            raise ValueError(f"there is no case {unknown[0]!r}; there are {', '.join(CASES)}")
        configs = {case: CASES[case][0].get_config(chosen.variant) for case in chosen.cases}
    use_threads(1)
    found = [
        measure(case, config.curves[CASES[case][1]], chosen.iterations)
        for case, config in configs.items()
    ]
    print(report(found))
    if chosen.json:
        kept = {"machine": machine(), "cases": [one._asdict() for one in found]}
        save_text(Path(chosen.json), json.dumps(kept, indent=2))


if __name__ == "__main__":
    define_flags()
    run(main)
