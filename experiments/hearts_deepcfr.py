"""Deep CFR on Hearts, as in the Hearts project: one network for all seats.

    python experiments/hearts_deepcfr.py --workdir=runs/hearts \\
        --config=experiments/configs/hearts_deepcfr.py:quick
"""

from experiments.common.deep_cfr import DeepCfrExperiment
from spielgames.hearts.game import HEARTS

EXPERIMENT = DeepCfrExperiment(
    script="experiments/hearts_deepcfr.py",
    config="experiments/configs/hearts_deepcfr.py",
    game=HEARTS,
)

if __name__ == "__main__":
    EXPERIMENT.start()
