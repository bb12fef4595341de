"""Guides of searches that need no network."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from solvers.environments.card_game import Records
from solvers.environments.environment import Positions
from solvers.search.beliefs import Belief, Uniform

PRIME = 101
Judge = Callable[[Positions], tuple[np.ndarray, np.ndarray]]


class ToyGuide(NamedTuple):
    """What trees need of a `solvers.alphazero.teacher.Guide`."""

    env: Records
    judge: Judge
    belief: Belief = Uniform()
    scale: float = 3.0


def flat(env: Records) -> Judge:
    """All actions are as likely, and all positions even."""
    return lambda p: (np.zeros((len(p.actors), env.actions)), np.zeros(len(p.actors)))


def arbitrary(env: Records) -> Judge:
    """Logits (−2 … 2) and values (−0.5 … 0.5) that follow from what the mover sees alone."""
    factors = np.random.default_rng(5).integers(1, 1000, (env.width, env.actions + 1))

    def judge(positions: Positions) -> tuple[np.ndarray, np.ndarray]:
        seen = np.rint(1000 * env.encode(positions)).astype(np.int64)
        numbers = (seen @ factors % PRIME) / (PRIME - 1)
        return 4 * numbers[:, :-1] - 2, numbers[:, -1] - 0.5

    return judge
