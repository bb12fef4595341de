"""PPO on full Sheephead: one network for all five seats.

    python experiments/sheephead_ppo.py --workdir=runs/sheephead_ppo \\
        --config=experiments/configs/sheephead_ppo.py:quick

Every few iterations the averaged network plays against other players: one against four and four
against one, every deal in every seat. At the end it plays fresh deals, also against strangers. The
same command goes on where it was stopped. Writes metrics.jsonl, finals.json, report.md, figures and
networks/ (`experiments/common/ppo.py`).
"""

from collections.abc import Iterator
from pathlib import Path

from ml_collections import ConfigDict

from experiments.common.curves import Curve, gather
from experiments.common.meetings import about_agent, meeting, panel, play_out
from experiments.common.ppo import PpoExperiment
from experiments.common.runs import Metrics
from experiments.reports.sheephead_ppo import TEXTS
from solvers.runs.agent import PLAYS
from spielgames.agents import make_agent
from spielgames.sheephead.game import SHEEPHEAD

CHECKS = "rules", "random"


def against_all(curve: Curve, agent: str, deals: int, seed: int) -> Metrics:
    return {"against": {name: meeting(agent, name, curve.game, deals, seed) for name in CHECKS}}


class SheepheadPpo(PpoExperiment):
    def check(self, config: ConfigDict) -> None:
        super().check(config)
        for agent in dict(config.finals):
            make_agent(agent, config.game)

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        curves = self.curves(config, workdir)
        gather(curves, workdir)
        wanted = [final for curve in curves for final in finals_of(curve, config)]
        play_out(wanted, workdir / "finals.json")


def finals_of(curve: Curve, config: ConfigDict) -> Iterator[Metrics]:
    """All that the network of a curve plays, if it has one."""
    if curve.network.exists():
        for plays in PLAYS:
            for opponent in panel(config):
                yield about_agent(curve, plays, f"net:{{}},play={plays}") | opponent


EXPERIMENT = SheepheadPpo(
    script="experiments/sheephead_ppo.py",
    config="experiments/configs/sheephead_ppo.py",
    descriptions=TEXTS.descriptions,
    game=SHEEPHEAD,
    measure_agent=against_all,
    make_report=lambda lines, finals, _: TEXTS.report(lines, finals),
    make_figures=TEXTS.save_figures,
)

if __name__ == "__main__":
    EXPERIMENT.start()
