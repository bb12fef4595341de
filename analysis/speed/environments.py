"""The speed of environments for reinforcement learning: decisions per second on one core.

    python -m analysis.speed.environments --json=environments.json    (two minutes)

Legal actions are drawn at random, and everything that the interface shows is looked at, as a
learner does. Beside ours stand OpenSpiel's `rl_environment`, on our games and on its own Hearts in
C++; and, if it is installed, Shimmy's PettingZoo environment of the same Hearts. (Shimmy 2.0.1 ends
each deal of it after a few decisions.) The numbers are medians of short stretches in which all take
turns (`analysis.speed.benchmark`).
"""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from random import Random

import gymnasium
import numpy as np
import pettingzoo
import pyspiel
from absl import flags, logging
from numpy.random import default_rng
from open_spiel.python.rl_environment import Environment, ObservationType

from analysis.figures import short, table
from analysis.speed.benchmark import (
    Amounts,
    Results,
    Task,
    benchmark,
    define_json,
    define_repeated,
    machine,
    machine_line,
    median_rates,
)
from solvers.runs.threads import use_threads
from spielgames.command import run
from spielgames.core.game import GAMES
from spielgames.gymnasium import SeatEnv
from spielgames.gymnasium_vector import VectorSeatEnv
from spielgames.pettingzoo import SeatsEnv

DEALS = 3  # in a portion of the work
DEALS_AT_ONCE = 1024  # in a vector
HEARTS = "python_hearts"
THEIRS = "hearts"  # OpenSpiel's own
LUCK = Random(1)

Play = Callable[[], int]  # plays a deal, or a step of many; returns the number of decisions


def play_pettingzoo(environment: pettingzoo.AECEnv) -> int:
    environment.reset()
    decisions = 0
    for _ in environment.agent_iter():
        shown, _, over, cut, info = environment.last()
        if over or cut:
            environment.step(None)
        else:
            mask = (shown if isinstance(shown, dict) else info)["action_mask"]
            environment.step(LUCK.choice(np.flatnonzero(mask).tolist()))
            decisions += 1
    return decisions


def play_gymnasium(environment: gymnasium.Env) -> int:
    """Only our own seat's decisions count."""
    shown, _ = environment.reset()
    decisions, over = 0, False
    while not over:
        action = LUCK.choice(np.flatnonzero(shown["action_mask"]).tolist())
        shown, _, over, _, _ = environment.step(action)
        decisions += 1
    return decisions


class VectorPlayer:
    """Plays many deals at once; a call is a step of all of them."""

    def __init__(self, name: str) -> None:
        self.vector, self.random = VectorSeatEnv(name, DEALS_AT_ONCE, "random"), default_rng(1)
        self.mask = self.vector.reset(seed=1)[0]["action_mask"]

    def __call__(self) -> int:
        noisy = self.mask * self.random.random(self.mask.shape, np.float32)
        self.mask = self.vector.step(noisy.argmax(axis=1))[0]["action_mask"]
        return DEALS_AT_ONCE


def play_openspiel(environment: Environment) -> int:
    step = environment.reset()
    decisions = 0
    while not step.last():
        legal = step.observations["legal_actions"][step.current_player()]
        step = environment.step([LUCK.choice(legal)])
        decisions += 1
    return decisions


def plays(name: str) -> dict[str, Play]:
    """The interfaces to one game, by what they are called in the report."""
    compact = Environment(name, observation_type=ObservationType.OBSERVATION)
    found: dict[str, Play] = {
        "PettingZoo": partial(play_pettingzoo, SeatsEnv(name)),
        "PettingZoo, compact": partial(play_pettingzoo, SeatsEnv(name, perfect_recall=False)),
        "Gymnasium, others at random": partial(play_gymnasium, SeatEnv(name, "random")),
        f"Gymnasium, {DEALS_AT_ONCE:,} deals at once": VectorPlayer(name),
        "rl_environment": partial(play_openspiel, Environment(name)),
        "rl_environment, compact": partial(play_openspiel, compact),
    }
    if name == HEARTS:
        found["rl_environment on C++ Hearts"] = partial(play_openspiel, Environment(THEIRS))
    if name == HEARTS and find_spec("shimmy"):
        from shimmy import OpenSpielCompatibilityV0

        theirs = OpenSpielCompatibilityV0(env=pyspiel.load_game(THEIRS))
        found["Shimmy on C++ Hearts"] = partial(play_pettingzoo, theirs)
    return found


def portion(play: Play, name: str) -> Amounts:
    return {name: sum(play() for _ in range(DEALS))}


def measure(seconds: float, repetitions: int) -> Results:
    use_threads(1)
    games = {game: plays(game) for game in GAMES}
    tasks = [
        Task(g, partial(portion, play, n)) for g, of in games.items() for n, play in of.items()
    ]
    return {"machine": machine(), "decisions_per_s": median_rates(tasks, seconds, repetitions)}


def report(results: Results) -> str:
    """The report in Markdown."""
    rates = results["decisions_per_s"]
    names = dict.fromkeys(name for of in rates.values() for name in of)
    rows = [["decisions/s, one core", *(GAMES[game].title for game in rates)]]
    for name in names:
        rows.append([name, *(short(of[name]) if name in of else "" for of in rates.values())])
    return f"{table(rows)}\n\n{machine_line(results)}"


def define_flags() -> None:
    define_json()
    define_repeated(0.5, 5)


def main() -> None:
    logging.set_verbosity(logging.WARNING)  # OpenSpiel's environments say which game they load
    benchmark(partial(measure, flags.FLAGS.seconds, flags.FLAGS.repetitions), report)


if __name__ == "__main__":
    define_flags()
    run(main)
