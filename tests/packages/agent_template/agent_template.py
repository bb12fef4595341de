"""A template for an agent of another package: copy this folder, and put your network in `scores`.

    python agent_template.py    # checks the agent, and lets it play against random
    pip install .               # then commands know it: --agents=template:weights.npy,rules

The agent reads the observation of the seat to move, and nothing else of the record.
"""

from pathlib import Path

import numpy as np

from spielgames import Batch
from spielgames.agent_check import check_agent
from spielgames.agents import Agent, make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core.game import compact_pieces


class Template(Agent):
    """Plays by a linear policy on the observation, with weights from a file, or random ones."""

    def __init__(self, game: str, weights: str = "", seed: int = 0) -> None:
        super().__init__(game)  # gives self.game and self.variant
        self.pieces = compact_pieces(self.game, self.variant)  # what the observation consists of
        shape = (self.pieces.size, self.game.actions)
        self.weights = np.random.default_rng(seed).normal(0, 0.1, shape)
        if weights:
            self.weights = np.load(Path(weights))
            if self.weights.shape != shape:
                raise ValueError(f"{weights} has the shape {self.weights.shape}, not {shape}")

    def scores(self, observations: np.ndarray) -> np.ndarray:
        """A number for each action: your network goes here. `[games, actions]`"""
        return observations @ self.weights

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        """A softmax over the legal actions. `[games, actions]`"""
        batch = Batch.of_states(self.game, self.variant, states)
        scores = np.where(batch.legal_mask(), self.scores(batch.observe()), -np.inf)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        return (chances / chances.sum(axis=1, keepdims=True)).astype(np.float32)


def main(game: str = "python_hokm", deals: int = 200) -> None:
    agent = Template(game)
    for name, shape in agent.pieces.shapes.items():
        print(f"observation: {name} {shape} from column {agent.pieces.start(name)} on")
    check_agent(agent, "template")  # raises if it sees hidden cards
    lineups = pair_lineups(agent.game)
    utilities = play_deals([agent, make_agent("random", game)], lineups, deals, seed=1)
    print(f"mean against random: {utilities[:, lineups == 0].mean():+.2f} {agent.game.unit}")


if __name__ == "__main__":
    main()
