"""AlphaZero under hidden cards on Hokm: self-play that never meets a rule-based player.

    python experiments/hokm_alphazero.py \\
        --config=experiments/configs/hokm_alphazero.py:VARIANT --workdir=runs/hokm_alphazero

| variant | time on a core    | what it shows |
| ------- | ----------------- | ------------- |
| `quick` | two minutes       | it all works; nothing more |
| `cpu`   | an hour and a half| agents that choose trumps and play |
| `paper` | a day             | three seeds, four times the iterations |

In the rollouts of `near` the network judges what four decisions have come to. `whole` goes on from
its network, with eight. `--only=whole` computes that curve alone. Any field can be overridden:
--config.workers=4 (which changes no result), --config.curves.whole.settings.teacher.tried=4. A
curve whose `iterations` or `seconds` are raised goes on.

--help lists the curves.
"""

from dataclasses import replace
from typing import Any

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from experiments.configs.coinche_alphazero import LEARNER as CARD_LEARNER
from solvers.alphazero.rollouts import Entropy
from solvers.alphazero.settings import Settings

WHOLE = "python_hokm"
LEAGUE = "net:experiments/results/hokm_league/networks/learned-0,play=best"
START = "experiments/results/hokm_alphazero/networks/near-0"
NEAR = replace(
    CARD_LEARNER,
    reward_scale=1.0,
    deals=1500,
    searched=0.3,
    teacher=replace(
        CARD_LEARNER.teacher,
        temperature=0.15,
        final_temperature=1.0,
        regularisation=Entropy(0.01),
    ),
    anneal_iterations=600,
)
LEARNER = replace(
    NEAR,
    start=START,
    searched=0.2,
    replay=8,
    teacher=replace(NEAR.teacher, horizon=8),
)


def curve(settings: Settings, iterations: int) -> dict[str, Any]:
    return {
        "game": WHOLE,
        "settings": settings.plain(),
        "seeds": (0,),
        "iterations": iterations,
        "seconds": 0.0,  # no limit
        "judged": "deals" if settings.start else "nothing",
    }


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads = 1
    add_executor(config, "processes", workers=2)
    config.log_every = 10
    config.checks = (("rules", 500),)
    config.plays = {"best": "net:{},play=best"}
    config.rivals = {"league": LEAGUE}
    config.finals = (
        ("random", 2000),
        ("rules", 5000),
        (LEAGUE, 5000),
        ("pimc:worlds=50", 200),
    )
    config.curves = {"near": curve(NEAR, 22), "whole": curve(LEARNER, 1000)}
    if variant == "quick":
        shrink(config)
    elif variant == "paper":
        for each in config.curves.values():
            each.iterations, each.seeds = 4 * each.iterations, (0, 1, 2)
    elif variant != "cpu":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """A few small iterations."""
    config.executor, config.log_every = "here", 2
    config.checks, config.finals = (("rules", 50),), (("rules", 50),)
    for each in config.curves.values():
        each.iterations = 4
        each.settings.update(deals=100, steps=20, batch=256, start="")
        each.settings.network.hidden = 32
