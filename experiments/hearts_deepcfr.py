"""Deep CFR on Hearts, as in the Hearts project: one network for all seats.

    python experiments/hearts_deepcfr.py --workdir=runs/hearts \\
        --config=experiments/configs/hearts_deepcfr.py:quick
"""

from experiments.common.generations import Study, define_study, main, more_help
from spielgames.command import run
from spielgames.hearts.game import HEARTS

STUDY = Study(
    script="experiments/hearts_deepcfr.py",
    config="experiments/configs/hearts_deepcfr.py",
    game=HEARTS,
)

if __name__ == "__main__":
    define_study(STUDY)
    run(lambda: main(STUDY), more_help(STUDY))
