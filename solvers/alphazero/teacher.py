"""What the two kinds of teachers have in common: they improve a network's policy by search."""

from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from solvers.environments.card_game import Records
from solvers.environments.environment import Positions
from solvers.networks.decisions import probabilities
from solvers.networks.network import Network, computing, predict
from solvers.search.beliefs import Belief
from spielgames.agents import Agent
from spielgames.core.loops import look

ROWS = 128  # to which numbers of rows are rounded up


class Improved(NamedTuple):
    """What a search says of positions; utilities are divided by the learner's scale."""

    policy: np.ndarray  # [n, actions] float32: the target
    values: np.ndarray  # [n, actions] float32: the mean value of each action, NaN where none
    worth: np.ndarray  # [n] float32: of the position


class SelfPlayAgent(Agent):
    """A network's policy as an agent."""

    def __init__(self, env: Records, network: Network, precision: str) -> None:
        super().__init__(env.name)
        self.env, self.network, self.precision = env, network, precision

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        actors, sets = np.empty(len(states), np.int8), np.empty(len(states), np.uint64)
        look(states, actors, sets)
        encodings = self.env.observe(states, actors.astype(np.int64))
        return probabilities(sets, predict(self.network, encodings, self.precision))


class Guide(NamedTuple):
    """A network that guides searches, and what they need to know besides."""

    env: Records
    network: Network
    belief: Belief
    scale: float  # by which utilities are divided
    precision: str = "bfloat16"
    magnet: Network | None = None  # a slow average of the network, for those who stay near it

    def ask(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The logits of the seats' policies. `[n, actions]`"""
        return predict(self.network, self.env.observe(states, seats), self.precision)

    def judge(self, positions: Positions) -> tuple[np.ndarray, np.ndarray]:
        """The logits `[n, actions]`, and what positions are worth to the seats to move, `[n]`."""
        return self._judge(self.env.encode(positions))

    def expect(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The utility that the seats to move expect. `[n]`"""
        return self.scale * self._judge(self.env.observe(states, seats))[1]

    def _judge(self, encodings: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        with torch.inference_mode(), computing(self.precision, self.network.device):
            rows = padded(torch.from_numpy(encodings).to(self.network.device))
            parts = map(self.network.judge, rows.split(self.network.first.chunk))
            logits, _, values = (torch.cat(part).cpu() for part in zip(*parts, strict=True))
            return logits[: len(encodings)].numpy(), values[: len(encodings)].numpy()


def padded(rows: Tensor) -> Tensor:
    """The same with rows of zeros after them, so that there are few different numbers of rows:
    PyTorch prepares for each anew, which takes longer than small networks themselves.
    """
    grain = min(ROWS, 1 << (len(rows) - 1).bit_length())
    return functional.pad(rows, (0, 0, 0, -len(rows) % grain))
