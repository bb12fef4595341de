"""PPO leagues on Hokm.

    python experiments/hokm_league.py \\
        --config=experiments/configs/hokm_league.py:VARIANT --workdir=runs/hokm

| variant | time, one core                         | expected                               |
| ------- | -------------------------------------- | -------------------------------------- |
| `quick` | a minute                               | it all works; nothing more             |
| `cpu`   | ten minutes a seed for `started`, five | `started`: 84.6 to 84.8 % against      |
|         | to eight for others; `rehearsed` half  | random, 55 to 56 % against the rules;  |
|         | an hour; `long` and each transformer   | `long`: 85.2 and 56.5 %; `rehearsed`:  |
|         | 40 to 50 on a busy core; the searches  | 85.4 and 58.1; its search 85.8 and 65.1|
|         | three hours                            |                                        |
| `paper` | days on a graphics card, with          | the paper: 80 % against random, 60 %   |
|         | transformers of 4 × 256                | against its own rules                  |

`--only=league,rules` computes these curves alone. Any field can be overridden:
--config.curves.league.seconds=600, --config.curves.league.settings.entropy=0.02. A curve whose
`iterations` or `seconds` are raised goes on.

--help lists the curves. `started` and `long` begin with the committed network of
`experiments/hokm_deepcfr.py`, `rehearsed` with the committed one of `long`.
"""

from dataclasses import replace
from typing import Any

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from experiments.common.ppo import ppo_curve
from solvers.networks.settings import CardsSettings, NetworkSettings, SuitsSettings
from solvers.ppo.settings import LookaheadSettings, PretrainedSettings, Settings

FIXED = "python_hokm(trump=heuristic)"
LEARNED = "python_hokm"
START = "experiments/results/hokm_deepcfr/network"
# How the odds of winning a world were measured: docs/results/hokm_league.md.
SEARCH = (
    "worlds=150,belief=reweighted(300,strangers=0.05),continuation=lookahead(6),caution=1"
    ",value=win_chance"
)
LONG = "experiments/results/hokm_league/networks/long-0"
NETWORK = SuitsSettings(hidden=128, zero_output=True)
CRITIC = SuitsSettings(hidden=64)
LEARNER = Settings(
    deals=4096,
    epochs=2,  # playing is cheap: fresh deals teach more than more of the same
    network=NETWORK,
    critic=CRITIC,
    precision="bfloat16",
    learning_rate=5e-4,
    final_rate=0.1,
    gae_lambda=0.8,
    entropy=0.01,
    final_entropy=0.1,
    anneal_iterations=80,
)
LOOKAHEAD = LookaheadSettings(weight=0.5, final=0.2)
MIXED = replace(LEARNER, opponents=("league", "rules"), lookahead=LOOKAHEAD)
STARTED = replace(
    LEARNER,
    opponents=("rules", "random", "league"),
    pretrained=PretrainedSettings(START, critic_warmup=5),
    entropy=0.005,
    anneal_iterations=150,
    lookahead=LOOKAHEAD,
)
REHEARSED = replace(
    LEARNER,
    opponents=("rules", "rules", "rules", "random"),
    pretrained=PretrainedSettings(LONG),
    wins=True,
    surrogate=0.0,
    lookahead=LookaheadSettings(weight=2.0, policy="players"),
    epochs=4,
    batch=8192,  # few decisions matter
    final_rate=0.05,
    final_entropy=1.0,
    anneal_iterations=80,
)
SMALL_CARDS = CardsSettings(hidden=64, layers=2, heads=2)
PAPER_CARDS = CardsSettings(hidden=256, layers=4, heads=8)


def transformer(size: NetworkSettings, **changes: Any) -> Settings:
    """The same learner with the paper's network for actor and critic."""
    actor, critic = replace(size, zero_output=True, **changes), replace(size, **changes)
    return replace(LEARNER, encoding="events", network=actor, critic=critic)


def curves() -> ConfigDict:
    return ConfigDict(
        {
            "started": ppo_curve(STARTED, FIXED, seeds=(0, 1, 2)),
            "long": ppo_curve(replace(STARTED, anneal_iterations=400), FIXED),
            "rehearsed": ppo_curve(REHEARSED, FIXED),
            "league": ppo_curve(LEARNER, FIXED),
            "rules": ppo_curve(MIXED, FIXED),
            "learned": ppo_curve(MIXED, LEARNED),
            "self_play": ppo_curve(replace(LEARNER, opponents=("self",)), FIXED),
            "blind": ppo_curve(replace(LEARNER, privileged=False), FIXED),
            "transformer": ppo_curve(transformer(SMALL_CARDS), FIXED),
            "no_context": ppo_curve(transformer(SMALL_CARDS, context=False), FIXED),
        }
    )


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.game = FIXED  # of the ceilings
    config.threads = 1
    add_executor(config)
    config.log_every = 10
    config.check_deals = 1024  # 2,048 games against each
    config.final_deals = 10_000
    config.ceilings = (
        ("rules", 10_000),
        ("pimc:worlds=200", 200),
        ("pimc:worlds=1,belief=true_hands,caution=0", 10_000),
    )
    config.searches = (  # curve, how, deals
        ("long", "worlds=150,belief=reweighted(300),continuation=lookahead(3),caution=2", 3_000),
        ("rehearsed", SEARCH, 10_000),
    )
    config.curves = curves()
    if variant == "cpu":
        for name, curve in config.curves.items():
            curve.iterations = curve.settings.anneal_iterations
            if name in ("transformer", "no_context"):  # sixteen times as slow
                curve.settings.update(deals=512, league={"arena_deals": 64})
    elif variant == "quick":
        shrink(config)
    elif variant == "paper":
        config.curves.transformer.settings.update(transformer(PAPER_CARDS).plain())
        config.curves.no_context.settings.update(transformer(PAPER_CARDS, context=False).plain())
        for curve in config.curves.values():
            curve.settings.anneal_iterations = 1000
    else:
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """Two curves of a few small iterations."""
    config.log_every, config.check_deals, config.final_deals = 2, 50, 200
    config.ceilings = (("rules", 200),)
    config.searches = (("league", "worlds=5,belief=reweighted(10),continuation=lookahead(1)", 20),)
    config.curves = ConfigDict({name: config.curves[name] for name in ("league", "learned")})
    for each in config.curves.values():
        each.iterations = 6
        each.settings.update(deals=128, batch=512)
        each.settings.league.update(arena_every=2, arena_deals=20)
        each.settings.network.hidden = each.settings.critic.hidden = 64
