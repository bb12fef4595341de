"""Train a network on Snapszer by PPO, measure it, and watch a deal of it.

A minute: python examples/train_and_play.py runs/example
"""

import sys
from pathlib import Path

import numpy as np

from solvers.environments.load import load_environment
from solvers.ppo.learner import Learner
from solvers.ppo.settings import Settings
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.play.deal import Deal

GAME = "python_snapszer"


def main(folder: str, iterations: int = 20, deals: int = 1024, judged: int = 5000) -> None:
    settings = Settings(opponents=("self",), deals=deals)
    learner = Learner(load_environment(GAME), settings, Path(folder), seed=1)
    while learner.iteration < iterations:  # an interrupted run goes on where it was
        learner.iterate()
        print(f"iteration {learner.iteration}", flush=True)

    learnt = make_agent(f"net:{folder},play=best", GAME)
    lineups = pair_lineups(learnt.game)  # both agents play both hands of every deal
    for name in ("random", "rules"):
        utilities = play_deals([learnt, make_agent(name, GAME)], lineups, judged, seed=2)
        won = utilities[:, lineups == 0].mean(axis=1)
        error = 1.96 * won.std(ddof=1) / np.sqrt(judged)
        print(f"against {name}: {won.mean():+.2f} ± {error:.2f} game points per deal")

    deal = Deal(GAME, [learnt, make_agent("rules", GAME)], seed=3)
    while not deal.over:
        deal.play_agent()
    for turn in deal.turns:
        print(f"seat {turn.seat}: {turn.state.action_to_string(turn.action)}")
    print("game points:", deal.state.returns())
    print(f"Play against it: python -m spielgames.play --game={GAME} --seats=human,net:{folder}")


if __name__ == "__main__":
    main(*sys.argv[1:] or ["runs/example"])
