"""Experiments with Deep CFR, generation after generation, judged by the rules of the game.

    STUDY = Study(script="experiments/x.py", config="experiments/configs/x.py", game=HEARTS)
    define_study(STUDY)
    run(lambda: main(STUDY), more_help(STUDY))

What they do is told in WHAT, which is part of their --help.
"""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from absl import flags
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator
from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.figures import save_figure, save_text, table
from analysis.tournament.pairs import PairResult, meet, precise
from experiments.common.learners import Limits, changes, export, follow, use_threads
from experiments.common.runs import Metrics, Run, carry_out, define_run, variants
from solvers.deep_cfr.agent import STRATEGIES
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import Settings
from solvers.environments.load import load_environment
from spielgames.agents import make_agent
from spielgames.core.game import Game
from spielgames.core.registry import find

flags.disclaim_key_flags()  # as in `experiments/common/runs.py`
CHECKS, FINALS = 1_000_003, 2_000_003  # are added to the seed: deals that nothing is learnt from
RULES = "rules"
BLUE, ORANGE = "#0072B2", "#E69F00"

WHAT = """
An iteration plays deals with the last network and values the actions at sampled decisions, then
fits a network to what it found (the Hearts project's generate and train). After each, the network
meets the rule-based player, each deal in all seatings. At the end the best network meets all others
(the project's chart), and on fresh deals the rules and a random player.

The work folder is an agent, `net:WORKDIR,strategy=best`. The same command goes on where it was
stopped. Writes metrics.jsonl, report.md, figures, and the champion as network/.
"""


class Study(NamedTuple):
    script: str
    config: str
    game: Game


class Point(NamedTuple):
    """A point of a chart: a mean and its 95 % interval."""

    iteration: int
    mean: float
    low: float
    high: float


def network(workdir: Path, strategy: str, iteration: int) -> str:
    return f"net:{workdir},strategy={strategy},iteration={iteration}"


def numbers(result: PairResult) -> dict[str, float]:
    return {"mean": result.mean, "low": result.low, "high": result.high}


def learn(run: Run, config: ConfigDict, settings: Settings) -> None:
    """Iterations up to the limits, each with its check."""
    env = load_environment(config.game, settings.encoding)
    learner = Learner(env, settings, run.workdir, config.seed)
    limits = Limits(iterations=config.iterations, seconds=config.seconds)
    for report in follow(learner, limits, run.metrics, config.game):
        checks = {
            strategy: numbers(
                meet(
                    network(run.workdir, strategy, report["iteration"]),
                    RULES,
                    config.game,
                    config.check_deals,
                    config.seed + CHECKS,
                )
            )
            for strategy in config.strategies
        }
        run.append(report | {"against_rules": checks})


def champion_of(metrics: Sequence[Metrics]) -> tuple[int, str]:
    """The iteration and the strategy that did best in the checks."""
    tried = [
        (m["against_rules"][s]["mean"], m["iteration"], s)
        for m in metrics
        for s in m["against_rules"]
    ]
    _, iteration, strategy = max(tried)
    return iteration, strategy


def chart(run: Run, config: ConfigDict, champion: tuple[int, str]) -> list[Point]:
    """The champion's opponents: the networks of all iterations."""
    best, strategy = champion
    points = []
    for m in tqdm(run.metrics, desc="against the champion"):
        iteration = m["iteration"]
        if iteration != best:
            specs = (network(run.workdir, strategy, t) for t in (iteration, best))
            result = meet(*specs, config.game, config.check_deals, config.seed + CHECKS)
            points.append(Point(iteration, result.mean, result.low, result.high))
        else:
            points.append(Point(iteration, 0.0, 0.0, 0.0))
    return points


def finals(run: Run, config: ConfigDict, champion: tuple[int, str]) -> list[PairResult]:
    """On deals that decided nothing before."""
    iteration, strategy = champion
    spec = network(run.workdir, strategy, iteration)
    meetings = dict.fromkeys((RULES, "random"), config.final_deals)
    meetings |= dict.fromkeys(config.others, config.other_deals)
    return [
        meet(spec, other, config.game, deals, config.seed + FINALS)
        for other, deals in tqdm(meetings.items(), desc="finals")
    ]


def draw(
    study: Study, metrics: Sequence[Metrics], points: Sequence[Point], folder: Path
) -> list[Path]:
    """How networks fare against the rules, and against the champion."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    left, right = figure.subplots(1, 2)
    rows: list[tuple] = []
    for strategy, colour in zip(metrics[0]["against_rules"], (BLUE, ORANGE), strict=False):
        curve = [Point(m["iteration"], **m["against_rules"][strategy]) for m in metrics]
        add_curve(left, curve, colour, strategy)
        rows += [("rules", strategy, *point) for point in curve]
    add_curve(right, points, BLUE, "checkpoint")
    rows += [("champion", "checkpoint", *point) for point in points]
    left.set_ylabel(f"{study.game.unit} per deal against the rules")
    right.set_ylabel(f"{study.game.unit} per deal against the champion")
    for axes in (left, right):
        axes.axhline(0, color="#888888", linewidth=0.8)
        axes.set_xlabel("iteration")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(alpha=0.3)
    left.legend()
    columns = ("against", "strategy", *Point._fields)
    return save_figure(figure, folder / "progress", columns, rows)


def add_curve(axes: object, points: Sequence[Point], colour: str, label: str) -> None:
    x = [p.iteration for p in points]
    axes.plot(x, [p.mean for p in points], "o-", color=colour, label=label, markersize=3)
    axes.fill_between(x, [p.low for p in points], [p.high for p in points], color=colour, alpha=0.2)


def report(
    study: Study,
    metrics: Sequence[Metrics],
    champion: tuple[int, str],
    results: Sequence[PairResult],
) -> str:
    last = metrics[-1]
    iteration, strategy = champion
    rows = [["opponent", "deals", f"{study.game.unit} per deal", "95 %", "won"]]
    rows += [
        [
            r.b,
            f"{r.deals:,}",
            precise(r.mean, r.high - r.low),
            f"{r.low:+.3f} … {r.high:+.3f}",
            f"{100 * r.win_rate:.1f} %",
        ]
        for r in results
    ]
    return "\n".join(
        [
            f"# Deep CFR on {study.game.title}",
            "",
            f"Iterations: {last['iteration']}. {last['samples']:,} samples, {last['positions']:,}"
            f" positions, {last['seconds'] / 60:.0f} minutes of traversals and fits.",
            f"The champion is the network of iteration {iteration}, playing `{strategy}`. On fresh"
            " deals, each in all seatings:",
            "",
            table(rows),
        ]
    )


def experiment(study: Study, workdir: Path, config: ConfigDict) -> list[Path]:
    """Goes on with learning and writes everything; the files."""
    check(study, config)
    use_threads(config.threads)
    settings = Settings.of(config.settings.to_dict())
    opened = Run(workdir, identity(config, settings))
    learn(opened, config, settings)
    champion = champion_of(opened.metrics)
    points, results = chart(opened, config, champion), finals(opened, config, champion)
    iteration, strategy = champion
    export(workdir, workdir / "network", iteration)
    found = {"iteration": iteration, "strategy": strategy, "finals": [r.__dict__ for r in results]}
    save_text(workdir / "champion.json", json.dumps(found, indent=2, default=str))
    text = report(study, opened.metrics, champion, results)
    print(f"\n{text}")
    save_text(workdir / "report.md", text)
    return [workdir / "report.md", *draw(study, opened.metrics, points, opened.figures)]


def identity(config: ConfigDict, settings: Settings) -> ConfigDict:
    """What makes a run; it may go further, and be measured otherwise."""
    known = {"game": config.game, "seed": config.seed, "check_deals": config.check_deals}
    return ConfigDict(known | {"settings": changes(settings)})


def check(study: Study, config: ConfigDict) -> None:
    if not config.strategies:
        raise ValueError("strategies=() is not allowed; there is at least one")
    if unknown := [s for s in config.strategies if s not in STRATEGIES]:
        raise ValueError(f"there is no strategy {unknown[0]!r}; there are {', '.join(STRATEGIES)}")
    for field in ("check_deals", "final_deals", "other_deals"):
        if config[field] < 2:
            raise ValueError(f"{field}={config[field]} is not allowed; it is at least 2")
    if find(config.game)[0] is not study.game:
        raise ValueError(f"game={config.game} is not allowed; it is {study.game.title}")
    for spec in config.others:
        make_agent(spec, config.game)  # better refused now than after hours of learning


def define_study(study: Study) -> None:
    define_run(study.config, f"runs/{Path(study.script).stem}")


def more_help(study: Study) -> Callable[[], str]:
    return lambda: WHAT + variants(study.config)()


def main(study: Study) -> None:
    chosen = flags.FLAGS
    workdir, config = Path(chosen.workdir), chosen.config
    carry_out(
        lambda: experiment(study, workdir, config), lambda: follow_up(study, workdir, config.game)
    )


def follow_up(study: Study, workdir: Path, game: str) -> list[str]:
    agent = f"net:{workdir}/network,strategy=best"
    return [
        f"python {study.script} --config={study.config}:cpu --workdir={workdir}_cpu",
        f"python -m analysis.tournament --game='{game}' --agents={agent},rules",
        f"python -m spielgames.play --game='{game}' --seats=human,{agent},{agent},{agent}",
    ]
