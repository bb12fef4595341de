"""AlphaZero under hidden cards on Coinche: agents that never met a rule-based player.

    python experiments/coinche_alphazero.py --workdir=runs/coinche_alphazero \\
        --config=experiments/configs/coinche_alphazero.py:quick

Every few iterations a curve's network plays, without search, against those named in `checks`. At
the end each network plays fresh duplicate deals against a panel that it has not met, `finals`, and
so do `rivals` in its place: what they win, and how they bid, double and defend (the metrics of
`analysis/coinche/metrics.py`). The same command goes on where it was stopped. Writes metrics.jsonl,
finals.json, report.md, figures/ and networks/ (`experiments/common/alphazero.py`).
"""

from analysis.coinche.metrics import measure_team
from analysis.tournament.ratios import COVERED
from experiments.common.alphazero import AlphaZeroExperiment
from experiments.common.runs import Metrics
from experiments.reports.coinche_alphazero import TEXTS
from spielgames.coinche.game import COINCHE


def measure(agent: str, opponent: str, game: str, deals: int, seed: int) -> Metrics:
    play = measure_team(agent, opponent, game, deals, seed)
    mean, reach = play["reward"], COVERED * play["reward_error"]
    return {"mean": mean, "low": mean - reach, "high": mean + reach, "play": play}


EXPERIMENT = AlphaZeroExperiment(
    script="experiments/coinche_alphazero.py",
    config="experiments/configs/coinche_alphazero.py",
    descriptions=TEXTS.descriptions,
    game=COINCHE,
    make_report=TEXTS.report,
    make_figures=TEXTS.save_figures,
    measure_agent=measure,
)

if __name__ == "__main__":
    EXPERIMENT.start()
