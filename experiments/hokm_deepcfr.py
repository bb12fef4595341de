"""Deep CFR on Hokm: the network from which `experiments/hokm_league.py` starts, for all seats.

    python experiments/hokm_deepcfr.py --workdir=runs/hokm_values \\
        --config=experiments/configs/hokm_deepcfr.py:quick
"""

from experiments.common.deep_cfr import DeepCfrExperiment
from spielgames.hokm.game import HOKM

EXPERIMENT = DeepCfrExperiment(
    script="experiments/hokm_deepcfr.py",
    config="experiments/configs/hokm_deepcfr.py",
    game=HOKM,
)

if __name__ == "__main__":
    EXPERIMENT.start()
