"""Experiments with AlphaZero: the curves of a config, each with its seeds.

    EXPERIMENT = AlphaZeroExperiment(script=…, config=…, game=SNAPSZER, …)

Every few iterations a curve's network is measured, playing the action it likes best, without
search; or, in a small variant, its NashConv is computed. At the end each network is measured on
fresh deals, alone and with search.

A curve's folder is an agent, `alphazero:WORKDIR/curves/NAME-SEED`, and so is what is kept of it,
`alphazero:WORKDIR/networks/NAME-SEED`.
"""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from time import process_time

from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.tournament.pairs import meet
from experiments.common.curves import Curve, gather, open_curve, seeded_curves
from experiments.common.experiment import Experiment, check_game, check_least
from experiments.common.learners import export, follow
from experiments.common.runs import Metrics, plain, read_json, read_lines, save_json
from solvers.alphazero.learner import Learner
from solvers.alphazero.settings import Settings
from solvers.exact.best_response import nash_conv
from solvers.exact.profiles import load_tree, profile_of
from solvers.runs.agent import ALPHAZERO, PLAYS
from spielgames.agents import make_agent
from spielgames.core.game import Game

CHECKS, FINALS = 1_000_003, 2_000_003  # added to seeds, for deals that nothing was learnt from
PLAYED = "agent", "opponent", "game", "deals", "deal_seed"  # in the order of `meet`
ALONE = "net:{},play=best"  # without search


@dataclass(frozen=True)
class AlphaZeroExperiment(Experiment):
    game: Game
    make_report: Callable[[list[Metrics], list[Metrics], list[Metrics]], str]  # of three files
    make_figures: Callable[[list[Metrics], Path], list[Path]]

    def check(self, config: ConfigDict) -> None:
        check_least(config, log_every=1, workers=1)
        for curve in config.curves.values():
            check_game("game", curve.game, self.game)
            for agent, _ in (*config.checks, *config.finals):
                make_agent(agent, curve.game)

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        return seeded_curves(Settings.of, config, workdir)

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        """Measure every few iterations."""
        run, learner = open_curve(curve, partial(Learner, workers=config.workers))
        agent, seed = ALONE.format(curve.folder), curve.seed + CHECKS
        start = process_time()
        for report in follow(learner, curve.limits, run.metrics, curve.title):
            report |= {"cpu_seconds": process_time() - start}  # of this process
            ends = curve.limits.reached(learner.archive.state)
            if report["iteration"] % config.log_every == 0 or ends:
                if config.curves[curve.name].exact:
                    report |= {"nash_conv": exact_nash_conv(f"net:{curve.folder}", curve.game)}
                else:
                    report |= {"against": against(agent, curve.game, config.checks, seed)}
            run.append(curve.about | report)
            start = process_time()
        export(curve.folder, curve.network, networks=f"{ALPHAZERO}-*")

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        curves = self.curves(config, workdir)
        gather(curves, workdir)
        exact: list[Curve] = []
        learnt: list[Curve] = []
        for curve in (curve for curve in curves if curve.network.exists()):
            (exact if config.curves[curve.name].exact else learnt).append(curve)
        save_json(workdir / "exact.json", [line for curve in exact for line in exact_of(curve)])
        wanted = [final for curve in learnt for final in finals_of(curve, config)]
        play_out(wanted, workdir / "finals.json")

    def report(self, workdir: Path) -> str:
        files = [read_json(workdir / f"{name}.json", []) for name in ("finals", "exact")]
        return self.make_report(read_lines(workdir / "metrics.jsonl"), *files)

    def draw(self, workdir: Path) -> list[Path]:
        return self.make_figures(read_lines(workdir / "metrics.jsonl"), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        name = Path(self.script).stem
        commands = [f"python {self.script} --config={self.config}:cpu --workdir=runs/{name}_cpu"]
        for folder in sorted((workdir / "networks").glob("*"))[:1]:
            game = read_json(folder / "state.json")["about"]["game"]
            commands += [
                f"python -m analysis.tournament --game='{game}' --agents=alphazero:{folder},rules",
                f"python -m spielgames.play --game='{game}' --seats=human,alphazero:{folder}",
            ]
        return commands


def play_out(wanted: list[Metrics], path: Path) -> None:
    """Play what has not been played yet, and keep the results."""
    kept = read_json(path, [])
    for one in tqdm(wanted, desc=path.stem):
        if not any(one.items() <= known.items() for known in kept):
            found = meet(*(one[key] for key in PLAYED), one.get("unit", "deal"))
            kept.append(one | result_of(found))
            save_json(path, kept)


def finals_of(curve: Curve, config: ConfigDict) -> Iterator[Metrics]:
    """What is played at the end: who, against whom, on how many deals. A curve that plays whole
    matches does so without search.
    """
    iteration = read_json(curve.network / "state.json")["state"]["iteration"]
    matches = config.curves[curve.name].get("matches")
    for plays, spec in ({"best": ALONE} if matches else config.plays).items():
        for opponent in opponents_of(curve, config):
            yield (
                curve.about
                | {
                    "plays": plays,
                    "agent": spec.format(curve.network),
                    "deal_seed": FINALS,
                    "learnt": iteration,
                }
                | opponent
            )


def opponents_of(curve: Curve, config: ConfigDict) -> Iterator[Metrics]:
    """The opponents of a curve's network, with its base's network of the same seed, if any."""
    given = config.curves[curve.name]
    if given.get("matches"):
        for opponent, matches in config.match_finals:
            yield {"opponent": opponent, "deals": matches, "unit": "match"}
        return
    for opponent, deals in config.finals:
        yield {"opponent": opponent, "deals": deals}
    if base := given.get("base"):
        network = curve.network.with_name(f"{base}-{curve.seed}")
        if network.exists():
            yield {"opponent": ALONE.format(network), "deals": config.base_deals, "base": base}


def against(agent: str, game: str, opponents: tuple, seed: int) -> Metrics:
    return {
        opponent: result_of(meet(agent, opponent, game, deals, seed))
        for opponent, deals in opponents
    }


def exact_of(curve: Curve) -> Iterator[Metrics]:
    """The NashConv of a network's policy, and of always taking its likeliest action."""
    for plays in PLAYS:
        agent = f"net:{curve.network},play={plays}"
        yield curve.about | {"plays": plays, "nash_conv": exact_nash_conv(agent, curve.game)}


def exact_nash_conv(agent: str, game: str) -> float:
    tree = load_tree(game)
    return float(nash_conv(tree, profile_of(make_agent(agent, game), tree)))


def result_of(found: object) -> Metrics:
    """The numbers of a result that reports show."""
    numbers = plain(asdict(found))  # type: ignore[call-overload]
    kept = "mean", "low", "high", "win_rate", "win_low", "win_high"
    return {key: numbers[key] for key in kept}
