"""What a Deep CFR run has learnt, as an agent: `net:runs/x`, `net:runs/x,strategy=average`.

strategy  last     of the last iteration: regret matching on its advantages
          best     the action with the largest of these advantages
          average  SD-CFR (Steinberger 2019): the networks of all iterations, one drawn for each
                   deal and seat, later ones more often
          policy   the network that has learnt the average strategy
          mode     the action that this network thinks most likely
"""

from pathlib import Path

import numpy as np

from solvers.environments.card_game import Records
from solvers.environments.environment import Positions
from solvers.networks.decisions import best_actions, match_advantages, probabilities
from solvers.networks.network import predict
from solvers.runs.archive import Archive
from spielgames.agents import Agent
from spielgames.core.loops import look
from spielgames.core.luck import mix

TO_STRATEGY = {
    "last": match_advantages,
    "best": best_actions,
    "average": match_advantages,
    "policy": probabilities,
    "mode": best_actions,
}
STRATEGIES = tuple(TO_STRATEGY)
MOST_NETWORKS = 64  # in memory, of each group


class NetAgent(Agent):
    """What a Deep CFR run has learnt: `run` is its folder, and strategy last, best, average, policy
    or mode.
    """

    def __init__(
        self,
        game: str,
        run: str,
        strategy: str = "last",
        iteration: int = 0,
        averaging: float = 1.0,
        seed: int = 0,
    ) -> None:
        """`iteration` 0 is the last one; iteration t counts t^averaging in the average."""
        super().__init__(game)
        if strategy not in STRATEGIES:
            raise ValueError(
                f"strategy={strategy} is not allowed; it is one of {', '.join(STRATEGIES)}"
            )
        archive = Archive(Path(run))
        if archive.about["game"] != game:
            raise ValueError(f"{run} has learnt {archive.about['game']}, not {game}")
        self.env = Records(game, archive.about["encoding"])
        self.strategy, self.seed = strategy, seed
        last = iteration or archive.state.iteration
        if not last:
            raise ValueError(f"{run} has finished no iteration yet")
        self.iterations = [last]
        if strategy == "average":
            self.iterations = draw_iterations(last, averaging, seed)
        kind = "policy" if strategy in ("policy", "mode") else "advantages"
        self.groups = [
            [archive.demand(f"{kind}-{g}", t) for t in self.iterations]
            for g in range(len(archive.about["groups"]))
        ]
        self.group = np.full(self.env.players, -1)  # of each seat
        for g, seats in enumerate(archive.about["groups"]):
            self.group[list(seats)] = g

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        actors, sets = np.empty(len(states), np.int8), np.empty(len(states), np.uint64)
        look(states, actors, sets)
        unused = np.zeros(len(states), np.uint64)
        positions = Positions(states, unused, actors, sets, depth=unused)
        return TO_STRATEGY[self.strategy](sets, self._outputs(positions))

    def _outputs(self, positions: Positions) -> np.ndarray:
        """Of the network that each position's seat has drawn."""
        encodings, groups = self.env.encode(positions), self.group[positions.actors]
        if (groups < 0).any():
            seat = positions.actors[np.argmin(groups)]
            raise ValueError(f"the run has learnt nothing for seat {seat}")
        out = np.zeros((len(encodings), self.env.actions), np.float32)
        chosen = self._chosen(positions)
        for g, networks in enumerate(self.groups):
            for k, network in enumerate(networks):
                rows = np.flatnonzero((groups == g) & (chosen == k))
                if len(rows):
                    out[rows] = predict(network, encodings[rows])
        return out

    def _chosen(self, positions: Positions) -> np.ndarray:
        """Which network: it follows from the cards that the seat was dealt, so that a seat keeps it
        for the deal.
        """
        if len(self.iterations) == 1:
            return np.zeros(len(positions.actors), np.int64)
        dealt = positions.states["dealt"][np.arange(len(positions.actors)), positions.actors]
        seats = positions.actors.astype(np.uint64)
        code = mix(dealt ^ mix(seats + np.uint64(len(self.group) * self.seed)))
        return (code % np.uint64(len(self.iterations))).astype(np.int64)


def draw_iterations(last: int, averaging: float, seed: int) -> list[int]:
    """As many as fit into memory, iteration t in proportion to t^averaging, evenly spread."""
    weights = np.arange(1, last + 1) ** averaging
    ends = np.cumsum(weights) / weights.sum()
    count = min(last, MOST_NETWORKS)
    points = (np.arange(count) + np.random.default_rng(seed).random()) / count
    return (1 + np.searchsorted(ends, points)).tolist()
