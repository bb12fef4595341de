"""PPO on Coinche against rule-based players.

    python experiments/coinche_ppo.py \\
        --config=experiments/configs/coinche_ppo.py:VARIANT --workdir=runs/coinche_ppo

| variant | time                           | expected                                          |
| ------- | ------------------------------ | ------------------------------------------------- |
| `quick` | a minute on one core           | it all works; nothing more                        |
| `cpu`   | two and a half hours on one    | 140 to 150 points per deal (reward `good`) won    |
|         | busy core, finals not counted  | from `rules:strong`, 67 to 68 % of its contracts  |
|         |                                | defeated (`long`: 161 points, 70.5 %; a search on |
|         |                                | it 176, 77 %), 78 % of `rules:simple`'s           |
| `paper` | 64 × 512 decisions at a time   | figure 2: 75 % of the simple player's contracts   |
|         | until it is stopped            | defeated, 70 % of the strong one's; few attacks   |

`--only=strong,mirror` computes these curves alone. Any field can be overridden:
--config.curves.strong.seconds=600, --config.curves.strong.settings.entropy=0.02. A curve whose
`iterations` or `seconds` are raised goes on.

--help lists the curves.
"""

from dataclasses import replace

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from experiments.common.ppo import ppo_curve
from solvers.networks.settings import MlpSettings, SuitsSettings
from solvers.ppo.settings import LookaheadSettings, Settings

GOOD = "python_coinche(reward=good)"
MIRROR = "python_coinche(reward=mirror)"
NO_DEFENSE = "python_coinche(reward=no_defense)"
BOTH = "self", "rules:strong"
LEARNER = Settings(
    opponents=("rules:strong",),
    deals=2048,
    network=SuitsSettings(hidden=128, zero_output=True),
    critic=SuitsSettings(hidden=64),
    precision="bfloat16",
    reward_scale=160.0,
    gae_lambda=0.8,
    learning_rate=5e-4,
    final_rate=0.1,
    entropy=0.02,
    final_entropy=0.1,
    lookahead=LookaheadSettings(weight=0.5, final=0.2),
    anneal_iterations=120,
)
PAPER = Settings(  # what it says, and Stable-Baselines' defaults
    opponents=("rules:strong",),
    deals=3000,  # some 64 · 512 decisions
    network=MlpSettings(hidden=64, layers=2, zero_output=True),
    critic=MlpSettings(hidden=64, layers=2),
    privileged=False,
    epochs=10,
    batch=512,
    learning_rate=3e-4,
    discount=0.99,
    entropy=0.0,
    shaping=0.1,
)


def curves_of(base: Settings, seeds: tuple[int, ...] = (0,)) -> ConfigDict:
    rewards = ("mirror", "classic", "no_defense")
    return ConfigDict(
        {
            "strong": ppo_curve(base, GOOD, seeds),
            "long": ppo_curve(replace(base, anneal_iterations=400), GOOD),
            "mixed": ppo_curve(replace(base, opponents=BOTH), GOOD),
            "mixed_no_defense": ppo_curve(
                replace(base, opponents=BOTH, anneal_iterations=400), NO_DEFENSE
            ),
            "long_no_defense": ppo_curve(replace(base, anneal_iterations=400), NO_DEFENSE),
            "self_play": ppo_curve(replace(base, opponents=("self",)), MIRROR),
            "simple": ppo_curve(replace(base, opponents=("rules:simple",)), GOOD),
            "random": ppo_curve(replace(base, opponents=("random",)), GOOD),
            "plain": ppo_curve(replace(base, lookahead=None), GOOD),
            **{name: ppo_curve(base, f"python_coinche(reward={name})") for name in rewards},
            "shaped": ppo_curve(replace(base, shaping=0.1), GOOD),
            "partner": ppo_curve(replace(base, partner=0.1), GOOD),
        }
    )


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads = 1
    add_executor(config)
    config.log_every = 10
    config.check_deals = 1000
    config.final_deals = 10_000
    config.searches = (
        ("long", "worlds=150,belief=reweighted(300),caution=2", 10_000),
    )  # curve, how, deals
    config.curves = curves_of(LEARNER, seeds=(0, 1, 2))
    if variant == "cpu":
        for curve in config.curves.values():
            curve.iterations = curve.settings.anneal_iterations
    elif variant == "quick":
        shrink(config)
    elif variant == "paper":
        config.curves = curves_of(PAPER)
    else:
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """Two curves of a few small iterations."""
    config.log_every, config.check_deals, config.final_deals = 2, 50, 200
    config.searches = (("strong", "worlds=5,belief=reweighted(10)", 20),)
    config.curves = ConfigDict({name: config.curves[name] for name in ("strong", "partner")})
    for each in config.curves.values():
        each.iterations, each.seeds = 6, (0,)
        each.settings.update(deals=128, batch=512)
        each.settings.network.hidden = each.settings.critic.hidden = 64
