"""Ablations of AlphaZero under hidden cards on Snapszer: what each of its settings is worth.

    python experiments/snapszer_ablations.py --workdir=runs/snapszer_ablations \\
        --config=experiments/configs/snapszer_ablations.py:quick

Each curve differs from its base in one setting and learns from as many deals. At the end its
network plays fresh duplicate deals without search: against its base's network, and against those
in `finals`. The `duels` let searches with the same trained network meet. The same command goes on
where it was stopped. Writes metrics.jsonl, finals.json, duels.json, report.md, figures/ and
networks/ (`experiments/common/alphazero.py`).
"""

from dataclasses import dataclass
from pathlib import Path

from ml_collections import ConfigDict

from experiments.common.alphazero import AlphaZeroExperiment
from experiments.common.meetings import FINALS, play_out
from experiments.common.runs import read_json, read_lines
from experiments.reports.snapszer_ablations import DESCRIPTIONS, report, save_figures
from spielgames.agents import make_agent
from spielgames.snapszer.game import SNAPSZER

GAME = SNAPSZER.name


@dataclass(frozen=True)
class Ablations(AlphaZeroExperiment):
    def check(self, config: ConfigDict) -> None:
        super().check(config)
        for *agents, _ in config.duels:
            for agent in agents:
                make_agent(agent, GAME)

    def measure(self, config: ConfigDict, workdir: Path) -> None:
        super().measure(config, workdir)
        about = {"game": GAME, "deal_seed": FINALS}
        duels = [about | {"agent": a, "opponent": b, "deals": n} for a, b, n in config.duels]
        play_out(duels, workdir / "duels.json")

    def report(self, workdir: Path) -> str:
        finals, duels = (read_json(workdir / f"{name}.json", []) for name in ("finals", "duels"))
        return self.make_report(read_lines(workdir / "metrics.jsonl"), finals, duels)

    def draw(self, workdir: Path) -> list[Path]:
        return self.make_figures(read_json(workdir / "finals.json", []), workdir / "figures")


EXPERIMENT = Ablations(
    script="experiments/snapszer_ablations.py",
    config="experiments/configs/snapszer_ablations.py",
    descriptions=DESCRIPTIONS,
    game=SNAPSZER,
    make_report=report,
    make_figures=save_figures,
)

if __name__ == "__main__":
    EXPERIMENT.start()
