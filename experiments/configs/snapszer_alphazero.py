"""AlphaZero under hidden cards on Snapszer.

    python experiments/snapszer_alphazero.py \\
        --config=experiments/configs/snapszer_alphazero.py:VARIANT --workdir=runs/snapszer_alphazero

| variant | time on two cores     | what it shows |
| ------- | --------------------- | ------------- |
| `quick` | three minutes         | it all works; nothing more |
| `cpu`   | two hours             | the committed results |
| `paper` | a day                 | three seeds, four times the iterations |

`--only=rollouts` computes that curve alone. Any field can be overridden: --config.workers=4 (which
changes no result), --config.curves.rollouts.settings.teacher.worlds=16. A curve whose `iterations`
or `seconds` are raised goes on.

--help lists the curves.
"""

from dataclasses import replace
from typing import Any

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from solvers.alphazero.rollouts import Rollouts
from solvers.alphazero.settings import Settings
from solvers.alphazero.tree_search import TreeSearch
from solvers.networks.settings import CanonicalSettings, MlpSettings

SMALL = "python_snapszer(suits=2,ranks=3,hand=2)"
TRAINED = "experiments/results/snapszer_alphazero/networks/rollouts-0"
MATCH = "python_snapszer(match=true)"  # at a random score
POLICY = "importance(self,draws=4)"  # a belief: worlds as likely as the policy makes them
ROLLOUTS = Settings(anneal_iterations=150)
EXACT = replace(
    ROLLOUTS,
    network=MlpSettings(hidden=64, critic=True),
    precision="float32",
    deals=500,
    searched=1.0,
    steps=60,
    batch=512,
    ema_rate=0.02,
    teacher=Rollouts(temperature=0.5, final_temperature=5.0),
    anneal_iterations=60,
)
IN_MATCH = replace(  # a chance of winning is about a seventh of the game points that bring it
    ROLLOUTS,
    reward_scale=0.5,
    teacher=Rollouts(temperature=0.03, final_temperature=0.2),
)
CURVES = {
    "rollouts": (ROLLOUTS, 168),
    "belief": (
        replace(ROLLOUTS, network=CanonicalSettings(hidden=256, critic=True), belief=POLICY),
        160,
    ),
    "plain": (replace(ROLLOUTS, network=MlpSettings(hidden=128, critic=True)), 60),
    "small_uniform": (EXACT, 80),
    "small_belief": (replace(EXACT, belief=POLICY), 80),
    "small_trees": (replace(EXACT, teacher=TreeSearch(simulations=40)), 80),
    "small_trees_belief": (replace(EXACT, teacher=TreeSearch(simulations=40), belief=POLICY), 80),
    "match": (IN_MATCH, 70),
}


def curve(name: str, settings: Settings, iterations: int) -> dict[str, Any]:
    small = name.startswith("small")
    return {
        "game": SMALL if small else MATCH if name == "match" else "python_snapszer",
        "settings": settings.plain(),
        "seeds": (0, 1, 2) if small else (0,),
        "iterations": iterations,
        "seconds": 0.0,  # no limit
        "judged": "exact" if small else "matches" if name == "match" else "deals",
    }


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads = 1
    add_executor(config, "processes", workers=2)
    config.log_every = 10
    config.checks = (("rules", 2000), ("pimc:worlds=50", 300))
    config.plays = {
        "best": "net:{},play=best",
        "sample": "net:{}",
        "search": "alphazero:{},worlds=32",
    }
    config.finals = (
        ("random", 1000),
        ("rules", 2000),
        ("rules:expert", 2000),
        ("pimc:worlds=50", 5000),
        ("search", 1000),
    )
    config.match_finals = (
        (f"net:{TRAINED},play=best", 2000),
        (f"net:{TRAINED},play=best,iteration=100", 1000),
        ("rules:expert", 500),
    )
    config.curves = {name: curve(name, *given) for name, given in CURVES.items()}
    if variant == "quick":
        shrink(config)
    elif variant == "paper":
        for each in config.curves.values():
            each.iterations, each.seeds = 4 * each.iterations, (0, 1, 2)
    elif variant != "cpu":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """Three curves of a few small iterations."""
    config.executor, config.log_every = "here", 2
    config.checks = (("rules", 100),)
    config.plays.search, config.finals = "alphazero:{},worlds=4", (("rules", 50),)
    config.match_finals = (("rules", 20),)
    names = "rollouts", "small_belief", "match"
    config.curves = ConfigDict({name: config.curves[name] for name in names})
    for each in config.curves.values():
        each.iterations, each.seeds = 4, (0,)
        each.settings.update(deals=200, steps=20, batch=256)
        each.settings.network.hidden = 32
        each.settings.teacher.worlds = 2
