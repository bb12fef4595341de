"""PPO on Coinche: one network for a team against rule-based players (the paper's figures 2 and 4).

    python experiments/coinche_ppo.py --workdir=runs/coinche_ppo \\
        --config=experiments/configs/coinche_ppo.py:quick

Every few iterations the averaged network plays against its opponents, every deal with either team
speaking first (a network that has learnt from itself alone plays in all four seats), and the ten
metrics of the paper's appendix C are logged. At the end all networks are measured on fresh deals,
beside rule-based players in their place. The same command goes on where it was stopped. Writes
metrics.jsonl, finals.json, report.md, figures and networks/ (`experiments/common/ppo.py`).
"""

from analysis.coinche.metrics import measure_self_play, measure_team
from experiments.common.curves import Curve
from experiments.common.ppo import PpoExperiment
from experiments.common.runs import Metrics
from experiments.reports.coinche_ppo import DESCRIPTIONS, report, save_figures
from spielgames.coinche.game import COINCHE


def measure(curve: Curve, agent: str, deals: int, seed: int) -> Metrics:
    opponents = curve.settings.opponents[-1]
    if opponents == "self":
        play = measure_self_play(agent, curve.game, deals, seed)
    else:
        play = measure_team(agent, opponents, curve.game, deals, seed)
    return {"opponents": opponents, "play": play}


EXPERIMENT = PpoExperiment(
    script="experiments/coinche_ppo.py",
    config="experiments/configs/coinche_ppo.py",
    descriptions=DESCRIPTIONS,
    game=COINCHE,
    measure_agent=measure,
    make_report=report,
    make_figures=save_figures,
    rivals={"rules": "rules:strong"},
)

if __name__ == "__main__":
    EXPERIMENT.start()
