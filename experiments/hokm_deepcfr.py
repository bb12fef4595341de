"""Deep CFR on Hokm: one network for all seats, with which `experiments/hokm_league.py` begins.

    python experiments/hokm_deepcfr.py --workdir=runs/hokm_values \\
        --config=experiments/configs/hokm_deepcfr.py:quick
"""

from experiments.common.generations import Study, define_study, main, more_help
from spielgames.command import run
from spielgames.hokm.game import HOKM

STUDY = Study(
    script="experiments/hokm_deepcfr.py",
    config="experiments/configs/hokm_deepcfr.py",
    game=HOKM,
)

if __name__ == "__main__":
    define_study(STUDY)
    run(lambda: main(STUDY), more_help(STUDY))
