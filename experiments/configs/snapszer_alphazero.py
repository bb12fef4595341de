"""AlphaZero under hidden cards on Snapszer.

    python experiments/snapszer_alphazero.py \\
        --config=experiments/configs/snapszer_alphazero.py:VARIANT --workdir=runs/snapszer_alphazero

| variant | time on two cores     | what it shows |
| ------- | --------------------- | ------------- |
| `quick` | two minutes           | it all works; nothing more |
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

from solvers.alphazero.rollouts import Rollouts
from solvers.alphazero.settings import Settings
from solvers.networks.settings import CanonicalSettings, MlpSettings

ROLLOUTS = Settings(anneal_iterations=150)
CURVES = {
    "rollouts": (ROLLOUTS, 240),
    "wide": (
        replace(
            ROLLOUTS,
            network=CanonicalSettings(hidden=256, critic=True),
            teacher=Rollouts(worlds=16),
            anneal_iterations=200,
        ),
        320,
    ),
    "plain": (replace(ROLLOUTS, network=MlpSettings(hidden=128, critic=True)), 60),
}


def curve(settings: Settings, iterations: int, seeds: tuple[int, ...] = (0,)) -> dict[str, Any]:
    return {
        "game": "python_snapszer",
        "settings": settings.plain(),
        "seeds": seeds,
        "iterations": iterations,
        "seconds": 0.0,  # no limit
    }


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads, config.workers = 1, 2
    config.log_every = 10
    config.checks = (("rules", 2000), ("pimc:worlds=50", 300))
    config.ways = ("net:{},play=best", "net:{}", "alphazero:{},worlds=32")
    config.finals = (
        ("random", 2000),
        ("rules", 5000),
        ("rules:expert", 5000),
        ("pimc:worlds=50", 5000),
        ("search", 1000),
    )
    config.curves = {name: curve(*given) for name, given in CURVES.items()}
    if variant == "quick":
        shrink(config)
    elif variant == "paper":
        for each in config.curves.values():
            each.iterations, each.seeds = 4 * each.iterations, (0, 1, 2)
    elif variant != "cpu":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """A curve of a few small iterations."""
    config.workers, config.log_every = 1, 2
    config.checks = (("rules", 100),)
    config.ways, config.finals = ("net:{},play=best", "alphazero:{},worlds=4"), (("rules", 50),)
    config.curves = ConfigDict({"rollouts": config.curves.rollouts})
    config.curves.rollouts.iterations = 4
    config.curves.rollouts.settings.update(deals=200, steps=20, batch=256)
    config.curves.rollouts.settings.network.hidden = 32
    config.curves.rollouts.settings.teacher.worlds = 2
