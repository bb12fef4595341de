"""Ablations of AlphaZero under hidden cards on Snapszer.

    python experiments/snapszer_ablations.py \\
        --config=experiments/configs/snapszer_ablations.py:VARIANT --workdir=runs/snapszer_ablations

| variant | time on one core | what it shows |
| ------- | ---------------- | ------------- |
| `quick` | a minute         | it all works; nothing more |
| `cpu`   | half an hour     | the committed results |
| `paper` | half a day       | four seeds, five times the iterations, `pimc` as an opponent |

Every curve but the first has a `base`, from which it differs in one setting, and against whose
network it plays at the end. `--only=rollouts,magnet` computes those curves alone. Any field can be
overridden: --config.curves.magnet.settings.teacher.regularisation.alpha=0.2. A curve whose
`iterations` are raised goes on.

--help lists the curves.
"""

from dataclasses import replace
from typing import Any

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from solvers.alphazero.rollouts import Magnet, Rollouts
from solvers.alphazero.roots import Gumbel
from solvers.alphazero.settings import Settings
from solvers.alphazero.tree_search import TreeSearch
from solvers.networks.settings import MlpSettings

GAME, ITERATIONS = "python_snapszer", 20
TEACHER = Rollouts(temperature=0.2, final_temperature=0.5)
ROLLOUTS = Settings(
    teacher=TEACHER, deals=1000, steps=60, ema_rate=0.01, anneal_iterations=ITERATIONS
)
FOREST = TreeSearch(simulations=40)
TREES = replace(ROLLOUTS, teacher=FOREST)
CURVES = {  # each with its base
    "rollouts": (ROLLOUTS, ""),
    "importance": (replace(ROLLOUTS, belief="importance(self,draws=4)"), "rollouts"),
    "exact": (replace(ROLLOUTS, belief="exact(model=self)"), "rollouts"),
    "free": (replace(ROLLOUTS, teacher=replace(TEACHER, regularisation=None)), "rollouts"),
    "magnet": (replace(ROLLOUTS, teacher=replace(TEACHER, regularisation=Magnet())), "rollouts"),
    "plain": (replace(ROLLOUTS, network=MlpSettings(hidden=128, critic=True)), "rollouts"),
    "trees": (TREES, "rollouts"),
    "mean": (replace(TREES, teacher=replace(FOREST, aggregation="mean")), "trees"),
    "gumbel": (replace(TREES, teacher=replace(FOREST, root=Gumbel())), "trees"),
    "bootstrap": (replace(TREES, teacher=replace(FOREST, bootstrap=0.4)), "trees"),
}
TRAINED = "experiments/results/snapszer_alphazero/networks/rollouts-0"
SEARCH = f"trees:{TRAINED},simulations=40,worlds=6"
DUELS = (  # at play, with the same network
    (f"{SEARCH},aggregation=mean", f"{SEARCH},aggregation=visits"),
    (f"{SEARCH},considered=8", f"{SEARCH},aggregation=visits"),
)


def curve(settings: Settings, base: str) -> dict[str, Any]:
    return {
        "game": GAME,
        "settings": settings.plain(),
        "base": base,
        "seeds": (0,),
        "iterations": ITERATIONS,
        "seconds": 0.0,  # no limit
        "judged": "deals",
    }


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads = 1
    add_executor(config)
    config.log_every = ITERATIONS
    config.checks = (("rules", 500),)
    config.plays = {"best": "net:{},play=best"}
    config.finals = (("rules", 2000),)
    config.base_deals = 5000  # against the base's network
    config.duels = [[*pair, 2000] for pair in DUELS]
    config.curves = {name: curve(*given) for name, given in CURVES.items()}
    if variant == "quick":
        shrink(config)
    elif variant == "paper":
        config.finals = (("rules", 2000), ("pimc:worlds=50", 2000))
        for each in config.curves.values():
            each.iterations, each.seeds = 5 * each.iterations, (0, 1, 2, 3)
            each.settings.anneal_iterations = each.iterations
    elif variant != "cpu":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """Three curves of a few small iterations."""
    config.log_every, config.base_deals = 2, 50
    config.checks = config.finals = (("rules", 50),)
    config.duels = [[*pair, 10] for pair in DUELS[:1]]
    config.curves = ConfigDict(
        {name: config.curves[name] for name in ("rollouts", "free", "trees")}
    )
    for each in config.curves.values():
        each.iterations, each.seeds = 2, (0,)
        each.settings.update(deals=200, steps=20, batch=256, anneal_iterations=2)
        each.settings.network.hidden = 32
        each.settings.teacher.worlds = 2
    config.curves.trees.settings.teacher.simulations = 8
