"""Experiments with Deep CFR, one network for all seats, judged by play on the full game.

    EXPERIMENT = DeepCfrExperiment(script=…, config=…, game=HEARTS)

HELP is part of their --help.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.figures import line_style, save_figure, table
from analysis.figures.palette import GREY
from analysis.tournament.pairs import PairResult, meet, precise
from experiments.common.curves import Curve, limits_of, open_curve
from experiments.common.experiment import Experiment, check_game, check_least, check_names
from experiments.common.learners import export, follow
from experiments.common.runs import Metrics, plain, read_json, read_lines, save_json
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import Settings
from solvers.runs.agent import STRATEGIES
from spielgames.agents import make_agent
from spielgames.core.game import Game

CHECKS, FINALS = 1_000_003, 2_000_003  # added to seeds, for deals that nothing was learnt from
RULES = "rules"

HELP = """
An iteration plays deals with the last network and values the actions at sampled decisions, then
fits a network to these values (generate and train, in the words of the Hearts project). After each
iteration the network meets the rule-based player, every deal in all seatings. At the end the best
network, the champion, meets the networks of all other iterations, and on fresh deals the
rule-based player and a random one.

The work folder is an agent, `net:WORKDIR,strategy=best`. The same command goes on where it was
stopped. Writes metrics.jsonl, champion.json, report.md, figures, and the champion as network/.
"""


class Check(NamedTuple):
    """A network's result against an opponent: a mean and its 95 % interval."""

    iteration: int
    mean: float
    low: float
    high: float


@dataclass(frozen=True)
class DeepCfrExperiment(Experiment):
    game: Game

    def check(self, config: ConfigDict) -> None:
        if not config.strategies:
            raise ValueError("strategies=() is not allowed; there is at least one")
        check_names("strategy", config.strategies, STRATEGIES)
        check_least(config, check_deals=2, final_deals=2, other_deals=2)
        check_game("game", config.game, self.game)
        for spec in config.others:
            make_agent(spec, config.game)  # better refused now than after hours of learning

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        """The only curve, which learns in the work folder itself."""
        settings = Settings.of(config.settings.to_dict())
        places = workdir, workdir / "network"
        more = {"check_deals": config.check_deals}
        name = Path(self.script).stem
        limits = limits_of(config)
        return [Curve(name, config.seed, config.game, settings, limits, *places, more)]

    def open(self, config: ConfigDict, workdir: Path) -> None:
        """The curve keeps its config in the work folder."""

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        """Check the network of every iteration against the rules."""
        run, learner = open_curve(curve, Learner)
        for report in follow(learner, curve.limits, run.metrics, curve.game):
            checks = {
                strategy: numbers(
                    meet(
                        network(curve.folder, strategy, report["iteration"]),
                        RULES,
                        curve.game,
                        config.check_deals,
                        curve.seed + CHECKS,
                    )
                )
                for strategy in config.strategies
            }
            run.append(report | {"against_rules": checks})

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        """Choose the champion, and measure it."""
        metrics = read_lines(workdir / "metrics.jsonl")
        iteration, strategy = champion_of(metrics)
        export(workdir, workdir / "network", iteration)
        found = {
            "iteration": iteration,
            "strategy": strategy,
            "finals": [r.__dict__ for r in finals(workdir, config, iteration, strategy)],
            "chart": chart(workdir, config, metrics, (iteration, strategy)),
        }
        save_json(workdir / "champion.json", plain(found))

    def report(self, workdir: Path) -> str:
        metrics = read_lines(workdir / "metrics.jsonl")
        return report(self.game, metrics, read_json(workdir / "champion.json"))

    def draw(self, workdir: Path) -> list[Path]:
        metrics = read_lines(workdir / "metrics.jsonl")
        points = [Check(*point) for point in read_json(workdir / "champion.json")["chart"]]
        return draw(self.game, metrics, points, workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        agent, game = f"net:{workdir}/network,strategy=best", config.game
        return [
            f"{self.command('cpu')} --workdir={workdir}_cpu",
            f"python -m analysis.tournament --game='{game}' --agents={agent},rules",
            f"python -m spielgames.play --game='{game}' --seats=human,{agent},{agent},{agent}",
        ]

    def help(self) -> str:
        return HELP + super().help()


def network(folder: Path, strategy: str, iteration: int) -> str:
    return f"net:{folder},strategy={strategy},iteration={iteration}"


def numbers(result: PairResult) -> dict[str, float]:
    return {"mean": result.mean, "low": result.low, "high": result.high}


def champion_of(metrics: Sequence[Metrics]) -> tuple[int, str]:
    """The iteration and the strategy that did best in the checks."""
    tried = [
        (m["against_rules"][s]["mean"], m["iteration"], s)
        for m in metrics
        for s in m["against_rules"]
    ]
    _, iteration, strategy = max(tried)
    return iteration, strategy


def chart(
    workdir: Path, config: ConfigDict, metrics: Sequence[Metrics], champion: tuple[int, str]
) -> list[Check]:
    """The networks of all iterations, against the champion."""
    best, strategy = champion
    points = []
    for iteration in tqdm([m["iteration"] for m in metrics], desc="against the champion"):
        if iteration != best:
            specs = (network(workdir, strategy, t) for t in (iteration, best))
            result = meet(*specs, config.game, config.check_deals, config.seed + CHECKS)
            points.append(Check(iteration, result.mean, result.low, result.high))
        else:
            points.append(Check(iteration, 0.0, 0.0, 0.0))
    return points


def finals(workdir: Path, config: ConfigDict, iteration: int, strategy: str) -> list[PairResult]:
    """The champion's results on deals that decided nothing before."""
    spec = network(workdir, strategy, iteration)
    meetings = dict.fromkeys((RULES, "random"), config.final_deals)
    meetings |= dict.fromkeys(config.others, config.other_deals)
    return [
        meet(spec, other, config.game, deals, config.seed + FINALS)
        for other, deals in tqdm(meetings.items(), desc="finals")
    ]


def draw(
    game: Game, metrics: Sequence[Metrics], points: Sequence[Check], folder: Path
) -> list[Path]:
    """Networks against the rules on the left, against the champion on the right."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    rows: list[tuple] = []
    for number, strategy in enumerate(metrics[0]["against_rules"]):
        curve = [Check(m["iteration"], **m["against_rules"][strategy]) for m in metrics]
        add_curve(left, curve, number, f"network playing `{strategy}`")
        rows += [("rules", strategy, *point) for point in curve]
    add_curve(right, points, 0, "network of this iteration")
    rows += [("champion", "checkpoint", *point) for point in points]
    left.set_ylabel(f"{game.unit} per deal against the rules")
    right.set_ylabel(f"{game.unit} per deal against the champion")
    for axes in (left, right):
        axes.axhline(0, color=GREY, linewidth=0.8)
        axes.set_xlabel("iteration")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
        axes.legend(fontsize=8)
    columns = ("against", "strategy", *Check._fields)
    return save_figure(figure, folder / "progress", columns, rows)


def add_curve(axes: Axes, points: Sequence[Check], number: int, label: str) -> None:
    style, x = line_style(number), [p.iteration for p in points]
    axes.plot(x, [p.mean for p in points], **style, label=label, markersize=4)
    low, high = [p.low for p in points], [p.high for p in points]
    axes.fill_between(x, low, high, color=style["color"], alpha=0.2)


def report(game: Game, metrics: Sequence[Metrics], champion: Metrics) -> str:
    last, found = metrics[-1], champion["finals"]
    rows = [["opponent", "deals", f"{game.unit} per deal", "95 %", "won"]]
    rows += [
        [
            r["b"],
            f"{r['deals']:,}",
            precise(r["mean"], r["high"] - r["low"]),
            f"{r['low']:+.3f} … {r['high']:+.3f}",
            f"{100 * r['win_rate']:.1f} %",
        ]
        for r in found
    ]
    rules = next(r for r in found if r["b"] == RULES)
    verdict = "beats" if rules["low"] > 0 else "does not beat" if rules["high"] > 0 else "loses to"
    iterations = f"{last['iteration']} iteration{'s' if last['iteration'] > 1 else ''}"
    return "\n".join(
        [
            f"# Deep CFR on {game.title}",
            "",
            "Does a network that one learner fits for all seats beat the rule-based player? After"
            f" {iterations} it {verdict} it: {rules['mean']:+.2f} {game.unit} per deal"
            f" ({rules['low']:+.2f} … {rules['high']:+.2f}).",
            "",
            f"Learning took {last['samples']:,} samples, {last['positions']:,} positions and"
            f" {last['seconds'] / 60:.0f} minutes of traversals and fits. The champion is the"
            f" network of iteration {champion['iteration']}, playing `{champion['strategy']}`. Its"
            " results on fresh deals, each played in all seatings:",
            "",
            table(rows),
            "",
            "![Networks against the rules and against the champion](figures/progress.png)",
        ]
    )
