"""Learners with a belief state on Sheephead: the thesis' figures 10–13, and what it left open.

    python experiments/sheephead_pomdp.py --workdir=runs/sheephead_pomdp \\
        --config=experiments/configs/sheephead_pomdp.py:quick

One to four learners sit among rule-based players. Everybody's money is noted after each session of
100 hands, and then seats are drawn anew. The same command goes on where it was stopped. Writes
metrics.jsonl, results.json, beliefs.json, report.md, figures/ and networks/.
"""

from pathlib import Path

from ml_collections import ConfigDict

from experiments.common.calibration import calibrate
from experiments.common.curves import Curve, gather, seeded_curve
from experiments.common.experiment import Experiment, check_game, check_least, check_names
from experiments.common.runs import read_json, read_lines, save_json
from experiments.common.tables import Table
from experiments.reports.sheephead_pomdp import DESCRIPTIONS, as_json, report, results
from experiments.reports.sheephead_pomdp_figures import save_figures
from solvers.pomdp.agent import save_player
from solvers.pomdp.belief_agent import Settings
from solvers.runs.settings import from_plain
from spielgames.agents import make_agent
from spielgames.sheephead.game import SHEEPHEAD

PLAYERS = SHEEPHEAD.players


class SheepheadPomdp(Experiment):
    def check(self, config: ConfigDict) -> None:
        check_least(config, hands=1, sessions=1)
        for name, curve in config.curves.items():
            check_game("game", curve.game, SHEEPHEAD)
            if not 1 <= curve.learners < PLAYERS:
                raise ValueError(f"curves.{name}.learners={curve.learners} is not from 1 to 4")
            for spec in filter(None, (curve.others, curve.player)):
                make_agent(spec, curve.game)
            if curve.trained:
                check_names("curve", [curve.trained], config.curves)

    def curves(self, config: ConfigDict, workdir: Path) -> list[Curve]:
        return [
            one_curve(name, seed, config, workdir)
            for name in config.curves
            for seed in config.curves[name].seeds
        ]

    def learn(self, curve: Curve, config: ConfigDict) -> None:
        table = Table(curve, config.hands, config.sessions)
        while table.blocks < min(curve.limits.iterations, config.most or curve.limits.iterations):
            table.play_block()
        if table.learners:
            save_player(curve.network, table.learners[0].agent)

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        gather(self.curves(config, workdir), workdir)
        game, kept = config.beliefs.game, read_json(workdir / "beliefs.json", [])
        for belief in config.beliefs.kinds:
            if not any(
                (one["belief"], one["deals"]) == (belief, config.beliefs.deals) for one in kept
            ):
                network = workdir / "networks" / f"{belief}-0" if belief in config.curves else None
                deals = config.beliefs.deals, config.beliefs.seed
                kept.append(calibrate(game, belief, *deals, network))
                save_json(workdir / "beliefs.json", kept)

    def report(self, workdir: Path) -> str:
        found = results(read_lines(workdir / "metrics.jsonl"), read_json(workdir / "config.json"))
        save_json(workdir / "results.json", {one.curve: as_json(one) for one in found})
        return report(found, read_json(workdir / "beliefs.json", []))

    def draw(self, workdir: Path) -> list[Path]:
        lines, config = read_lines(workdir / "metrics.jsonl"), read_json(workdir / "config.json")
        beliefs = read_json(workdir / "beliefs.json", [])
        return save_figures(lines, config, beliefs, workdir / "figures")

    def follow_up(self, config: ConfigDict, workdir: Path) -> list[str]:
        game = config.beliefs.game
        commands = [f"{self.command('cpu')} --workdir={workdir}_cpu"]
        for folder in sorted((workdir / "networks").glob("*"))[:1]:
            seats = f"human,pomdp:{folder},rules,rules,rules"
            commands.append(f"python -m spielgames.play --game='{game}' --seats={seats}")
        return commands


def one_curve(name: str, seed: int, config: ConfigDict, workdir: Path) -> Curve:
    found = seeded_curve(lambda given: from_plain(Settings, given), name, seed, config, workdir)
    given = config.curves[name]
    fixed = {key: given[key] for key in ("learners", "others", "player", "trained")}
    return found._replace(more=fixed | {"hands": config.hands, "sessions": config.sessions})


EXPERIMENT = SheepheadPomdp(
    script="experiments/sheephead_pomdp.py",
    config="experiments/configs/sheephead_pomdp.py",
    descriptions=DESCRIPTIONS,
)

if __name__ == "__main__":
    EXPERIMENT.start()
