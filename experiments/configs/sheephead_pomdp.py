"""Learners with a belief state on Sheephead: the thesis' figures 10–13, and what it left open.

    python experiments/sheephead_pomdp.py \\
        --config=experiments/configs/sheephead_pomdp.py:VARIANT --workdir=runs/sheephead_pomdp

| variant | time on one core | what it shows |
| ------- | ---------------- | ------------- |
| `quick` | two minutes      | it all works; nothing more |
| `cpu`   | about an hour    | the committed results |
| `paper` | a day            | 100,000 hands for every run, as in the thesis |

`--only=thesis-1,pimc` computes these curves alone. Any field can be overridden:
--config.sessions=100, --config.curves.linear.settings.worlds=4. A curve whose `iterations` are
raised goes on; with --config.most=2 no curve goes further than two blocks for now.

--help lists the curves.
"""

from dataclasses import replace
from typing import Any

from ml_collections import ConfigDict

from solvers.pomdp.actor_critic import ActorCriticSettings
from solvers.pomdp.belief_agent import Settings
from solvers.pomdp.settings import Forgetting, LinearSettings, NgnetSettings, PerceptronSettings

GAME, WITH_NOLA = "python_sheephead(nola=false)", "python_sheephead"
ALL = LinearSettings(forgetting=Forgetting(1.0, 1.0))  # all samples count alike
NGNET = NgnetSettings(units=8, delete=0.0, divide=1e9, patience=100.0)  # units are never divided
RECENT = Forgetting(0.99, 0.99)  # for targets relative to the output
LESS_RECENT = Forgetting(0.99, 0.999)
THESIS = Settings(
    features="paper",
    critic=NGNET,
    actor=replace(ALL, ridge=300.0),  # one deal says little of what an action is worth
    predictor=ALL,
    predicts="rules",
    worlds=8,
    horizon="deal",  # "over the remainder of plays in that hand" (section 3.1.4)
    ways="drawn",
)
LEARNED = replace(
    THESIS,
    predicts="learned",
    predictor=PerceptronSettings(rate=0.03),  # predicts best: see `ngnet` and `linear`
    predictor_rate=1.0,
    clues="all",
    clues_of="world",
)
NO_ACTOR = ActorCriticSettings(actor_rate=0.0)  # what is expected decides alone
CRITIC = {  # the rest of the deal is worth what the critic says, as in Ishii et al. (2005)
    "features": "all",
    "learning": NO_ACTOR,
    "trick_reward": 0.0,
    "horizon": "trick",
    "watches": True,
}
STAGES = ("bidding", "burying", "calling", "play", "nola")
RULES, RANDOM_CARDS, PIMC = "rules", "rules:random_cards", "pimc:worlds=10"
YARDSTICKS = {  # players who do not learn here
    "pimc": "pimc:worlds=50",
    "search": "search",
    "ppo": "net:sheephead,play=best,learnt=python_sheephead",
}


def curve(settings: Settings, learners: int = 1, others: str = RULES, **more: Any) -> dict:
    """Learners at a table with others. `player` is a spec that takes the learners' place, and
    `trained` a curve whose learners do, as they are at its end; neither learns.
    """
    return {
        "game": GAME,
        "settings": settings.plain(),
        "learners": learners,
        "others": others,
        "player": "",
        "trained": "",
        "seeds": (0, 1, 2, 3, 4),
        "iterations": 0,  # blocks of sessions: see `get_config`
        "seconds": 0.0,
    } | more


def curves() -> dict[str, dict]:
    return {
        **{f"thesis-{k}": curve(THESIS, k) for k in (1, 2, 3, 4)},
        "no-actor": curve(replace(THESIS, learning=NO_ACTOR)),
        "predictor-only": curve(replace(LEARNED, learning=NO_ACTOR)),
        **{f"learned-{k}": curve(LEARNED, k) for k in (1, 2, 3, 4)},
        "ngnet": curve(replace(LEARNED, predictor=NgnetSettings(units=8, forgetting=RECENT))),
        "linear": curve(replace(LEARNED, predictor=LinearSettings(forgetting=LESS_RECENT))),
        "table-2": curve(replace(LEARNED, clues="paper", clues_of="belief")),
        "critic": curve(replace(THESIS, **CRITIC)),
        "critic-mlp": curve(replace(THESIS, **CRITIC, critic=PerceptronSettings())),
        "critic-learned": curve(replace(LEARNED, **CRITIC)),
        "learned-belief": curve(replace(LEARNED, belief="learned")),
        "rules-belief": curve(replace(THESIS, belief="reweighted(100)")),
        "true-hands": curve(replace(LEARNED, belief="true_hands")),
        "true-all": curve(replace(THESIS, belief="true_hands")),
        "thesis-bids": curve(replace(THESIS, learned=STAGES[:-1], learning=NO_ACTOR)),
        "more-worlds": curve(replace(THESIS, learned=STAGES[:-1], learning=NO_ACTOR, worlds=50)),
        "bids": curve(replace(LEARNED, learned=STAGES[:-1], learning=NO_ACTOR)),
        "actor-bids": curve(replace(LEARNED, learned=STAGES[:-1], features="all")),
        "all-stages": curve(replace(LEARNED, learned=STAGES, learning=NO_ACTOR), game=WITH_NOLA),
        "random-cards": curve(LEARNED, others=RANDOM_CARDS),
        "rules-of-random": curve(THESIS, others=RANDOM_CARDS),
        "among-pimc": curve(LEARNED, others=PIMC),
        "rules-of-pimc": curve(THESIS, others=PIMC),
        "moved-to-rules": curve(LEARNED, trained="learned-1"),
        "moved-to-random": curve(LEARNED, others=RANDOM_CARDS, trained="learned-1"),
        "moved-to-pimc": curve(LEARNED, others=PIMC, trained="learned-1"),
        **{name: curve(THESIS, player=spec) for name, spec in YARDSTICKS.items()},
    }


THOUSANDS = {  # of hands of each run; one of all other curves
    "thesis-1": 100,
    **{f"thesis-{k}": 10 for k in (2, 3, 4)},
    "learned-1": 10,
    "no-actor": 5,
    "predictor-only": 3,
    **dict.fromkeys(("true-all", "rules-of-random", "critic-mlp"), 2),
}


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.threads = 1
    config.hands = 100  # of a session, between two changes of seats
    config.sessions = 10  # in a block, after which all is saved
    config.most = 0  # blocks: no curve goes further for now; 0: as far as its `iterations`
    config.curves = curves()
    config.beliefs = {
        "game": GAME,
        "kinds": ("uniform", "reweighted(300)", "learned-1"),  # or what a curve has learnt
        "deals": 60,
        "seed": 7,
    }
    if variant not in ("quick", "cpu", "paper"):
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    for name, each in config.curves.items():
        each.iterations = 100 if variant == "paper" else THOUSANDS.get(name, 1)
    if variant == "quick":
        config.hands, config.sessions = 20, 2
        config.beliefs.kinds, config.beliefs.deals = ("uniform", "learned-1"), 5
        kept = ("thesis-1", "learned-1", "moved-to-rules")
        config.curves = ConfigDict({name: config.curves[name] for name in kept})
        for each in config.curves.values():
            each.seeds, each.settings.worlds, each.iterations = (0,), 2, 1
    return config
