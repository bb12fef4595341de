"""A leaderboard for each game: all named agents on the same deals.

    python experiments/leaderboard.py \\
        --config=experiments/configs/leaderboard.py:VARIANT --workdir=runs/leaderboard

| variant | time on one core | what it shows |
| ------- | ---------------- | ------------- |
| `quick` | a minute         | it all works; nothing more |
| `cpu`   | half an hour     | the committed results |
| `paper` | half a day       | twenty times the deals |

To add an agent, add a line with its name and its spec to AGENTS, and run the command that made the
committed results again: only the new agent's pairs are played.

    python experiments/leaderboard.py \\
        --config=experiments/configs/leaderboard.py:cpu --workdir=experiments/results/leaderboard

Every pair plays the same `deals` of `seed` in every seating. In Hokm the trump is chosen by the
usual heuristic (`trump=heuristic`), as most of its networks have learnt that game. --only=coinche
plays that game alone.
"""

from ml_collections import ConfigDict

R = "experiments/results"
BASELINES = {
    "random": "random",
    "pimc:50": "pimc:worlds=50",
    "ismcts:1000": "ismcts:sims=1000",
    "search": "search",
}
AGENTS = {
    "coinche": BASELINES
    | {
        "rules:simple": "rules:simple",
        "rules:strong": "rules:strong",
        "rules:expert": "rules:expert",
        "Deep CFR": f"net:{R}/coinche_deepcfr/networks/batches,strategy=policy",
        "PPO": f"net:{R}/coinche_ppo/networks/long-0,play=best,learnt=python_coinche(reward=good)",
        "net:coinche": "net:coinche,play=best",
        "alphazero:coinche": "alphazero:coinche,worlds=4",
    },
    "hearts": BASELINES
    | {
        "rules": "rules",
        "Deep CFR": f"net:{R}/hearts_deepcfr/network,strategy=best",
    },
    "hokm": BASELINES
    | {
        "rules": "rules",
        "Deep CFR": f"net:{R}/hokm_deepcfr/network,strategy=best",
        "PPO": f"net:{R}/hokm_league/networks/long-0,play=best",
        "PPO, rehearsed": f"net:{R}/hokm_league/networks/rehearsed-0,play=best",
        "net:hokm": "net:hokm,play=best,learnt=python_hokm",
        "alphazero:hokm": "alphazero:hokm,worlds=8,learnt=python_hokm",
    },
    "sheephead": BASELINES
    | {
        "rules": "rules",
        "rules:random_cards": "rules:random_cards",
        "belief learner": f"pomdp:{R}/sheephead_pomdp/networks/to-end-0",
    },
    "snapszer": BASELINES
    | {
        "rules:standard": "rules:standard",
        "rules:quick": "rules:quick",
        "rules:expert": "rules:expert",
        "Deep Monte Carlo": f"net:{R}/snapszer_ladder/networks/T0-Direct-0",
        "net:snapszer": "net:snapszer,play=best",
        "alphazero:snapszer": "alphazero:snapszer",
        "trees:snapszer": "trees:snapszer",
    },
}
GAMES = {
    "coinche": "python_coinche",
    "hearts": "python_hearts",
    "hokm": "python_hokm(trump=heuristic)",
    "sheephead": "python_sheephead",
    "snapszer": "python_snapszer",
}
DEALS = {"coinche": 80, "hearts": 40, "hokm": 40, "sheephead": 40, "snapszer": 80}
MORE = 20  # times as many in `paper`


def get_config(variant: str = "quick") -> ConfigDict:
    config = ConfigDict()
    config.games = {
        name: {"game": GAMES[name], "deals": DEALS[name], "agents": AGENTS[name]} for name in GAMES
    }
    config.seed = 2027
    if variant == "quick":
        config.games = {"snapszer": config.games.snapszer.to_dict()}
        few = "random", "rules:standard", "pimc:50", "net:snapszer"
        config.games.snapszer.agents = {name: AGENTS["snapszer"][name] for name in few}
        config.games.snapszer.deals = 20
    elif variant == "paper":
        for settings in config.games.values():
            settings.deals *= MORE
    elif variant != "cpu":
        raise ValueError(f"there is no variant {variant!r}; there are quick, cpu and paper")
    return config
