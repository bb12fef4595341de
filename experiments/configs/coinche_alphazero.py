"""AlphaZero under hidden cards on Coinche: self-play that never meets a rule-based player.

    python experiments/coinche_alphazero.py \\
        --config=experiments/configs/coinche_alphazero.py:VARIANT --workdir=runs/coinche_alphazero

| variant | time on a core    | what it shows |
| ------- | ----------------- | ------------- |
| `quick` | two minutes       | it all works; nothing more |
| `cpu`   | an hour of a core | agents that bid, double and defend |
| `paper` | a day             | three seeds, four times the iterations |

`cards` learns to play the cards first: 80 is the only bid, nothing can be doubled, and a failed
contract costs no more than a made one brings. `early` goes on from its network in the whole game,
with the reverse loss, and `whole` from that of `early`, with the loss of logits.
`--only=whole` computes that curve alone. Any field can be overridden: --config.workers=4 (which
changes no result), --config.curves.whole.settings.teacher.horizon=8. A curve whose `iterations` or
`seconds` are raised goes on.

--help lists the curves.
"""

from dataclasses import replace
from typing import Any

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from solvers.alphazero.rollouts import Entropy, Rollouts
from solvers.alphazero.settings import Settings
from solvers.networks.settings import SuitsSettings

CARDS = "python_coinche(levels=1,capot=false,doubling=false,penalty=80)"
WHOLE = "python_coinche(reward=mirror)"
PPO = "net:experiments/results/coinche_ppo/networks/{},play=best"
LONG = PPO.format("long-0") + ",learnt=python_coinche(reward=good)"
START = "experiments/results/coinche_alphazero/networks/{}-0"
LEARNER = Settings(
    belief="true_hands",  # one draw from what the seat should believe: many deals make the mean
    network=SuitsSettings(hidden=64, critic=True),
    precision="medium",
    reward_scale=80.0,
    deals=500,
    searched=1.0,
    steps=100,
    batch=512,
    learning_rate=2e-3,
    final_rate=0.1,
    ema_rate=0.02,
    policy_loss="reverse",
    action_values=0.1,
    value=0.5,
    search_share=0.5,
    teacher=Rollouts(
        worlds=1,
        tried=6,
        horizon=4,
        temperature=20.0,
        final_temperature=80.0,
        regularisation=Entropy(1.0),
    ),
    anneal_iterations=300,
)
EARLY = replace(
    LEARNER,
    start=START.format("cards"),
    deals=1500,
    searched=0.3,
    reward_scale=160.0,
    teacher=replace(
        LEARNER.teacher,
        horizon=8,
        temperature=50.0,
        final_temperature=200.0,
        regularisation=Entropy(2.0),
    ),
    anneal_iterations=600,
)
LATE = replace(
    EARLY,
    start=START.format("early"),
    policy_loss="logits",
    teacher=replace(EARLY.teacher, temperature=60.0, least=1e-4),
)


def curve(game: str, settings: Settings, iterations: int) -> dict[str, Any]:
    return {
        "game": game,
        "settings": settings.plain(),
        "seeds": (0,),
        "iterations": iterations,
        "seconds": 0.0,  # no limit
        "judged": "deals" if game == WHOLE else "nothing",
    }


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads = 1
    add_executor(config, "processes", workers=2)
    config.log_every = 10
    config.checks = (("rules:strong", 300),)
    config.plays = {"best": "net:{},play=best"}
    config.rivals = {"ppo": LONG, "expert": "rules:expert"}
    config.finals = (
        ("rules:strong", 2000),
        ("rules:simple", 2000),
        ("rules:expert", 2000),
        ("random", 2000),
        (LONG, 2000),
        (PPO.format("self_play-0"), 2000),
        ("pimc:worlds=50", 300),
        ("search", 100),
    )
    config.curves = {
        "cards": curve(CARDS, LEARNER, 82),
        "early": curve(WHOLE, EARLY, 161),
        "whole": curve(WHOLE, LATE, 1000),
    }
    if variant == "quick":
        shrink(config)
    elif variant == "paper":
        for each in config.curves.values():
            each.iterations, each.seeds = 4 * each.iterations, (0, 1, 2)
    elif variant != "cpu":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """A few small iterations from random networks."""
    config.executor, config.log_every = "here", 2
    config.checks, config.finals = (("rules:strong", 50),), (("rules:strong", 50),)
    config.rivals = {"ppo": config.rivals.ppo}
    for each in config.curves.values():
        each.iterations = 4
        each.settings.update(deals=100, steps=20, batch=256, start="")
        each.settings.network.hidden = 32
