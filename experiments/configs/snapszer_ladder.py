"""The ladder of Snapszer players in sztriga's Trickster: nine tiers, each with a larger network and
more self-play and search than the one below.

    python experiments/snapszer_ladder.py \\
        --config=experiments/configs/snapszer_ladder.py:VARIANT --workdir=runs/snapszer_ladder

| variant | time on two cores     | what it shows |
| ------- | --------------------- | ------------- |
| `quick` | two minutes           | it all works; nothing more |
| `cpu`   | an hour               | the committed results: T0 to T6 |
| `paper` | half a day            | all tiers, T0 to T8 |

--tiers=4 trains the first four tiers, --from-tier=T4-Bishop that one and those after it, and
--eval-only none; the round robin is among all that are trained. Any field can be overridden, as
--config.others=1000 or --config.curves['T6-Captain'].iterations=160 (in quotes for the shell).

--help lists the tiers.
"""

from dataclasses import replace
from typing import Any, NamedTuple

from ml_collections import ConfigDict

from experiments.common.executors import add_executor
from solvers.alphazero.settings import Settings
from solvers.alphazero.tree_search import TreeSearch
from solvers.deep_monte_carlo.player import Habits
from solvers.deep_monte_carlo.settings import Settings as DirectSettings
from solvers.networks.settings import MlpSettings
from spielgames.snapszer.record import CLOSE, EXCHANGE, MARRY
from spielgames.snapszer.tensors import PAPER

GAME = "python_snapszer"


class Tier(NamedTuple):
    """A row of the paper's table, and how many games there are in an iteration, of which the paper
    says nothing.
    """

    units: int
    layers: int
    head: int
    games: int
    simulations: int
    worlds: int
    deals: int  # in an iteration
    columns: int = 0  # of the encoding; 0: all

    @property
    def settings(self) -> dict[str, Any]:
        """The paper's recipe: PUCT, visits summed, all decisions searched, values fitted to how
        deals end; leaves played out at random during the first 40 % of the games.
        """
        network = MlpSettings(self.units, self.layers, self.head, critic=True, columns=self.columns)
        return Settings(
            teacher=TreeSearch(self.simulations, self.worlds, bootstrap=0.4),
            network=network,
            deals=self.deals,
            searched=1.0,
            exploration=0.0,
            replay=10,
            steps=3 * self.deals // 10,  # each decision is learnt from eight times
            batch=256,
            ema_rate=0.02,
            value=1.0,
            action_values=0.0,
            anneal_iterations=self.iterations,
            keep_every=1000,
        ).plain()

    @property
    def iterations(self) -> int:
        return self.games // self.deals


TIERS = {
    "T1-Pawn": Tier(32, 1, 16, 2_000, 30, 3, 100),
    "T2-Scout": Tier(64, 2, 32, 4_500, 40, 3, 100),
    "T3-Knight": Tier(64, 2, 32, 8_000, 50, 4, 100),
    "T4-Bishop": Tier(128, 2, 64, 15_000, 60, 5, 200),
    "T5-Rook": Tier(128, 2, 64, 20_000, 60, 5, 250),
    "T6-Captain": Tier(128, 3, 64, 48_000, 80, 6, 600),
    "T7-General": Tier(256, 4, 128, 100_000, 150, 8, 2000),
    "T8-Marshal": Tier(256, 4, 128, 200_000, 200, 12, 2000),
}


FEATURES = TIERS["T3-Knight"]._replace(columns=PAPER)
DIRECT = DirectSettings(
    network=MlpSettings(128, 2),
    habits=Habits(always=(*range(MARRY, MARRY + 4), EXCHANGE), never=(CLOSE,), split="following"),
    wins=True,
    learning_rate=3e-4,
)
LINEAR = replace(DIRECT, network=MlpSettings(layers=0))
ANCHORS = (
    ("random", "random"),
    ("rules", "rules"),
    ("pimc", "pimc:worlds=50"),
    ("network", "net:experiments/results/snapszer_alphazero/networks/belief-0,play=best"),
)
BUDGETS = {  # each spec's places are for the two numbers, the network goes to {run}
    "trees": (
        "trees:{run},simulations={},worlds={},aggregation=visits",
        ((10, 3), (20, 3), (20, 6), (40, 6), (80, 6), (80, 12), (160, 12)),
    ),
    "trees_mean": (
        "trees:{run},simulations={},worlds={},aggregation=mean",
        ((20, 3), (80, 6)),
    ),
    "rollouts": ("alphazero:{run},worlds={}", ((4,), (8,), (16,), (32,))),
    "pimc": ("pimc:worlds={}", ((12,), (25,), (50,))),
}


def curve(settings: dict[str, Any], iterations: int) -> dict[str, Any]:
    return {
        "game": GAME,
        "settings": settings,
        "seeds": (0,),
        "iterations": iterations,
        "seconds": 0.0,  # no limit
    }


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads = 1
    add_executor(config, "processes", workers=2)
    config.log_every = 10
    config.curves = {
        "T0-Direct": curve(DIRECT.plain(), DIRECT.anneal_iterations),
        **{name: curve(tier.settings, tier.iterations) for name, tier in TIERS.items()},
        "Knight-126": curve(FEATURES.settings, FEATURES.iterations),
        "linear": curve(LINEAR.plain(), LINEAR.anneal_iterations),
    }
    config.anchors = ANCHORS
    config.neighbours, config.others = 1000, 300  # deals of pairs in the round robin
    config.budget = {"tier": "T6-Captain", "against": ANCHORS[-1][1], "deals": 600}
    config.budgets = BUDGETS
    if variant == "cpu":
        for name in ("T7-General", "T8-Marshal"):
            del config.curves[name]
    elif variant == "quick":
        shrink(config)
    elif variant != "paper":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config


def shrink(config: ConfigDict) -> None:
    """Two tiers of a few small iterations."""
    config.executor, config.log_every = "here", 2
    config.curves = ConfigDict({name: config.curves[name] for name in ("T0-Direct", "T1-Pawn")})
    for each in config.curves.values():
        each.iterations = each.settings.anneal_iterations = 4
        each.settings.update(deals=50, steps=10)
    config.anchors, config.neighbours, config.others = ANCHORS[:2], 100, 50
    config.budget.update(tier="T1-Pawn", against="rules", deals=50)
    config.budgets = {"trees": (BUDGETS["trees"][0], ((4, 2), (8, 2)))}
