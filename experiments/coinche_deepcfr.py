"""Deep CFR on Coinche: does self-play end in everybody passing, and what do better learners do?

    python experiments/coinche_deepcfr.py --workdir=runs/coinche \\
        --config=experiments/configs/coinche_deepcfr.py:quick

The Coinche paper's learner in self-play, as printed and with unbiased samples, and a better learner
(figure 1); the paper's learner in one team against rule-based players (figures 3 and 4). Meanwhile
the metrics of the paper's appendix C are logged. At the end of self-play, a bidder that follows a
fixed rule plays against the learner: its gain is a lower bound on the distance from equilibrium.

A curve's folder, curves/NAME, is an agent: `net:runs/coinche/curves/printed`. The same command goes
on with every curve where it was stopped; `--only=NAME,…` goes on with some of them, so that several
processes can share the work folder. Writes report.md, metrics.jsonl, figures, and the last networks
of all curves.
"""

from dataclasses import dataclass
from pathlib import Path

from ml_collections import ConfigDict

from analysis.coinche.judge import judge
from analysis.coinche.metrics import averages, measure_self_play, player, tally_deals
from experiments.common.curves import Curve, gather, limits_of, open_curve
from experiments.common.experiment import Experiment, check_game, check_least, check_names
from experiments.common.learners import export, follow
from experiments.common.runs import Metrics, read_json, read_lines, save_json
from experiments.reports.coinche_deepcfr import (
    DESCRIPTIONS,
    FIGURES,
    LEARNING_TEAM,
    OTHER_DEALS,
    SELF_PLAY,
    report,
    save_learning_figures,
)
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.settings import Settings
from solvers.runs.agent import STRATEGIES
from solvers.runs.archive import Archive
from spielgames.coinche.game import COINCHE

LEARNERS = (0, 2)


@dataclass(frozen=True)
class CoincheDeepCfr(Experiment):
    def check(self, config: ConfigDict) -> None:
        check_least(config, log_every=1, deals=1, judged_deals=1)
        for name, given in config.curves.items():
            check_game(f"{name}.game", given.game, COINCHE)
            check_names("strategy", (*given.strategies, given.shown), STRATEGIES)
            if given.shown not in given.strategies:
                raise ValueError(f"shown={given.shown} is not among the strategies of {name}")
            if (learners := given.settings.learners) not in ((), LEARNERS):
                raise ValueError(
                    f"learners={learners} is not allowed; use () for all, or {LEARNERS}"
                )

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        return [curve_of(name, config, workdir) for name in config.curves]

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        given = config.curves[curve.name]
        opponents = curve.settings.opponent if curve.settings.learners else ""
        about = curve.about | {"shown": given.shown, "opponents": opponents}
        run, learner = open_curve(curve, Learner)
        for found in follow(learner, curve.limits, run.metrics, curve.title):
            state = learner.archive.state
            if state.iteration % config.log_every == 0 or curve.limits.reached(state):
                fits = {name: fit for name, fit in found.items() if isinstance(fit, dict)}
                fits |= policy_fits(learner)
                play = {s: measure(curve, s, config.deals) for s in given.strategies}
                run.append(about | state._asdict() | {"fits": fits, "play": play})
        export(curve.folder, curve.network)
        if not curve.settings.learners:
            judge_curve(curve, given.shown, config.judged_deals)

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        curves = self.curves(config, workdir)
        gather(curves, workdir)
        paths = {curve.name: curve.folder / "judged.json" for curve in curves}
        judged = {name: read_json(path) for name, path in paths.items() if path.exists()}
        save_json(workdir / "judged.json", judged)

    def report(self, workdir: Path) -> str:
        config, judged = (read_json(workdir / f"{name}.json") for name in ("config", "judged"))
        seed = config["seed"] + OTHER_DEALS
        return report(lines_of(workdir), judged, config["deals"], seed)

    def draw(self, workdir: Path) -> list[Path]:
        return save_learning_figures(lines_of(workdir), workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        commands = [f"{self.command('cpu')} --workdir=runs/coinche_cpu"]
        game = "--game=python_coinche"
        for agent in self_play_agents(workdir):
            commands += [
                f"python -m analysis.tournament {game} --agents={agent},rules",
                f"python -m spielgames.play {game} --seats=human,{agent},rules,rules",
            ]
        return commands


def curve_of(name: str, config: ConfigDict, workdir: Path) -> Curve:
    given = config.curves[name]
    settings = Settings.of(given.settings.to_dict())
    places = workdir / "curves" / name, workdir / "networks" / name
    return Curve(name, config.seed, given.game, settings, limits_of(given), *places)


def agent_of(curve: Curve, strategy: str) -> str:
    return f"net:{curve.folder},strategy={strategy}"


def policy_fits(learner: Learner) -> Metrics:
    """Fit all networks of the average strategy anew, and say how well that went."""
    fits = zip(learner.policies, learner.fit_policies(), strict=True)
    return {model.name: fit._asdict() for model, fit in fits if fit}


def measure(curve: Curve, strategy: str, deals: int) -> dict[str, float]:
    """The metrics in self-play, or in the seats that the learner has learnt to play: the encoding
    says who speaks first.
    """
    agent, seed = agent_of(curve, strategy), curve.seed + OTHER_DEALS
    if not curve.settings.learners:
        return measure_self_play(agent, curve.game, deals, seed)
    agents = [player(spec, curve.game) for spec in (agent, curve.settings.opponent)]
    return averages(tally_deals(agents, LEARNING_TEAM, deals, seed))


def judge_curve(curve: Curve, strategy: str, deals: int) -> None:
    """Judge a self-play curve at its current iteration, unless that has been done."""
    path, iteration = curve.folder / "judged.json", Archive(curve.folder).state.iteration
    if read_json(path, {}).get("iteration") == iteration:
        return
    print(f"judging {curve.name} …")
    found = judge(agent_of(curve, strategy), curve.game, deals, curve.seed + OTHER_DEALS)
    save_json(path, {"iteration": iteration, "strategy": strategy} | found)


def lines_of(workdir: Path) -> dict[str, list[Metrics]]:
    """The lines of each curve."""
    lines: dict[str, list[Metrics]] = {}
    for line in read_lines(workdir / "metrics.jsonl"):
        lines.setdefault(line["curve"], []).append(line)
    return lines


def self_play_agents(workdir: Path) -> list[str]:
    """The learners that have played every seat."""
    folders = [workdir / "networks" / name for name in FIGURES[SELF_PLAY]]
    return [f"net:{folder},strategy=policy" for folder in folders if folder.exists()]


EXPERIMENT = CoincheDeepCfr(
    script="experiments/coinche_deepcfr.py",
    config="experiments/configs/coinche_deepcfr.py",
    descriptions=DESCRIPTIONS,
)

if __name__ == "__main__":
    EXPERIMENT.start()
