"""PPO on full Sheephead.

    python experiments/sheephead_ppo.py \\
        --config=experiments/configs/sheephead_ppo.py:VARIANT --workdir=runs/sheephead_ppo

| variant | time on a core     | what it shows                                       |
| ------- | ------------------ | --------------------------------------------------- |
| `quick` | a minute           | it all works; nothing more                          |
| `cpu`   | half an hour each  | networks that earn money from the rule-based player |
| `paper` | a day              | three seeds, ten times the iterations               |

`--only=mixed` computes that curve alone. Any field can be overridden:
--config.curves.mixed.settings.entropy=0.02. A curve whose `iterations` or `seconds` are raised goes
on.

--help lists the curves.
"""

from dataclasses import replace

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from experiments.common.ppo import ppo_curve
from solvers.networks.settings import MlpSettings
from solvers.ppo.settings import LookaheadSettings, Settings

GAME = "python_sheephead"
NETWORK = MlpSettings(hidden=192, layers=2, zero_output=True)
LEARNER = Settings(
    opponents=("self",),
    deals=2048,
    epochs=2,
    network=NETWORK,
    critic=replace(NETWORK, zero_output=False),
    precision="bfloat16",
    reward_scale=10.0,
    learning_rate=1e-3,
    final_rate=0.1,
    gae_lambda=0.8,
    entropy=0.01,
    final_entropy=0.1,
    anneal_iterations=300,
    lookahead=LookaheadSettings(weight=0.5, final=0.2),
)


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.game = GAME
    config.threads, config.log_every = 1, 10
    add_executor(config)
    config.check_deals, config.final_deals = 500, 5_000
    config.finals = (("rules", 5_000), ("random", 1_000), ("pimc:worlds=50", 300))
    config.searches = ()
    config.curves = ConfigDict(
        {
            "self_play": ppo_curve(LEARNER, GAME),
            "mixed": ppo_curve(replace(LEARNER, opponents=("self", "rules")), GAME),
        }
    )
    if variant == "cpu":
        for curve in config.curves.values():
            curve.iterations = curve.settings.anneal_iterations
    elif variant == "quick":
        shrink(config)
    elif variant == "paper":
        for curve in config.curves.values():
            curve.seeds, curve.settings.anneal_iterations = (0, 1, 2), 3000
            curve.iterations = 3000
    else:
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """A few small iterations of each curve."""
    config.log_every, config.check_deals = 2, 20
    config.finals = (("rules", 20), ("random", 20))
    for each in config.curves.values():
        each.iterations = 4
        each.settings.update(deals=100, batch=512)
        each.settings.network.hidden = each.settings.critic.hidden = 32
