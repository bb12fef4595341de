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
(solvers/search/presets.json). It then plays `preset_plays` games in deals of `seed`, on which
nothing was chosen, against each of `opponents`, which it was not fitted to.

--only=python_hokm,… plays the games named. Any field can be overridden: --config.seed=6.
"""

from ml_collections import ConfigDict

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
        "preset_plays": 600,
        "opponents": ("rules:strong", "rules:simple", "rules:expert", "pimc:worlds=50", "random"),
    },
    "python_hearts": {
        "searches": SEARCHES,
        "preset_plays": 240,
        "opponents": (
            "rules",
            "pimc:worlds=50",
            "net:experiments/results/hearts_deepcfr/network,strategy=best",
            "random",
        ),
    },
    "python_hokm(trump=heuristic)": {
        "searches": SEARCHES,
        "preset_plays": 240,
        "opponents": (
            "rules",
            "pimc:worlds=50",
            "net:experiments/results/hokm_league/networks/long-0,play=best",
            "random",
        ),
    },
    "python_sheephead": {
        "searches": SEARCHES | SOLVED,
        "preset_plays": 600,
        "opponents": ("rules", "pimc:worlds=50", "random"),
    },
    "python_snapszer": {
        "searches": SEARCHES | SOLVED | EXPERT | {"exact": "pimc:worlds=50,belief=exact({n})"},
        "preset_plays": 2000,
        "opponents": ("rules", "rules:expert", "pimc:worlds=50", "random"),
    },
}


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.games = {game: dict(settings) for game, settings in GAMES.items()}
    config.times = (1.0, 10.0, 100.0)  # milliseconds a decision
    config.plays = (400, 100, 16)  # at each time
    config.round_robin_ms, config.round_robin = 1.0, 100
    config.tuning_seed, config.seed = 777, 2026
    if variant == "quick":
        config.times, config.plays = (1.0,), (8,)
        config.round_robin = 4
        config.games = {name: config.games[name].to_dict() for name in ("python_snapszer",)}
        config.games.python_snapszer.preset_plays = 4
    elif variant == "paper":
        config.plays = (6000, 2000, 400)
        config.round_robin = 1000
        for settings in config.games.values():
            settings.preset_plays *= 5
    elif variant != "cpu":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config
