"""The Hokm paper's league of PPO learners, with the trump named by its rule, and learned.

    python experiments/hokm_league.py --workdir=runs/hokm \\
        --config=experiments/configs/hokm_league.py:quick

Every few iterations a curve's averaged network meets a random and the rule-based player. At the end
all networks meet them on fresh deals, beside players that show what could be gained: one that
samples many worlds, and one that sees all hands. The same command goes on where it was stopped.
Writes metrics.jsonl, finals.json, ceilings.json, report.md, figures and networks/
(`experiments/common/ppo.py`).
"""

from pathlib import Path

from ml_collections import ConfigDict
from tqdm import tqdm

from analysis.tournament.pairs import meet
from experiments.common.curves import Curve
from experiments.common.meetings import FINALS
from experiments.common.ppo import PpoExperiment
from experiments.common.runs import Metrics, read_json, save_json
from experiments.reports.hokm_league import DESCRIPTIONS, OPPONENTS, report, save_figures
from spielgames.hokm.game import HOKM


def against_all(agent: str, game: str, deals: int, seed: int) -> Metrics:
    return {"against": {name: won(agent, name, game, deals, seed) for name in OPPONENTS}}


def won(agent: str, opponent: str, game: str, deals: int, seed: int) -> Metrics:
    """The share of games that an agent wins; each deal is played in both seatings."""
    found = meet(agent, opponent, game, deals, seed)
    known = {"won": found.win_rate, "low": found.win_low, "high": found.win_high}
    return known | {"reward": found.mean, "deals": found.deals}


def measure(curve: Curve, agent: str, deals: int, seed: int) -> Metrics:
    return against_all(agent, curve.game, deals, seed)


class HokmLeague(PpoExperiment):
    def measure(self, config: ConfigDict, workdir: Path) -> None:
        super().measure(config, workdir)
        measure_ceilings(config, workdir / "ceilings.json")


def measure_ceilings(config: ConfigDict, path: Path) -> None:
    """Measure other players, each once."""
    kept = read_json(path, [])
    for agent, deals in tqdm(config.ceilings, desc="ceilings"):
        if not any((one["agent"], one["deals"]) == (agent, deals) for one in kept):
            met = against_all(agent, config.game, deals, FINALS)
            kept.append({"agent": agent, "deals": deals} | met)
            save_json(path, kept)


EXPERIMENT = HokmLeague(
    script="experiments/hokm_league.py",
    config="experiments/configs/hokm_league.py",
    descriptions=DESCRIPTIONS,
    game=HOKM,
    measure_agent=measure,
    make_report=report,
    make_figures=save_figures,
)

if __name__ == "__main__":
    EXPERIMENT.start()
