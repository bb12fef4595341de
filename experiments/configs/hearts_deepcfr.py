"""Deep CFR on Hearts with one network for all seats.

    python experiments/hearts_deepcfr.py \\
        --config=experiments/configs/hearts_deepcfr.py:VARIANT --workdir=runs/hearts

| variant | time                 | expected                                                 |
| ------- | -------------------- | -------------------------------------------------------- |
| `quick` | a minute on one core | it all works; nothing more                               |
| `cpu`   | two hours, one core  | some 1.9 points per deal against the rules               |
| `paper` | days, 100 GB of disk | the project's sizes: 5 iterations of 100,000,000 samples |

What differs from the project in `cpu`: the first iteration values actions by deals that the
rule-based player plays on, instead of a random one (`--config.settings.initial_policy=random` is
the project's). Compiled players make it cheap: 116,000,000 samples in 50 minutes. A second one
(`--config.iterations=2`) traverses with the network, plays the action that is best so far instead
of matching regrets, and takes hours more; small ones were seen to forget what the first had learnt.

Any field can be overridden: --config.settings.network.hidden=1080. With larger `iterations` or
`seconds` a run goes on.
"""

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.sampling import Decaying
from solvers.deep_cfr.settings import Settings, WindowSettings
from solvers.networks.settings import MlpSettings

PROJECT = Settings(  # five iterations of some 100,000 deals and 1,000 samples each
    sampling=Decaying(0.23),
    traversals=100_000,
    at_once=128,
    sharing="all",
    memory=WindowSettings(iterations=2),
    precision="bfloat16",
    network=MlpSettings(hidden=1080, layers=4),
    fit=FitSettings(steps=500_000, batch=2048, weighting="none", precision="bfloat16"),
)
CPU = Settings(
    sampling=Decaying(0.23),
    initial_policy="rules",
    first_traversals=106_496,  # some 116,000,000 samples, as compiled players are fast
    first_steps=100_000,
    traversals=20_480,  # a fifth of that, and most of the time
    at_once=256,
    sharing="all",
    memory=WindowSettings(iterations=1),
    warm_start=True,
    greedy=True,
    precision="bfloat16",
    network=MlpSettings(hidden=512, layers=3),
    fit=FitSettings(
        steps=20_000, batch=2048, schedule="cosine", weighting="none", precision="bfloat16"
    ),
)


def get_config(variant: str = "quick") -> ConfigDict:
    if variant not in ("quick", "cpu", "paper"):
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    config = ConfigDict()
    config.game = "python_hearts"
    config.seed = 0
    config.threads = 2
    add_executor(config, "processes")
    config.iterations = 5
    config.seconds = 0.0  # no limit
    config.strategies = ("best", "last")  # that are checked
    config.check_deals = 2000  # for each check: six seatings of each
    config.final_deals = 10_000
    config.others = ("pimc:worlds=50",)  # further opponents, slow ones
    config.other_deals = 200  # against each
    config.settings = ConfigDict((PROJECT if variant == "paper" else CPU).plain())
    if variant == "cpu":
        config.threads, config.iterations, config.executor = 1, 1, "here"
    if variant == "quick":
        config.threads, config.iterations, config.executor = 1, 2, "here"
        config.check_deals, config.final_deals, config.others = 50, 100, ()
        small = {"first_traversals": 64, "first_steps": 100, "traversals": 4, "at_once": 16}
        config.settings.update(small)
        config.settings.fit.update(steps=50, batch=512)
        config.settings.network.update(hidden=64, layers=2)
    return config
