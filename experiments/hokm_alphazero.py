"""AlphaZero under hidden cards on Hokm: agents that never met a rule-based player.

    python experiments/hokm_alphazero.py --workdir=runs/hokm_alphazero \\
        --config=experiments/configs/hokm_alphazero.py:quick

Every few iterations a curve's network plays, without search, against those named in `checks`. At
the end each network plays fresh duplicate deals against a panel that it has not met, `finals`. The
same command goes on where it was stopped. Writes metrics.jsonl, finals.json, report.md, figures/
and networks/ (`experiments/common/alphazero.py`).
"""

from experiments.common.alphazero import AlphaZeroExperiment
from experiments.reports.hokm_alphazero import TEXTS
from spielgames.hokm.game import HOKM

EXPERIMENT = AlphaZeroExperiment(
    script="experiments/hokm_alphazero.py",
    config="experiments/configs/hokm_alphazero.py",
    descriptions=TEXTS.descriptions,
    game=HOKM,
    make_report=TEXTS.report,
    make_figures=TEXTS.save_figures,
)

if __name__ == "__main__":
    EXPERIMENT.start()
