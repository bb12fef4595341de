"""What the two kinds of teachers have in common: they improve a network's policy by search."""

from typing import NamedTuple

import numpy as np
import torch

from solvers.environments.card_game import Records
from solvers.environments.environment import Positions
from solvers.networks.network import Network, computing, predict
from solvers.search.beliefs import Belief


class Improved(NamedTuple):
    """What a search says of positions; utilities are divided by the learner's scale."""

    policy: np.ndarray  # [n, actions] float32: the target
    values: np.ndarray  # [n, actions] float32: the mean value of each action, NaN where none
    worth: np.ndarray  # [n] float32: of the position


class Guide(NamedTuple):
    """A network that guides searches, and what they need to know besides."""

    env: Records
    network: Network
    belief: Belief
    scale: float  # by which utilities are divided
    precision: str = "bfloat16"

    def ask(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The logits of the seats' policies. `[n, actions]`"""
        return predict(self.network, self.env.observe(states, seats), self.precision)

    def judge(self, positions: Positions) -> tuple[np.ndarray, np.ndarray]:
        """The logits `[n, actions]`, and what positions are worth to the seats to move, `[n]`."""
        with torch.inference_mode(), computing(self.precision):
            rows = torch.from_numpy(self.env.encode(positions))
            parts = [self.network.judge(part) for part in rows.split(self.network.first.chunk)]
            logits, _, values = map(torch.cat, zip(*parts, strict=True))
            return logits.numpy(), values.numpy()
