"""Deep CFR on Coinche: does self-play end in everybody passing, and what do better learners do?

    python experiments/coinche_deepcfr.py --workdir=runs/coinche \\
        --config=experiments/configs/coinche_deepcfr.py:quick

The Coinche paper's learner in self-play, as printed and with unbiased samples, and a better learner
(figure 1); the paper's learner in one team against rule-based players (figures 3 and 4). Meanwhile
the metrics of the paper's appendix C are logged. At the end of self-play an auction by a fixed rule
is tried against what was learnt: how much that gains tells how far from equilibrium it is.

A curve has its folder, curves/NAME, which is an agent: `net:runs/coinche/curves/printed`. The same
command goes on with every curve where it was stopped; `--only=NAME,…` runs some of them, so that
several processes can share the work folder. Writes report.md, metrics.jsonl, figures, and the last
networks of all curves.
"""

import json
from pathlib import Path
from typing import NamedTuple

from absl import flags
from ml_collections import ConfigDict

from analysis.coinche.judge import judge
from analysis.coinche.metrics import averages, measure_self_play, player, tally_deals
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
from experiments.reports.coinche_deepcfr import (
    FIGURES,
    LEARNING_TEAM,
    SELF_PLAY,
    report,
    save_learning_figures,
)
from solvers.deep_cfr.agent import STRATEGIES
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import Settings
from solvers.environments.load import load_environment
from solvers.runs.archive import Archive
from spielgames.coinche.game import COINCHE
from spielgames.command import run
from spielgames.core.registry import find

SCRIPT = "experiments/coinche_deepcfr.py"
CONFIG = "experiments/configs/coinche_deepcfr.py"
ORDER = tuple(dict.fromkeys(name for names in FIGURES.values() for name in names))
LEARNERS = (0, 2)
OTHER_DEALS = 1_000_003  # is added to the seed where what was learnt is measured


class Curve(NamedTuple):
    """A learner, and how it is measured."""

    name: str
    game: str
    settings: Settings
    strategies: tuple[str, ...]
    shown: str
    limits: Limits
    workdir: Path
    seed: int

    @property
    def folder(self) -> Path:
        return self.workdir / "curves" / self.name

    @property
    def identity(self) -> ConfigDict:
        """What its folder is for; it may go further, and be measured otherwise."""
        learner = {"settings": changes(self.settings)}
        return ConfigDict({"game": self.game, "seed": self.seed} | learner)

    @property
    def about(self) -> Metrics:
        """What every line of its metrics says."""
        known = {"curve": self.name, "game": self.game, "shown": self.shown}
        return known | {"opponents": self.settings.opponents if self.settings.learners else ""}

    def agent(self, strategy: str) -> str:
        return f"net:{self.folder},strategy={strategy}"


def curve_of(name: str, workdir: Path, config: ConfigDict) -> Curve:
    given = config.curves[name]
    return Curve(
        name,
        given.game,
        Settings.of(given.settings.to_dict()),
        given.strategies,
        given.shown,
        Limits(iterations=given.iterations, seconds=given.seconds),
        workdir,
        config.seed,
    )


def learn(curve: Curve, config: ConfigDict) -> None:
    """Goes on with a curve, up to its limits."""
    opened = Run(curve.folder, curve.identity)
    env = load_environment(curve.game, curve.settings.encoding)
    learner = Learner(env, curve.settings, curve.folder, curve.seed)
    for found in follow(learner, curve.limits, opened.metrics, curve.name):
        state = learner.archive.state
        if state.iteration % config.log_every == 0 or curve.limits.reached(state):
            fits = {name: fit for name, fit in found.items() if isinstance(fit, dict)}
            fits |= policy_fits(learner)
            play = {strategy: measure(curve, strategy, config) for strategy in curve.strategies}
            opened.append(curve.about | state._asdict() | {"fits": fits, "play": play})
    export(curve.folder, curve.workdir / "networks" / curve.name)


def policy_fits(learner: Learner) -> Metrics:
    """All of the average strategy's networks, fitted anew."""
    fits = zip(learner.policies, learner.fit_policies(), strict=True)
    return {model.name: fit._asdict() for model, fit in fits if fit}


def measure(curve: Curve, strategy: str, config: ConfigDict) -> dict[str, float]:
    """In self-play, or where the learner has learnt to sit: the encoding says who speaks first."""
    agent, deals, seed = curve.agent(strategy), config.deals, curve.seed + OTHER_DEALS
    if not curve.settings.learners:
        return measure_self_play(agent, curve.game, deals, seed)
    agents = [player(spec, curve.game) for spec in (agent, curve.settings.opponents)]
    return averages(tally_deals(agents, LEARNING_TEAM, deals, seed))


def judge_curve(curve: Curve, config: ConfigDict) -> None:
    """Of self-play, as far as it has come; once."""
    path, iteration = curve.folder / "judged.json", Archive(curve.folder).state.iteration
    if curve.settings.learners or (path.exists() and read(path)["iteration"] == iteration):
        return
    print(f"judging {curve.name} …")
    seed = curve.seed + OTHER_DEALS
    found = judge(curve.agent(curve.shown), curve.game, config.judged_deals, seed)
    known = {"iteration": iteration, "strategy": curve.shown}
    save_text(path, json.dumps(known | found, indent=2))


def read(path: Path) -> Metrics:
    return json.loads(path.read_text(encoding="utf-8"))


def curves_from(config: ConfigDict, workdir: Path, only: list[str]) -> list[Curve]:
    known = [name for name in ORDER if name in config.curves]
    if unknown := [name for name in [*only, *config.curves] if name not in known]:
        raise ValueError(f"there is no curve {unknown[0]!r}; there are {', '.join(known)}")
    for field in ("log_every", "deals", "judged_deals"):
        if config[field] < 1:
            raise ValueError(f"{field}={config[field]} is not allowed; it is at least 1")
    curves = [curve_of(name, workdir, config) for name in only or known]
    for curve in curves:
        check(curve)
    return curves


def check(curve: Curve) -> None:
    if find(curve.game)[0] is not COINCHE:
        raise ValueError(f"{curve.name}.game={curve.game} is not allowed; it is Coinche")
    if curve.settings.learners not in ((), LEARNERS):
        learners = curve.settings.learners
        raise ValueError(f"learners={learners} is not allowed; it is () for all, or {LEARNERS}")
    if unknown := [s for s in (*curve.strategies, curve.shown) if s not in STRATEGIES]:
        raise ValueError(f"there is no strategy {unknown[0]!r}; there are {', '.join(STRATEGIES)}")
    if curve.shown not in curve.strategies:
        raise ValueError(f"shown={curve.shown} is not among the {curve.name}'s strategies")


def experiment(workdir: Path, config: ConfigDict, only: list[str]) -> list[Path]:
    """Goes on with the curves and writes everything; the files."""
    curves = curves_from(config, workdir, only)
    use_threads(config.threads)
    save_text(workdir / "config.json", json.dumps(plain(config.to_dict()), indent=2))
    for curve in curves:
        learn(curve, config)
        judge_curve(curve, config)
    return write(workdir, config)


def write(workdir: Path, config: ConfigDict) -> list[Path]:
    """What all curves in the folder show."""
    folders = {name: workdir / "curves" / name for name in ORDER}
    curves = {name: read_lines(folder / "metrics.jsonl") for name, folder in folders.items()}
    paths = {name: folder / "judged.json" for name, folder in folders.items()}
    judged = {name: read(path) for name, path in paths.items() if path.exists()}
    lines = [one for metrics in curves.values() for one in metrics]
    save_text(workdir / "metrics.jsonl", "".join(map(line, lines)).rstrip())
    save_text(workdir / "judged.json", json.dumps(judged, indent=2))
    text = report(curves, judged, config.deals, config.seed + OTHER_DEALS)
    print(f"\n{text}")
    save_text(workdir / "report.md", text)
    return [workdir / "report.md", *save_learning_figures(curves, workdir / "figures")]


def define_flags() -> None:
    define_run(CONFIG, "runs/coinche_deepcfr")
    flags.DEFINE_list("only", [], "the curves to go on with, if not all")


def main() -> None:
    chosen = flags.FLAGS
    workdir = Path(chosen.workdir)
    carry_out(lambda: experiment(workdir, chosen.config, chosen.only), lambda: follow_up(workdir))


def follow_up(workdir: Path) -> list[str]:
    commands = [f"python {SCRIPT} --config={CONFIG}:cpu --workdir=runs/coinche_cpu"]
    for agent in self_play_agents(workdir):
        commands += [
            f"python -m analysis.tournament --game=python_coinche --agents={agent},rules",
            f"python -m spielgames.play --game=python_coinche --seats=human,{agent},rules,rules",
        ]
    return commands


def self_play_agents(workdir: Path) -> list[str]:
    """Those that know every seat."""
    folders = [workdir / "networks" / name for name in FIGURES[SELF_PLAY]]
    return [f"net:{folder},strategy=policy" for folder in folders if folder.exists()]


if __name__ == "__main__":
    define_flags()
    run(main, variants(CONFIG))
