"""Tabular solvers on Kuhn, Leduc and a small variant of each of the five games.

    python experiments/tabular_convergence.py \\
        --config=experiments/configs/tabular_convergence.py:VARIANT --workdir=runs/convergence

| variant | time on two cores | expected |
| ------- | ----------------- | -------- |
| `quick` | a minute          | CFR+ on Leduc below 1e-3; Kuhn's value -1/18, Leduc's -0.0856 |
| `cpu`   | 13 minutes        | CFR+ on Leduc below 1e-5; the committed results |
| `paper` | six hours at most | CFR+ on Leduc below 1e-6, and larger variants |

Any field can be overridden: --config.seconds=2, --config.games="('kuhn_poker', 'leduc_poker')".
"""

from ml_collections import ConfigDict

from analysis.small_games import SMALLEST

POKER = ("kuhn_poker", "leduc_poker")
SMALL = (
    "python_snapszer(suits=2,ranks=4,hand=3)",
    "python_coinche(suits=2,ranks=4,levels=1,capot=false,doubling=false)",
    "python_hearts(suits=2,ranks=4,pass=left,pass_count=1)",
    "python_sheephead(ranks=2)",
    "python_hokm(suits=2,ranks=4)",
)
LARGER = (
    "python_snapszer(suits=2,ranks=4,hand=2)",
    "python_coinche(suits=2,ranks=4,levels=1,capot=false)",
    "python_hearts(suits=2,ranks=4,pass=left,pass_count=1)",
    "python_sheephead(ranks=2)",
    "python_hokm(suits=2,ranks=4)",
)
SOLVERS = (
    "cfr",
    "plus",
    "linear",
    "discounted",
    "predictive",
    "mmd",
    "external",
    "outcome",
    "lp",
    "openspiel_python_cfr",
    "openspiel_cfr",
    "openspiel_plus",
)


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.games = POKER + SMALLEST
    config.solvers = SOLVERS
    config.seconds = 0.5  # of a curve at most, as far as can be foreseen
    config.iterations = ConfigDict(  # of a curve at most, by kind of solver
        {"tree": 4096, "sampling": 65_536, "lp": 1, "openspiel": 4096}
    )
    config.growth = 2**0.5  # each evaluation comes after so many times the iterations
    config.seed = 0  # of the sampling solvers
    config.memory = 1.0  # GB for a tree
    config.largest = ConfigDict(  # leaves of a tree
        {"tree": 10_000_000, "sampling": 20_000, "lp": 10_000, "openspiel": 6_000}
    )
    if variant == "cpu":
        config.games = POKER + SMALLEST[:1] + SMALL
        config.seconds = 12.0
        config.iterations.update(tree=1_000_000, sampling=10_000_000, openspiel=1_000_000)
        config.largest.update(sampling=200_000, lp=200_000)
    elif variant == "paper":
        config.games = POKER + SMALLEST[:1] + LARGER
        config.seconds = 300.0
        config.iterations.update(tree=10**8, sampling=10**9, openspiel=10**8)
        config.largest.update(sampling=200_000, lp=1_000_000, openspiel=20_000)
    elif variant != "quick":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config
