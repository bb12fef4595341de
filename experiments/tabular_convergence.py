"""The convergence of tabular solvers to an equilibrium: ours, and OpenSpiel's in the same run.

    python experiments/tabular_convergence.py --workdir=runs/convergence \\
        --config=experiments/configs/tabular_convergence.py:quick

Solvers are measured by NashConv: what all seats together could gain by best responses (twice the
exploitability of a two-player zero-sum game). It is 0 in a Nash equilibrium, to which these solvers
are proven to converge for two players with opposite interests; with more players nothing is
guaranteed. Seconds are the solver's own: loading a game, compiling and evaluating do not count.

Writes metrics.jsonl (a line per evaluation), report.md and the figures `iterations` and `seconds`
(PDF, PNG, CSV) into the work folder. The same command goes on with the curve where it was stopped.
"""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import methodcaller
from pathlib import Path
from typing import NamedTuple

import pyspiel
from ml_collections import ConfigDict
from open_spiel.python.algorithms import cfr
from tqdm import tqdm

from analysis.speed.other_solvers import OpenSpielSolver
from experiments.common.curves import Curve
from experiments.common.experiment import Experiment, check_names
from experiments.common.runs import Metrics, Run, read_lines
from experiments.common.stopwatch import Solver, Stopwatch
from experiments.reports.convergence_figure import save_convergence_figures
from experiments.reports.tabular_convergence import report
from solvers.exact.best_response import nash_conv
from solvers.exact.cfr import Cfr
from solvers.exact.linear_program import solve
from solvers.exact.mccfr import Mccfr
from solvers.exact.mirror_descent import MirrorDescent
from solvers.exact.profiles import Profile, load_tree
from solvers.exact.sequence_form import Form, expected_values, flatten
from spielgames.core.game import GAMES
from spielgames.core.tree import GIGABYTE, Tree

EXACT = 1e-12  # × the largest utility: below, NashConv is only rounding


class LinearProgramme:
    """A linear programme, solved in a single iteration."""

    def __init__(self, tree: Tree) -> None:
        self.tree = tree

    def run(self, iterations: int) -> None:
        self.profile = solve(self.tree).profile

    def average(self) -> Profile:
        return self.profile


class Method(NamedTuple):
    start: Callable[[Tree, int], Solver]  # from a tree and a seed
    kind: str = "tree"  # which limits of the config it has
    answer: Callable[[Solver], Profile] = methodcaller("average")


METHODS = {
    "cfr": Method(lambda tree, _: Cfr(tree, "cfr")),
    "plus": Method(lambda tree, _: Cfr(tree, "plus")),
    "linear": Method(lambda tree, _: Cfr(tree, "linear")),
    "discounted": Method(lambda tree, _: Cfr(tree, "discounted")),
    "predictive": Method(lambda tree, _: Cfr(tree, "predictive")),
    "mmd": Method(lambda tree, _: MirrorDescent(tree), answer=methodcaller("current")),
    "external": Method(lambda tree, seed: Mccfr(tree, "external", seed), "sampling"),
    "outcome": Method(lambda tree, seed: Mccfr(tree, "outcome", seed), "sampling"),
    "lp": Method(lambda tree, _: LinearProgramme(tree), "lp"),
    "openspiel_python_cfr": Method(lambda t, _: OpenSpielSolver(t, cfr.CFRSolver), "openspiel"),
    "openspiel_cfr": Method(lambda t, _: OpenSpielSolver(t, pyspiel.CFRSolver), "openspiel"),
    "openspiel_plus": Method(lambda t, _: OpenSpielSolver(t, pyspiel.CFRPlusSolver), "openspiel"),
}


def follow(tree: Tree, form: Form, name: str, config: ConfigDict) -> Iterator[Metrics]:
    """The points of a solver's curve, at ever larger distances, until its iterations are used up,
    its time would be exceeded, or nothing is left to gain.
    """
    method = METHODS[name]
    watch = Stopwatch(method.start(tree, config.seed))
    exact = EXACT * float(abs(tree.payoffs).max())
    most, following, last = config.iterations[method.kind], 1, False
    while not last:
        at = following
        watch.run_to(at)
        metrics = measure(form, method.answer(watch.solver))
        following = min(max(at + 1, math.ceil(at * config.growth)), most)
        foreseen = watch.seconds * following / at
        last = at == most or foreseen > config.seconds or metrics["nash_conv"] < exact
        place = {"game": tree.name, "players": tree.players, "leaves": len(tree.chance)}
        progress = {"solver": name, "iterations": at, "seconds": watch.seconds}
        yield place | progress | metrics | {"last": last}


def measure(form: Form, profile: Profile) -> Metrics:
    return {
        "nash_conv": nash_conv(form, profile),
        "values": expected_values(form, profile).tolist(),
    }


def fits(tree: Tree, method: Method, config: ConfigDict) -> bool:
    """Whether a tree is small enough for a method; linear programmes are for two players."""
    small = len(tree.chance) <= config.largest[method.kind]
    return small and (method.kind != "lp" or tree.players == 2)


def finished(metrics: list[Metrics]) -> list[Metrics]:
    """The lines of all finished curves."""
    ended = {curve_of(m) for m in metrics if m["last"]}
    return [m for m in metrics if curve_of(m) in ended]


def curve_of(metrics: Metrics) -> tuple[str, str]:
    return metrics["game"], metrics["solver"]


def compute(run: Run, config: ConfigDict) -> None:
    """Compute all curves that are not finished, game after game."""
    run.keep(finished(run.metrics))
    done = {curve_of(m) for m in run.metrics}
    wanted = {g: [s for s in config.solvers if (g, s) not in done] for g in config.games}
    with tqdm(total=len(config.games) * len(config.solvers), unit=" curves") as bar:
        bar.update(len(done))
        for game in filter(wanted.get, config.games):
            compile_solvers(wanted[game], bar)
            tree = load_tree(game, round(config.memory * GIGABYTE))
            form = flatten(tree)
            for name in wanted[game]:
                bar.set_description(f"{game} {name}")
                if fits(tree, METHODS[name], config):
                    for metrics in follow(tree, form, name, config):
                        run.append(metrics)
                bar.update()
        bar.set_description("")


def compile_solvers(names: list[str], bar: tqdm) -> None:
    """Run each solver on the smallest game, so that compiling does not count."""
    bar.set_description("compiling")
    tree = load_tree("kuhn_poker")
    for name in names:
        METHODS[name].start(tree, 0).run(1)


@dataclass(frozen=True)
class TabularConvergence(Experiment):
    def check(self, config: ConfigDict) -> None:
        check_names("solver", config.solvers, METHODS)
        games = [game.partition("(")[0] for game in config.games]
        check_names("game", games, [*GAMES, *pyspiel.registered_names()])
        if not config.growth > 1:
            raise ValueError(f"growth={config.growth} is not allowed; it is more than 1")

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        """None: solvers can't be stored, and share a game's tree."""
        return []

    def open(self, config: ConfigDict, workdir: Path) -> None:
        """All curves share the work folder, and its config."""

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        compute(Run(workdir, config), config)

    def report(self, workdir: Path) -> str:
        return report(read_lines(workdir / "metrics.jsonl"))

    def draw(self, workdir: Path) -> list[Path]:
        return save_convergence_figures(read_lines(workdir / "metrics.jsonl"), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        return [
            f"{self.command('cpu')} --workdir={workdir}_cpu",
            "python -m analysis.speed.cfr",
            "python -m analysis.exploitability --game=leduc_poker --agent=cfr:iterations=1000",
        ]


EXPERIMENT = TabularConvergence(
    script="experiments/tabular_convergence.py", config="experiments/configs/tabular_convergence.py"
)

if __name__ == "__main__":
    EXPERIMENT.start()
