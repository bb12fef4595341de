"""The time of an iteration of CFR+: ours, OpenSpiel's C++ solver's, LiteEFG's.

    python -m analysis.speed.cfr --json=solvers.json    (a minute)
    python -m analysis.speed.cfr --games=leduc_poker --seconds=0.1

An iteration updates every seat and its average strategy. The numbers are medians of short
stretches in which all take turns (`analysis.speed.benchmark`), on one core; on a game too large for
the others, ours is also measured on all cores. LiteEFG is measured if it is installed.
"""

from functools import partial
from typing import Any

import pyspiel
from absl import flags
from numba import get_num_threads

from analysis.figures import duration, table
from analysis.speed.benchmark import (
    Amounts,
    Results,
    Task,
    Work,
    benchmark,
    define_json,
    define_repeated,
    machine,
    machine_line,
    median_rates,
    verdict,
)
from analysis.speed.other_solvers import HAS_LITEEFG, LiteEfgPlus, OpenSpielSolver
from analysis.speed.workloads import one_core
from solvers.exact.cfr import Cfr
from solvers.exact.profiles import load_tree
from spielgames.command import run, user_input
from spielgames.core.tree import Tree
from spielgames.specs import split_specs

LARGE = "python_sheephead(ranks=2)"
PORTION = 1_000_000  # leaves that ours visits between two looks at the clock
OURS, ALL_CORES, OPENSPIEL, LITEEFG = "ours", "ours, all cores", "OpenSpiel C++", "LiteEFG"
TARGETS = {OPENSPIEL: 50, LITEEFG: 5}  # their time ÷ ours, at least
INSTALL = "LiteEFG was not measured; `analysis/speed/other_solvers.py` says how to install it."


def iterate(solver: Any, portion: int, who: str) -> Amounts:
    solver.run(portion)
    return {who: portion}


def on_one_core(work: Work) -> Amounts:
    with one_core():
        return work()


def our_work(solver: Cfr, who: str) -> Work:
    return partial(iterate, solver, max(1, PORTION // len(solver.tree.chance)), who)


def compared(tree: Tree) -> list[Work]:
    """The work of one turn, for each solver."""
    works = [
        partial(on_one_core, our_work(Cfr(tree, "plus"), OURS)),
        partial(iterate, OpenSpielSolver(tree, pyspiel.CFRPlusSolver), 1, OPENSPIEL),
    ]
    if HAS_LITEEFG:
        works.append(partial(iterate, LiteEfgPlus(tree.name), 1, LITEEFG))
    return works


def by_cores(tree: Tree) -> list[Work]:
    solver = Cfr(tree, "plus")
    return [partial(on_one_core, our_work(solver, OURS)), our_work(solver, ALL_CORES)]


def measure(games: list[str], large: str | None, seconds: float, repetitions: int) -> Results:
    """The seconds per iteration of each solver on each game."""
    trees = {name: load_tree(name, progress=True) for name in [*games, *([large] if large else [])]}
    tasks = [
        Task(name, work)
        for name, tree in trees.items()
        for work in (by_cores(tree) if name == large else compared(tree))
    ]
    rates = median_rates(tasks, seconds, repetitions)
    return {
        "machine": machine() | {"threads": get_num_threads()},
        "settings": {"seconds": seconds, "repetitions": repetitions},
        "leaves": {name: len(tree.chance) for name, tree in trees.items()},
        "iteration_s": {name: {who: 1 / r for who, r in of.items()} for name, of in rates.items()},
    }


def report(results: Results) -> str:
    """The report in Markdown."""
    parts = [speed_table(results), target_table(results)]
    if not any(LITEEFG in of for of in results["iteration_s"].values()):
        parts.append(INSTALL)
    return "\n\n".join([*parts, machine_line(results)])


def speed_table(results: Results) -> str:
    rows = [["an iteration of CFR+", "leaves", "by", "time", "÷ ours"]]
    for name, times in results["iteration_s"].items():
        for who, time in times.items():
            ratio = f"{time / times[OURS]:.3g}"
            rows.append([name, f"{results['leaves'][name]:,}", who, duration(time), ratio])
    return table(rows)


def target_table(results: Results) -> str:
    rows = [["target", *results["iteration_s"]]]
    for who, least in TARGETS.items():
        cells = [
            verdict(times[who] / times[OURS] >= least) if who in times else "–"
            for times in results["iteration_s"].values()
        ]
        rows.append([f"{who} ≥ {least} × ours", *cells])
    return table(rows)


def define_flags() -> None:
    define_json()
    flags.DEFINE_string("games", "leduc_poker,liars_dice", "the games: any that OpenSpiel loads")
    flags.DEFINE_string("large", LARGE, "a game for ours alone, on one core and on all; may be ''")
    define_repeated(0.5, 7)
    flags.register_validator("seconds", lambda s: 0 < s <= 60, "it is above 0 and at most 60")


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        games = split_specs(chosen.games)
        benchmark(partial(measure, games, chosen.large, chosen.seconds, chosen.repetitions), report)


if __name__ == "__main__":
    define_flags()
    run(main)
