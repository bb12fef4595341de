"""Which search for which game: every kind at equal times per decision, in all five games.

    python experiments/search_strength.py \\
        --config=experiments/configs/search_strength.py:VARIANT --workdir=runs/search_strength

| variant | time on two cores | what it shows |
| ------- | ----------------- | ------------- |
| `quick` | two minutes       | it all works; nothing more |
| `cpu`   | two hours         | the committed results |
| `paper` | a day             | ten times the games |

A kind of search is a spec with {n} where its budget goes: worlds or simulations. For each game and
time per decision, n is measured once on this machine, on one core, and kept in budgets.json; 0 if
less than two worlds fit. Every search then plays about `plays` games against the rules at each
time, in duplicate deals of `tuning_seed`, and `round_robin` games against each other search at
`round_robin_ms`. From these the preset `search` of the game is chosen by hand
(solvers/search/presets.json). It then plays against each of `opponents`, as many games as stand
there, in deals of `seed`, on which nothing was chosen.

--only=python_hokm,… plays the games named. Any field can be overridden: --config.seed=6.
"""

from ml_collections import ConfigDict

from experiments.common.executors import add_executor

SEARCHES = {
    "rules": "pimc:worlds={n}",
    "eliminate": "pimc:worlds={n},eliminate=2",
    "belief": "pimc:worlds={n},belief=reweighted(100)",
    "lookahead": "pimc:worlds={n},continuation=lookahead(3)",
    "ismcts": "ismcts:sims={n}",
}
# A deal of 13 tricks takes longer to solve than these times allow.
SOLVED = {
    "double_dummy": "pimc:worlds={n},continuation=double_dummy",
    "belief, double_dummy": "pimc:worlds={n},belief=reweighted(100),continuation=double_dummy",
}
EXPERT = {
    "expert": "pimc:worlds={n},continuation=rules(expert),base=rules(expert)",
    "expert, belief": (
        "pimc:worlds={n},belief=reweighted(100,level=expert),continuation=rules(expert)"
        ",base=rules(expert)"
    ),
}
GAMES = {
    "python_coinche": {
        "searches": SEARCHES | SOLVED | EXPERT,
        "opponents": dict.fromkeys(
            ("rules:strong", "rules:simple", "rules:expert", "pimc:worlds=50", "random"), 600
        ),
    },
    "python_hearts": {
        "searches": SEARCHES,
        "opponents": {
            "rules": 240,
            "pimc:worlds=50": 2400,
            "net:experiments/results/hearts_deepcfr/network,strategy=best": 240,
            "random": 240,
        },
    },
    "python_hokm(trump=heuristic)": {
        "searches": SEARCHES,
        "opponents": {
            "rules": 240,
            "pimc:worlds=50": 2400,
            "net:experiments/results/hokm_league/networks/long-0,play=best": 240,
            "random": 240,
        },
    },
    "python_sheephead": {
        "searches": SEARCHES | SOLVED,
        "opponents": dict.fromkeys(("rules", "pimc:worlds=50", "random"), 600),
    },
    "python_snapszer": {
        "searches": SEARCHES | SOLVED | EXPERT | {"exact": "pimc:worlds=50,belief=exact({n})"},
        "opponents": dict.fromkeys(("rules", "rules:expert", "pimc:worlds=50", "random"), 2000),
    },
}


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    add_executor(config)
    config.games = {game: dict(settings) for game, settings in GAMES.items()}
    config.times = (1.0, 10.0, 100.0)  # milliseconds a decision
    config.plays = (400, 100, 16)  # at each time
    config.round_robin_ms, config.round_robin = 1.0, 100
    config.tuning_seed, config.seed = 777, 2026
    if variant == "quick":
        config.times, config.plays = (1.0,), (8,)
        config.round_robin = 4
        config.games = {name: config.games[name].to_dict() for name in ("python_snapszer",)}
        config.games.python_snapszer.opponents = {"rules": 4, "pimc:worlds=50": 4}
    elif variant == "paper":
        config.plays = (6000, 2000, 400)
        config.round_robin = 1000
        for settings in config.games.values():
            settings.opponents = {name: 5 * plays for name, plays in settings.opponents.items()}
    elif variant != "cpu":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config
