"""Experiments with AlphaZero: the curves of a config, each with its seeds.

    EXPERIMENT = AlphaZeroExperiment(script=…, config=…, game=SNAPSZER, …)

Every few iterations a curve's network is measured, playing the action it likes best, without
search. At the end it is `judged`:

    deals      on fresh duplicate deals, alone and with search, as are the config's `rivals`
    matches    in whole matches, alone
    exact      by its NashConv, in a small variant; so it is while it learns
    nothing    it only prepares another curve

A curve's folder is an agent, `alphazero:WORKDIR/curves/NAME-SEED`, and so is what is kept of it,
`alphazero:WORKDIR/networks/NAME-SEED`.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from time import process_time

from ml_collections import ConfigDict

from experiments.common.curves import Curve, gather, open_curve, seeded_curves
from experiments.common.experiment import Experiment, check_game, check_least
from experiments.common.learners import export, follow
from experiments.common.meetings import (
    ALONE,
    CHECKS,
    FINALS,
    Meeting,
    about_agent,
    meeting,
    panel,
    play_out,
)
from experiments.common.runs import Metrics, read_json, read_lines, save_json
from solvers.alphazero.learner import Learner
from solvers.alphazero.settings import Settings
from solvers.exact.best_response import nash_conv
from solvers.exact.profiles import load_tree, profile_of
from solvers.runs.agent import ALPHAZERO, PLAYS
from solvers.runs.settings import check_choice
from spielgames.agents import make_agent
from spielgames.core.game import Game

JUDGED = "deals", "matches", "exact", "nothing"


@dataclass(frozen=True)
class AlphaZeroExperiment(Experiment):
    game: Game
    make_report: Callable[[list[Metrics], list[Metrics], list[Metrics]], str]  # of three files
    make_figures: Callable[[list[Metrics], Path], list[Path]]
    measure_agent: Meeting = meeting

    def check(self, config: ConfigDict) -> None:
        check_least(config, log_every=1)
        for curve in config.curves.values():
            check_game("game", curve.game, self.game)
            check_choice("judged", curve.judged, JUDGED)
            finals = [*config.get("rivals", {}).values(), *dict(config.finals)]
            for agent in (*dict(config.checks), *(finals if curve.judged == "deals" else ())):
                make_agent(agent, curve.game)

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        return seeded_curves(Settings.of, config, workdir)

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        """Measure every few iterations."""
        run, learner = open_curve(curve, Learner)
        agent, seed = ALONE.format(curve.folder), curve.seed + CHECKS
        start = process_time()
        for report in follow(learner, curve.limits, run.metrics, curve.title):
            report |= {"cpu_seconds": process_time() - start}  # of this process
            ends = curve.limits.reached(learner.archive.state)
            if report["iteration"] % config.log_every == 0 or ends:
                if config.curves[curve.name].judged == "exact":
                    report |= {"nash_conv": exact_nash_conv(f"net:{curve.folder}", curve.game)}
                else:
                    found = {
                        opponent: self.measure_agent(agent, opponent, curve.game, deals, seed)
                        for opponent, deals in config.checks
                    }
                    report |= {"against": found}
            run.append(curve.about | report)
            start = process_time()
        export(curve.folder, curve.network, networks=f"{ALPHAZERO}-*")

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        curves = self.curves(config, workdir)
        gather(curves, workdir)
        learnt = [curve for curve in curves if curve.network.exists()]
        exact, dealt, matched = (
            [curve for curve in learnt if config.curves[curve.name].judged == how]
            for how in ("exact", "deals", "matches")
        )
        if exact:
            save_json(workdir / "exact.json", [line for curve in exact for line in exact_of(curve)])
        wanted = [final for curve in dealt for final in finals_of(curve, config)]
        wanted += [final for curve in matched for final in matches_of(curve, config)]
        for game in dict.fromkeys(curve.game for curve in dealt):
            wanted += rivals_of(config, game)
        play_out(wanted, workdir / "finals.json", self.measure_agent)

    def report(self, workdir: Path) -> str:
        files = [read_json(workdir / f"{name}.json", []) for name in ("finals", "exact")]
        return self.make_report(read_lines(workdir / "metrics.jsonl"), *files)

    def draw(self, workdir: Path) -> list[Path]:
        return self.make_figures(read_lines(workdir / "metrics.jsonl"), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        name = Path(self.script).stem
        commands = [f"{self.command('cpu')} --workdir=runs/{name}_cpu"]
        for folder in sorted((workdir / "networks").glob("*"))[:1]:
            game = read_json(folder / "state.json")["about"]["game"]
            commands += [
                f"python -m analysis.tournament --game='{game}' --agents=alphazero:{folder},rules",
                f"python -m spielgames.play --game='{game}' --seats=human,alphazero:{folder}",
            ]
        return commands


def finals_of(curve: Curve, config: ConfigDict) -> Iterator[Metrics]:
    """What a curve's network plays at the end: against the panel, and its base if it has one."""
    for plays, spec in config.plays.items():
        about = about_agent(curve, plays, spec)
        for opponent in panel(config):
            yield about | opponent
        if base := config.curves[curve.name].get("base"):
            network = curve.network.with_name(f"{base}-{curve.seed}")
            if network.exists():
                opponent = {"opponent": ALONE.format(network), "deals": config.base_deals}
                yield about | opponent | {"deal_seed": FINALS, "base": base}


def matches_of(curve: Curve, config: ConfigDict) -> Iterator[Metrics]:
    """The whole matches that its network plays."""
    for opponent, matches in config.match_finals:
        played = {"opponent": opponent, "deals": matches, "deal_seed": FINALS, "unit": "match"}
        yield about_agent(curve, "best", ALONE) | played


def rivals_of(config: ConfigDict, game: str) -> Iterator[Metrics]:
    """What others play in a network's place."""
    for name, agent in config.get("rivals", {}).items():
        about = {"curve": name, "seed": 0, "game": game, "plays": "rival", "agent": agent}
        for opponent in panel(config):
            yield about | opponent


def exact_of(curve: Curve) -> Iterator[Metrics]:
    """The NashConv of a network's policy, and of always taking its likeliest action."""
    for plays in PLAYS:
        agent = f"net:{curve.network},play={plays}"
        yield curve.about | {"plays": plays, "nash_conv": exact_nash_conv(agent, curve.game)}


def exact_nash_conv(agent: str, game: str) -> float:
    tree = load_tree(game)
    return float(nash_conv(tree, profile_of(make_agent(agent, game), tree)))
