"""Experiments with PPO: the curves of a config, each with its seeds.

    EXPERIMENT = PpoExperiment(script=…, config=…, game=HOKM, measure_agent=…, …)

Every few iterations a curve's averaged network is measured. At the end all curves are measured on
fresh deals, and report and figures show all curves in the work folder; --only=NAME,… goes on with
some of them, so that several processes can share the work.

A curve's folder is an agent, `net:WORKDIR/curves/NAME-SEED`, and so is what is kept of it,
`net:WORKDIR/networks/NAME-SEED`.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ml_collections import ConfigDict
from tqdm import tqdm

from experiments.common.curves import Curve, gather, open_curve, seeded_curves
from experiments.common.experiment import Experiment, check_game, check_least, check_names
from experiments.common.learners import export, follow
from experiments.common.meetings import CHECKS, FINALS
from experiments.common.runs import Metrics, read_json, read_lines, save_json
from solvers.ppo.learner import Learner
from solvers.ppo.settings import Settings
from solvers.runs.agent import PLAYS
from spielgames.agents import make_agent
from spielgames.core.game import Game


@dataclass(frozen=True)
class PpoExperiment(Experiment):
    game: Game
    measure_agent: Callable[[Curve, str, int, int], Metrics]  # a curve's agent: deals, seed
    make_report: Callable[[list[Metrics], list[Metrics], list[Metrics]], str]  # of the three files
    make_figures: Callable[[list[Metrics], Path], list[Path]]
    rivals: Mapping[str, str] = field(default_factory=dict)  # agents measured in a curve's place

    def check(self, config: ConfigDict) -> None:
        check_least(config, log_every=1, check_deals=2, final_deals=2)
        for name in config.curves:
            check_game(f"{name}.game", config.curves[name].game, self.game)
        check_names("curve", [name for name, *_ in config.searches], config.curves)
        for name, options, _ in config.searches:  # better refused now than after hours of learning
            make_agent(f"pimc:{options}", config.curves[name].game)
        for agent, _ in config.get("ceilings", ()):
            make_agent(agent, config.game)

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        return seeded_curves(Settings.of, config, workdir)

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        """Log every few iterations, and whenever the league has met in its arena."""
        run, learner = open_curve(curve, Learner)
        agent, seed = f"net:{curve.folder}", curve.seed + CHECKS
        for report in follow(learner, curve.limits, run.metrics, curve.title):
            ends = curve.limits.reached(learner.archive.state)
            if report["iteration"] % config.log_every == 0 or ends:
                report |= self.measure_agent(curve, agent, config.check_deals, seed)
            elif "arena" not in report:
                continue
            run.append(curve.about | report)
        export(curve.folder, curve.network, networks="average-*")

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        curves = self.curves(config, workdir)
        gather(curves, workdir)
        learnt = [curve for curve in curves if curve.network.exists()]
        finals = [
            final
            for curve in tqdm(learnt, desc="finals")
            for final in self.finals_of(curve, config.final_deals)
        ]
        finals += self.measure_searches(learnt, config, workdir / "searches.json")
        save_json(workdir / "finals.json", finals)

    def finals_of(self, curve: Curve, deals: int) -> Iterable[Metrics]:
        """A network's results, and its rivals', on deals that decided nothing before."""
        agents = {play: f"net:{curve.network},play={play}" for play in PLAYS} | self.rivals
        for plays, agent in agents.items():
            measured = self.measure_agent(curve, agent, deals, FINALS)
            yield curve.about | {"plays": plays} | measured

    def measure_searches(
        self, curves: Iterable[Curve], config: ConfigDict, path: Path
    ) -> list[Metrics]:
        """Results of searches that deviate from a network's move where they find a better one.
        Being slow, each is measured once.
        """
        kept, found = read_json(path, []), []
        for name, options, deals in tqdm(config.searches, desc="searches"):
            for curve in (curve for curve in curves if curve.name == name):
                agent = f"pimc:{options},base=net:{curve.network}"
                known = curve.about | {"plays": options, "deals": deals, "learnt": learnt(curve)}
                if not any(known.items() <= one.items() for one in kept):
                    kept.append(known | self.measure_agent(curve, agent, deals, FINALS))
                    save_json(path, kept)
                found += [one for one in kept if known.items() <= one.items()]
        return found

    def report(self, workdir: Path) -> str:
        files = [read_json(workdir / f"{name}.json", []) for name in ("finals", "ceilings")]
        return self.make_report(read_lines(workdir / "metrics.jsonl"), *files)

    def draw(self, workdir: Path) -> list[Path]:
        return self.make_figures(read_lines(workdir / "metrics.jsonl"), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        name = Path(self.script).stem
        commands = [f"{self.command('cpu')} --workdir=runs/{name}_cpu"]
        for folder in sorted((workdir / "networks").glob("*"))[:1]:
            game = read_json(folder / "state.json")["about"]["game"]
            agent = f"net:{folder}"
            others = f",{agent}" * (self.game.players - 1)
            commands += [
                f"python -m analysis.tournament --game='{game}' --agents={agent},rules,random",
                f"python -m spielgames.play --game='{game}' --seats=human{others}",
            ]
        return commands


def learnt(curve: Curve) -> int:
    """The number of iterations behind a curve's network."""
    return read_json(curve.network / "state.json")["state"]["iteration"]


def ppo_curve(settings: Settings, game: str, seeds: tuple[int, ...] = (0,)) -> dict[str, Any]:
    """A curve of a config."""
    return {
        "game": game,
        "settings": settings.plain(),
        "seeds": seeds,
        "iterations": 100_000,
        "seconds": 0.0,  # no limit
    }
