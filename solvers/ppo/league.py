"""Frozen versions of the learner, which it plays against; a version that beats them joins them."""

import json
from pathlib import Path
from typing import NamedTuple

import numpy as np

from solvers.networks.network import Network
from spielgames.files import read_json, reading, replacing

HARDEST = 2.0  # the exponent of prioritised matching (AlphaStar's: Vinyals et al. 2019)
LEAST = 0.01  # so that everyone is drawn now and then


class Member(NamedTuple):
    iteration: int  # when it was frozen
    networks: tuple[Network, ...]  # of each group of seats
    lost: float = 0.5  # the share of games that it lost to the learner in the last arena


class League:
    def __init__(self, size: int) -> None:
        self.size = size
        self.members: list[Member] = []

    def draw(self, n: int, matching: str, random: np.random.Generator) -> list[Member]:
        """Draw opponents, the same one possibly more than once."""
        weights = np.ones(len(self.members))
        if matching == "prioritised":
            weights = LEAST + np.array([1 - member.lost for member in self.members]) ** HARDEST
        chosen = random.choice(len(self.members), size=n, p=weights / weights.sum())
        return [self.members[i] for i in chosen]

    def note(self, lost: list[float]) -> float:
        """Note the results of an arena; return the share of games that the learner has won."""
        pairs = zip(self.members, lost, strict=True)
        self.members = [member._replace(lost=share) for member, share in pairs]
        return float(np.mean(lost))

    def admit(self, member: Member) -> None:
        """Add a member; if the league is full, the oldest one leaves."""
        self.members = [*self.members, member][-self.size :]

    def save(self, path: Path) -> None:
        kept = [[member.iteration, member.lost] for member in self.members]
        with replacing(path) as partial:
            partial.write_text(json.dumps(kept), encoding="utf-8")


def load_roll(path: Path) -> list[tuple[int, float]]:
    """Read the iterations of all members, and the share of games that each has lost."""
    found = read_json(path)
    with reading(path, "is not a league"):
        return [(int(i), float(lost)) for i, lost in found]


def share_won(utilities: np.ndarray, own: np.ndarray) -> float:
    """Return the share of games that a player in the seats `own` wins; a draw is half of one."""
    result = np.sign(utilities[:, own].mean(axis=1) - utilities[:, ~own].mean(axis=1))
    return float((1 + result).mean() / 2)
