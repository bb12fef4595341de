"""The speed of information-set Monte Carlo tree search, ours and OpenSpiel's on the same worlds.

    python -m analysis.speed.tree_search --json=tree_search.json    (two minutes)

A simulation samples a world, goes down the tree and plays to the end by the rules; both start from
the same positions, some moves into full deals, on one core. The numbers are medians of short
stretches in which all take turns (`analysis.speed.benchmark`).
"""

from functools import partial

import numpy as np
from absl import flags

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
from analysis.speed.workloads import one_core
from spielgames.agents import Agent, make_agent
from spielgames.command import run
from spielgames.core.batch import Batch
from spielgames.core.game import GAMES

OURS, THEIRS = "ismcts", "openspiel_ismcts"
SIMS = {OURS: 1000, THEIRS: 100}  # of a decision, theirs fewer as each is so slow
POSITIONS = 8
MOVES = 6  # before them; no deal is over by then


def positions(name: str) -> np.ndarray:
    """Decisions with a choice in deals that are played by the rules."""
    rules, batch = make_agent("rules", name), Batch(name, games=50, seed=1)
    for _ in range(MOVES):
        batch.step(rules.probabilities(batch.states).argmax(axis=1))
    free = batch.legal_mask().sum(axis=1) > 1
    return batch.states[free][:POSITIONS]


def decide(agent: Agent, states: np.ndarray, kind: str) -> Amounts:
    with one_core():
        agent.probabilities(states)
    return {kind: SIMS[kind] * len(states)}


def measure(seconds: float, repetitions: int) -> Results:
    """Simulations per second of both in each game."""
    tasks = []
    for name in GAMES:
        states = positions(name)
        for kind, some in ((OURS, states), (THEIRS, states[:1])):
            agent = make_agent(f"{kind}:sims={SIMS[kind]}", name)
            tasks.append(Task(name, partial(decide, agent, some, kind)))
    return {
        "machine": machine(),
        "settings": {"seconds": seconds, "repetitions": repetitions, "sims": SIMS},
        "simulations_per_s": median_rates(tasks, seconds, repetitions),
    }


def report(results: Results) -> str:
    """The report in Markdown."""
    rows = [["simulations/s, one core", OURS, THEIRS, "ratio"]]
    for name, of in results["simulations_per_s"].items():
        ratio = of[OURS] / of[THEIRS]
        rows.append([GAMES[name].title, short(of[OURS]), short(of[THEIRS]), f"{ratio:.0f}"])
    return f"{table(rows)}\n\n{machine_line(results)}"


def define_flags() -> None:
    define_json()
    define_repeated(0.5, 7)


def main() -> None:
    benchmark(partial(measure, flags.FLAGS.seconds, flags.FLAGS.repetitions), report)


if __name__ == "__main__":
    define_flags()
    run(main)
