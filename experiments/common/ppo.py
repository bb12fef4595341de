"""Experiments with PPO learners: the curves of a config, each with its seeds, each in its folder.

    STUDY = Study(script="experiments/x.py", config="experiments/configs/x.py", game=HOKM, …)
    define_study(STUDY)
    run(lambda: main(STUDY), more_help(STUDY))

Every few iterations a curve's averaged network is measured. At the end all are measured on fresh
deals, and report and figures show what all curves in the work folder have come to; --only=NAME,…
goes on with some of them, so that several processes can share the work.

A curve's folder is an agent, `ppo:WORKDIR/curves/NAME-SEED`; what is kept of it is one, too,
`ppo:WORKDIR/networks/NAME-SEED`.
"""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from absl import flags
from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.figures import save_text
from experiments.common.learners import Limits, changes, export, follow, use_threads
from experiments.common.runs import (
    Metrics,
    Run,
    carry_out,
    define_run,
    line,
    plain,
    read_lines,
    variants,
)
from solvers.environments.load import load_environment
from solvers.ppo.agent import WAYS
from solvers.ppo.learner import Learner
from solvers.ppo.settings import Settings
from spielgames.agents import make_agent
from spielgames.core.game import Game
from spielgames.core.registry import find

flags.disclaim_key_flags()  # as in `experiments/common/runs.py`
CHECKS, FINALS = 1_000_003, 2_000_003  # are added to the seed: deals that nothing is learnt from


class Curve(NamedTuple):
    name: str
    seed: int
    game: str
    settings: Settings
    limits: Limits
    workdir: Path

    @property
    def folder(self) -> Path:
        return self.workdir / "curves" / f"{self.name}-{self.seed}"

    @property
    def network(self) -> Path:
        """Where its averaged weights are kept, once they are trained."""
        return self.workdir / "networks" / f"{self.name}-{self.seed}"

    @property
    def identity(self) -> ConfigDict:
        """What its folder is for; it may go further, and be measured otherwise."""
        learner = {"settings": changes(self.settings)}
        return ConfigDict({"game": self.game, "seed": self.seed} | learner)

    @property
    def about(self) -> Metrics:
        return {"curve": self.name, "seed": self.seed, "game": self.game}


class Study(NamedTuple):
    script: str
    config: str
    game: Game
    measure: Callable[[Curve, str, int, int], Metrics]  # an agent in a curve's place: deals, seed
    report: Callable[[Path, ConfigDict, list[Metrics], list[Metrics]], str]  # of lines and finals
    draw: Callable[[Sequence[Metrics], Path], list[Path]]  # the figures of the lines
    rivals: Mapping[str, str] = {}  # agents that are measured beside what was learnt, by names
    check: Callable[[ConfigDict], None] = lambda config: None  # what else a config may get wrong


def curves_from(config: ConfigDict, workdir: Path, only: Sequence[str] = ()) -> list[Curve]:
    check_names(config, only)
    return [
        curve_of(name, seed, config, workdir)
        for name in only or config.curves
        for seed in config.curves[name].seeds
    ]


def check_names(config: ConfigDict, names: Iterable[str]) -> None:
    known = list(config.curves)
    if unknown := [name for name in names if name not in known]:
        raise ValueError(f"there is no curve {unknown[0]!r}; there are {', '.join(known)}")


def curve_of(name: str, seed: int, config: ConfigDict, workdir: Path) -> Curve:
    given = config.curves[name]
    settings = Settings.of(given.settings.to_dict())
    limits = Limits(iterations=given.iterations, seconds=given.seconds)
    return Curve(name, seed, given.game, settings, limits, workdir)


def learn(study: Study, curve: Curve, config: ConfigDict) -> None:
    """Goes on with a curve, up to its limits; logs every few iterations, and all arenas."""
    opened = Run(curve.folder, curve.identity)
    env = load_environment(curve.game, curve.settings.encoding)
    learner = Learner(env, curve.settings, curve.folder, curve.seed)
    agent, seed = f"ppo:{curve.folder}", curve.seed + CHECKS
    title = f"{curve.name}, seed {curve.seed}"
    for report in follow(learner, curve.limits, opened.metrics, title):
        iteration, ends = report["iteration"], curve.limits.reached(learner.archive.state)
        if iteration % config.log_every == 0 or ends:
            report |= study.measure(curve, agent, config.check_deals, seed)
        elif "arena" not in report:
            continue
        opened.append(curve.about | report)
    export(curve.folder, curve.network, networks="average-*")


def measure_finals(study: Study, curves: Sequence[Curve], deals: int) -> list[Metrics]:
    """Of all that have learnt something, on deals that decided nothing before."""
    found = []
    for curve in tqdm([c for c in curves if c.network.exists()], desc="finals"):
        players = {way: f"ppo:{curve.network},play={way}" for way in WAYS} | study.rivals
        for plays, agent in players.items():
            measured = study.measure(curve, agent, deals, FINALS)
            found.append(curve.about | {"plays": plays} | measured)
    return found


def measure_searches(
    study: Study, curves: Sequence[Curve], config: ConfigDict, path: Path
) -> list[Metrics]:
    """Searches that leave what a curve has learnt where they find something better. Being slow,
    each is measured once.
    """
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else []
    found = []
    for name, options, deals in tqdm(config.searches, desc="searches"):
        for curve in (c for c in curves if c.name == name and c.network.exists()):
            agent = f"pimc:{options},base=ppo:{curve.network}"
            known = curve.about | {"plays": options, "deals": deals, "learnt": learnt(curve)}
            if not any(known.items() <= one.items() for one in kept):
                kept.append(known | study.measure(curve, agent, deals, FINALS))
                save_text(path, json.dumps(kept, indent=2))
            found += [one for one in kept if known.items() <= one.items()]
    return found


def learnt(curve: Curve) -> int:
    """The iterations behind its network."""
    kept = json.loads((curve.network / "state.json").read_text(encoding="utf-8"))
    return kept["state"]["iteration"]


def experiment(study: Study, workdir: Path, config: ConfigDict, only: Sequence[str]) -> list[Path]:
    """Goes on with the curves and writes everything; the files."""
    validate(study, config)
    curves = curves_from(config, workdir, only)
    use_threads(config.threads)
    save_text(workdir / "config.json", json.dumps(plain(config.to_dict()), indent=2))
    for curve in curves:
        learn(study, curve, config)
    return write(study, workdir, config)


def write(study: Study, workdir: Path, config: ConfigDict) -> list[Path]:
    """What all curves in the folder show."""
    curves = curves_from(config, workdir)
    lines = [one for curve in curves for one in read_lines(curve.folder / "metrics.jsonl")]
    save_text(workdir / "metrics.jsonl", "".join(map(line, lines)).rstrip())
    finals = measure_finals(study, curves, config.final_deals)
    finals += measure_searches(study, curves, config, workdir / "searches.json")
    save_text(workdir / "finals.json", json.dumps(finals, indent=2))
    text = study.report(workdir, config, lines, finals)
    print(f"\n{text}")
    save_text(workdir / "report.md", text)
    return [workdir / "report.md", *study.draw(lines, workdir / "figures")]


def validate(study: Study, config: ConfigDict) -> None:
    for field, least in {"log_every": 1, "check_deals": 2, "final_deals": 2}.items():
        if config[field] < least:
            raise ValueError(f"{field}={config[field]} is not allowed; it is at least {least}")
    for name in config.curves:
        game = config.curves[name].game
        if find(game)[0] is not study.game:
            raise ValueError(f"{name}.game={game} is not allowed; it is {study.game.title}")
    check_names(config, [name for name, *_ in config.searches])
    for name, options, _ in config.searches:
        make_agent(f"pimc:{options}", config.curves[name].game)  # refused now, not after hours
    study.check(config)


def follow_up(study: Study, workdir: Path) -> list[str]:
    name = Path(study.script).stem
    commands = [f"python {study.script} --config={study.config}:cpu --workdir=runs/{name}_cpu"]
    for folder in sorted((workdir / "networks").glob("*"))[:1]:
        game = json.loads((folder / "state.json").read_text(encoding="utf-8"))["about"]["game"]
        agent = f"ppo:{folder}"
        commands += [
            f"python -m analysis.tournament --game='{game}' --agents={agent},rules,random",
            f"python -m spielgames.play --game='{game}' --seats=human,{agent},{agent},{agent}",
        ]
    return commands


def define_study(study: Study) -> None:
    define_run(study.config, f"runs/{Path(study.script).stem}")
    flags.DEFINE_list("only", [], "the curves to go on with, if not all")


def more_help(study: Study) -> Callable[[], str]:
    return variants(study.config)


def main(study: Study) -> None:
    chosen = flags.FLAGS
    workdir = Path(chosen.workdir)
    carry_out(
        lambda: experiment(study, workdir, chosen.config, chosen.only),
        lambda: follow_up(study, workdir),
    )
