"""How fast deals are solved with open hands (docs/double_dummy.md).

    python -m analysis.speed.double_dummy --json=solver.json

Deals are bid by the rule-based players and, where fewer cards than all are left, played by them.
Each is solved alone on one thread: the values of all actions, and in Hokm also just who wins. Times
are those of the processor.
"""

from time import process_time
from typing import NamedTuple

import numpy as np
from absl import flags

from analysis.figures import table
from analysis.speed.benchmark import Results, benchmark, define_json, machine, verdict
from analysis.speed.endings import endings
from solvers.search.double_dummy import reach_games, solve_games
from solvers.search.double_dummy_search import memory_for
from spielgames.command import run
from spielgames.core.registry import find


class Workload(NamedTuple):
    """A kind of position, and the milliseconds in which it shall be solved."""

    title: str
    game: str
    cards: int  # left in hands and piles
    winner: bool = False  # whether only the winner is asked for, not the value of each action
    target: float = np.inf
    measure: str = "mean"


WORKLOADS = (
    Workload("Coinche, after the auction", "python_coinche", 32, target=60),
    Workload("Sheephead, after the call", "python_sheephead", 32),
    Workload("Snapszer, known talon", "python_snapszer", 20, target=40),
    Workload("Schnapsen, known talon", "python_snapszer(rules=schnapsen)", 20, target=40),
    Workload("Snapszer, talon gone", "python_snapszer", 10, target=0.01),
    Workload("Hearts, seven tricks", "python_hearts", 28),
    Workload("Hokm, ten tricks", "python_hokm", 40),
    Workload("Hokm, the winner of ten tricks", "python_hokm", 40, winner=True),
    Workload("Hokm, the winner of a deal", "python_hokm", 52, True, 100, "median"),
)


def measure(deals: int) -> Results:
    return {
        "machine": machine(),
        "cases": [measure_workload(workload, deals) for workload in WORKLOADS],
    }


def measure_workload(workload: Workload, deals: int) -> Results:
    """Milliseconds per position, and positions searched."""
    game, _ = find(workload.game)
    states = endings(workload.game, workload.cards, deals, seed=1, by_rules=True)
    memory, seconds = memory_for(game, 1), np.zeros(len(states))
    values, nodes = np.zeros((1, game.actions), np.float32), np.zeros(len(states), np.int64)
    won = np.zeros(1, np.int64)
    for i in [0, *range(len(states))]:  # the first once more, as it is compiled
        start = process_time()
        if workload.winner:
            reach_games.serial(memory, states[i : i + 1], 1.0, 0, won)
        else:
            solve_games.serial(memory, states[i : i + 1], 0, values, nodes[i : i + 1])
        seconds[i] = process_time() - start
    found = {
        "mean": 1e3 * seconds.mean(),
        "median": 1e3 * np.median(seconds),
        "p90": 1e3 * np.quantile(seconds, 0.9),
        "most": 1e3 * seconds.max(),
        "nodes": None if workload.winner else nodes.mean(),
        "ns_per_node": None if workload.winner else 1e9 * seconds.sum() / nodes.sum(),
    }
    return {"title": workload.title, "deals": len(states), **found}


def report(results: Results) -> str:
    heading = ["milliseconds on one core", "deals", "mean", "median", "90 %", "most"]
    rows = [[*heading, "positions", "ns each", "target"]]
    for workload, case in zip(WORKLOADS, results["cases"], strict=True):
        times = [f"{case[name]:.3g}" for name in ("mean", "median", "p90", "most")]
        searched = ["", ""]
        if case["nodes"]:
            searched = [f"{case['nodes']:,.0f}", f"{case['ns_per_node']:.0f}"]
        reached = ""
        if workload.target < np.inf:
            reached = f"≤ {workload.target:g}: {verdict(case[workload.measure] <= workload.target)}"
        rows.append([case["title"], str(case["deals"]), *times, *searched, reached])
    return table(rows)


def define_flags() -> None:
    flags.DEFINE_integer("deals", 100, "deals of each kind", 1)
    define_json()


def main() -> None:
    benchmark(lambda: measure(flags.FLAGS.deals), report)


if __name__ == "__main__":
    define_flags()
    run(main)
