"""What a PPO run has learnt, as an agent: `ppo:runs/x`, `ppo:runs/x,network=actor,play=best`.

network  average  the mean of the last iterations' weights
         actor    the last iteration's
         frozen   as it joined the league; needs an iteration (of `league/` in the folder)
play     sample   each action as often as the network says
         best     the likeliest one
"""

from pathlib import Path

import numpy as np

from solvers.environments.card_game import Records
from solvers.networks.decisions import best_actions, probabilities
from solvers.networks.network import predict
from solvers.runs.archive import Archive
from solvers.runs.settings import check_choice
from spielgames.agents import Agent
from spielgames.core.loops import look

WAYS = {"sample": probabilities, "best": best_actions}


class PolicyAgent(Agent):
    """What a PPO run has learnt: `run` is its folder, network is average, actor or frozen, and play
    is sample or best.
    """

    def __init__(
        self,
        game: str,
        run: str,
        network: str = "average",
        play: str = "sample",
        iteration: int = 0,
    ) -> None:
        """`iteration` 0 is the last one."""
        super().__init__(game)
        check_choice("network", network, ("average", "actor", "frozen"))
        check_choice("play", play, tuple(WAYS))
        archive = Archive(Path(run))
        if archive.about["game"] != game:
            raise ValueError(f"{run} has learnt {archive.about['game']}, not {game}")
        self.env, self.to_strategy = Records(game, archive.about["encoding"]), WAYS[play]
        at = iteration or archive.state.iteration
        groups = archive.about["groups"]
        self.networks = [archive.demand(f"{network}-{g}", at) for g in range(len(groups))]
        self.groups = groups

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        sets, outputs = self.outputs(states)
        return self.to_strategy(sets, outputs)

    def outputs(self, states: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The legal actions, and what the networks of the seats to move say."""
        actors, sets = np.empty(len(states), np.int8), np.empty(len(states), np.uint64)
        look(states, actors, sets)
        encodings = self.env.observe(states, actors)
        out = np.zeros((len(states), self.env.actions), np.float32)
        for network, seats in zip(self.networks, self.groups, strict=True):
            rows = np.flatnonzero(np.isin(actors, seats))
            if len(rows):
                out[rows] = predict(network, encodings[rows])
        return sets, out
