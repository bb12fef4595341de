"""Learners with a belief state on Sheephead: the thesis' figures 10–13, and what it left open.

    python experiments/sheephead_pomdp.py \\
        --config=experiments/configs/sheephead_pomdp.py:VARIANT --workdir=runs/sheephead_pomdp

| variant | time on two cores | what it shows |
| ------- | ----------------- | ------------- |
| `quick` | two minutes       | it all works; nothing more |
| `cpu`   | an hour           | the committed results: fewer hands than the thesis |
| `paper` | a day             | 100,000 hands for each run, as in the thesis |

`--only=thesis-1` computes that curve alone. Any field can be overridden: --config.sessions=100,
--config.curves.learned.settings.worlds=8. A curve whose `iterations` are raised goes on.

--help lists the curves.
"""

from dataclasses import replace
from typing import Any

from ml_collections import ConfigDict

from solvers.pomdp.actor_critic import ActorCriticSettings
from solvers.pomdp.belief_agent import Settings
from solvers.pomdp.settings import Forgetting, LinearSettings, NgnetSettings, PerceptronSettings

GAME = "python_sheephead(nola=false)"
ALL = LinearSettings(forgetting=Forgetting(1.0, 1.0))  # all samples count alike
NGNET = NgnetSettings(units=8, delete=0.0, divide=1e9, patience=100.0)  # units are never divided
PREDICTOR = NgnetSettings(units=8, forgetting=Forgetting(0.99, 0.99))
THESIS = Settings(
    features="paper",
    critic=NGNET,
    actor=replace(ALL, ridge=300.0),  # one deal says little of what an action is worth
    predictor=ALL,
    predicts="rules",
    worlds=8,
    horizon="deal",  # "over the remainder of plays in that hand" (section 3.1.4)
)
VALUES = ActorCriticSettings(actor_rate=0.0)
TRICK = replace(  # the rest of the deal is worth what the critic says, as in Ishii et al. (2005)
    THESIS,
    features="all",
    learning=VALUES,
    trick_reward=0.0,
    horizon="trick",
    threshold=0.1,
)
LEARNED = replace(TRICK, predicts="learned", predictor=PREDICTOR)
TO_END = replace(LEARNED, horizon="deal", threshold=1.0)  # the likeliest plays only
RULES, RANDOM_CARDS, PIMC = "rules", "rules:random_cards", "pimc:worlds=50"
PERCEPTRONS = {"critic": PerceptronSettings(), "predictor": PerceptronSettings()}
LONG = "values-1"  # the curve that plays four times as many hands as the others


def curve(settings: Settings, learners: int = 1, others: str = RULES, **more: Any) -> dict:
    """Learners at a table with others; `player` is a spec that takes the learners' place."""
    return {
        "game": GAME,
        "settings": settings.plain(),
        "learners": learners,
        "others": others,
        "player": "",
        "seeds": (0, 1, 2, 3, 4),
        "iterations": 0,  # blocks of sessions: see `get_config`
        "seconds": 0.0,
    } | more


def curves() -> dict[str, dict]:
    return {
        **{f"thesis-{k}": curve(THESIS, k) for k in (1, 2, 3, 4)},
        "values-1": curve(TRICK),
        "learned": curve(LEARNED),
        "linear": curve(replace(LEARNED, critic=ALL, predictor=ALL)),
        "mlp": curve(replace(LEARNED, **PERCEPTRONS)),
        "to-end": curve(TO_END),
        "all-clues": curve(replace(TO_END, clues="all")),
        "true-hands": curve(replace(TO_END, belief="true_hands", worlds=1)),
        "true-all": curve(replace(TO_END, predicts="rules", belief="true_hands", worlds=1)),
        "random-cards": curve(TO_END, others=RANDOM_CARDS),
        "rules-of-random": curve(THESIS, others=RANDOM_CARDS),
        "pimc-others": curve(TO_END, others="pimc:worlds=10"),
        "pimc": curve(THESIS, player=PIMC),
    }


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads = 1
    config.hands = 100  # of a session, between two changes of seats
    config.sessions = 5  # in a block, after which all is saved
    config.curves = curves()
    config.beliefs = {
        "game": GAME,
        "kinds": ("uniform", "reweighted(300)"),
        "deals": 60,
        "seed": 7,
    }
    blocks = {"quick": 1, "cpu": 2, "paper": 100}
    if variant not in blocks:
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    for name, each in config.curves.items():
        each.iterations = 8 if variant == "cpu" and name == LONG else blocks[variant]
    if variant == "quick":
        config.hands, config.sessions = 20, 2
        config.beliefs.kinds, config.beliefs.deals = ("uniform",), 5
        kept = ("thesis-1", "learned")
        config.curves = ConfigDict({name: config.curves[name] for name in kept})
        for each in config.curves.values():
            each.seeds, each.settings.worlds = (0,), 2
    return config
