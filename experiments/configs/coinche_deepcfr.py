"""Deep CFR on Coinche: the paper's self-play (figure 1) and its training against rule-based players
(figure 3; the reward matrices of figure 4), and a better learner beside them.

    python experiments/coinche_deepcfr.py \\
        --config=experiments/configs/coinche_deepcfr.py:VARIANT --workdir=runs/coinche

| variant | time                                    | expected                                 |
| ------- | --------------------------------------- | ---------------------------------------- |
| `quick` | a minute on one core                    | it all works; nothing more               |
| `cpu`   | three hours on one core                 | figure 1's deals of 4 calls in `batches` |
|         |                                         | alone, and only in its likeliest actions |
| `paper` | days: table 3 in full, 5,000 iterations | the paper: deals of 4 calls              |

`--only=printed,better` computes these curves alone, so that several processes can share the work;
the same command afterwards, without it, writes the report on all. Any field can be overridden:
--config.curves.printed.seconds=600, --config.curves.better.settings.traversals=512. A curve whose
`iterations` or `seconds` are raised goes on.

Of table 3, epochs are taken as steps on a full memory: 4 · memory / batch. In `batches` they are
single batches: in a version of the authors' code (github.com/theosaulus/coinche) an update is one.
There the policy network also plays the action that it thinks most likely when it is measured: our
strategy `mode`.

What differs from the paper: networks see the observation of `spielgames/coinche/tensors.py` (with
one-hot calls, as the paper recommends for the future) and have residual connections; policy
networks are fitted only when they are measured, always from scratch; no reward is paid per trick;
against rule-based players the learner's team always speaks first.
"""

import math
from dataclasses import replace
from typing import Any

from ml_collections import ConfigDict

from experiments.common.curves import limit
from experiments.common.executors import add_executor
from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.sampling import Outcome, Sampled, Uncorrected
from solvers.deep_cfr.settings import (
    BaselineSettings,
    PolicySettings,
    ReservoirSettings,
    Settings,
)
from solvers.networks.settings import MlpSettings

SELF_PLAY = "python_coinche"
GOOD = "python_coinche(reward=good)"  # section 5.2: what is lost must be felt
CLASSIC = "python_coinche(reward=classic)"  # table 2: nobody ever loses points
EPOCHS = 4
BATCH = 256


def steps(memory: int) -> int:
    return EPOCHS * math.ceil(memory / BATCH)


PAPER_FIT = FitSettings(steps=steps(100_000), batch=BATCH, learning_rate=3e-4, max_grad_norm=0.0)
PAPER_NETWORK = MlpSettings(hidden=64, layers=2)
PAPER_POLICY = PolicySettings(
    samples=500_000,
    network=PAPER_NETWORK,
    fit=replace(PAPER_FIT, steps=steps(500_000), loss="squared_probabilities"),
)
TABLE_3 = Settings(
    traversals=256,
    sampling=Uncorrected(breadth=4),  # A_samples
    sharing="all",
    network=PAPER_NETWORK,
    fit=PAPER_FIT,
    memory=ReservoirSettings(100_000),
    policy=PAPER_POLICY,
)
BATCHES = replace(  # networks that are hardly trained; the policy network as in 100 iterations
    TABLE_3,
    fit=replace(PAPER_FIT, steps=EPOCHS),
    policy=replace(PAPER_POLICY, fit=replace(PAPER_POLICY.fit, steps=100 * EPOCHS)),
)
FIT = FitSettings(steps=1500, batch=1024, schedule="cosine", max_grad_norm=1.0)
NETWORK = MlpSettings(hidden=128)
BETTER = (
    Settings(  # single actions explored without bias, a baseline against the noise, more memory
        traversals=2048,
        sampling=Outcome(),
        sharing="all",
        network=NETWORK,
        fit=FIT,
        memory=ReservoirSettings(2_000_000),
        policy=PolicySettings(
            samples=2_000_000,
            network=NETWORK,
            fit=replace(FIT, steps=5000, loss="cross_entropy"),
        ),
        baseline=BaselineSettings(
            iterations=10,
            network=NETWORK,
            fit=FitSettings(steps=500, batch=1024, max_grad_norm=1.0, weighting="none"),
        ),
    )
)


def against(opponents: str, game: str = GOOD) -> dict[str, Any]:
    """The paper's learner in one team, rule-based players in the other."""
    return curve(replace(TABLE_3, learners=(0, 2), opponent=opponents), game)


def curve(settings: Settings, game: str = SELF_PLAY, shown: str = "policy") -> dict[str, Any]:
    """The strategy `shown` is the one in the figures, and the one that is judged."""
    return {
        "game": game,
        "settings": settings.plain(),
        "strategies": tuple(dict.fromkeys((shown, "policy", "mode", "last"))),  # that are measured
        "shown": shown,
        "iterations": 5000,
        "seconds": 0.0,  # no limit
    }


def curves() -> ConfigDict:
    return ConfigDict(
        {
            "printed": curve(TABLE_3),
            "printed_good": curve(TABLE_3, GOOD),
            "printed_classic": curve(TABLE_3, CLASSIC),
            "batches": curve(BATCHES),
            "corrected": curve(replace(TABLE_3, sampling=Sampled())),
            "better": curve(BETTER, shown="average"),
            "random": against("random"),
            "simple": against("rules:simple"),
            "strong": against("rules:strong"),
            "mirror": against("rules:strong", SELF_PLAY),
            "classic": against("rules:strong", CLASSIC),
            "no_defense": against("rules:strong", "python_coinche(reward=no_defense)"),
        }
    )


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.seed = 0
    config.threads = 1
    add_executor(config)
    config.log_every = 10  # iterations
    config.deals = 1000  # for each measurement
    config.judged_deals = 20_000  # at the end, and as many to tune the bidder
    config.curves = curves()
    if variant == "cpu":
        limit(config, printed=1800.0, printed_good=1200.0, printed_classic=1800.0)
        limit(config, batches=600.0, corrected=240.0, better=3600.0)
        limit(config, random=240.0, simple=480.0, strong=480.0)
        limit(config, mirror=240.0, classic=240.0, no_defense=240.0)
    elif variant == "quick":
        shrink(config)
    elif variant != "paper":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """Two curves of a few small iterations."""
    config.log_every, config.deals, config.judged_deals = 1, 200, 2000
    config.curves = ConfigDict({name: config.curves[name] for name in ("printed", "strong")})
    for each in config.curves.values():
        each.iterations = 6
        each.settings.traversals, each.settings.sampling.breadth = 16, 2
        each.settings.memory.samples = each.settings.policy.samples = 20_000
        each.settings.fit.steps = each.settings.policy.fit.steps = 200
