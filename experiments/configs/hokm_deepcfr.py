"""Deep CFR on Hokm, one network for all seats: actions are valued by deals that the rules play on.

    python experiments/hokm_deepcfr.py \\
        --config=experiments/configs/hokm_deepcfr.py:VARIANT --workdir=runs/hokm_values

| variant | time                 | expected                                            |
| ------- | -------------------- | --------------------------------------------------- |
| `quick` | a minute on one core | it all works; nothing more                          |
| `cpu`   | half an hour, one    | it wins more games than it loses against the rules  |
|         | core                 |                                                     |
| `paper` | days                 | the same in five iterations of 88,000,000 samples   |

Any field can be overridden: --config.settings.network.hidden=256. With larger `iterations` or
`seconds` a run goes on.
"""

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.sampling import Decaying
from solvers.deep_cfr.settings import Settings, WindowSettings
from solvers.networks.settings import SuitsSettings

SETTINGS = Settings(
    sampling=Decaying(0.23),
    initial_policy="rules",
    traversals=1_200_000,  # some 88,000,000 samples
    at_once=1024,
    sharing="all",
    memory=WindowSettings(iterations=1),
    warm_start=True,
    greedy=True,
    precision="bfloat16",
    network=SuitsSettings(hidden=128),
    fit=FitSettings(
        steps=50_000,
        batch=2048,
        learning_rate=2e-3,
        schedule="cosine",
        weighting="none",
        precision="bfloat16",
    ),
)


def get_config(variant: str = "quick") -> ConfigDict:
    if variant not in ("quick", "cpu", "paper"):
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    config = ConfigDict()
    config.game = "python_hokm(trump=heuristic)"
    config.seed = 0
    config.threads = 1
    add_executor(config)
    config.iterations = 5 if variant == "paper" else 1
    config.seconds = 0.0  # no limit
    config.strategies = ("best", "last")  # that are checked
    config.check_deals = 2000  # for each check: both seatings of each
    config.final_deals = 10_000
    config.others = ("pimc:worlds=50",)  # further opponents, slow ones
    config.other_deals = 200  # against each
    config.settings = ConfigDict(SETTINGS.plain())
    if variant == "quick":
        config.check_deals, config.final_deals, config.others = 50, 100, ()
        config.settings.update(traversals=64, at_once=16)
        config.settings.fit.update(steps=50, batch=512)
        config.settings.network.update(hidden=32, layers=2)
    return config
