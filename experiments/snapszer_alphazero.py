"""AlphaZero under hidden cards on Snapszer: what each kind of teacher comes to.

    python experiments/snapszer_alphazero.py --workdir=runs/snapszer_alphazero \\
        --config=experiments/configs/snapszer_alphazero.py:quick

Every few iterations a curve's network plays, without search, against those named in `checks`. At
the end each network plays fresh duplicate deals against those in `finals`, without search and with
it. The same command goes on where it was stopped. Writes metrics.jsonl, finals.json, report.md,
figures/ and networks/ (`experiments/common/alphazero.py`).
"""

from experiments.common.alphazero import AlphaZeroExperiment
from experiments.reports.snapszer_alphazero import TEXTS
from spielgames.snapszer.game import SNAPSZER

EXPERIMENT = AlphaZeroExperiment(
    script="experiments/snapszer_alphazero.py",
    config="experiments/configs/snapszer_alphazero.py",
    descriptions=TEXTS.descriptions,
    game=SNAPSZER,
    make_report=TEXTS.report,
    make_figures=TEXTS.save_figures,
)

if __name__ == "__main__":
    EXPERIMENT.start()
