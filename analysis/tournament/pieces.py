"""Duplicate deals, or matches, in pieces that any executor may play (`solvers.runs.executors`).

for utilities in play_pieces(agents, pair_lineups(game), 1000, seed=1):  # [some, lineups, seats]
    …

Networks round differently in batches of other sizes: so pieces have the same sizes always, whatever
the clock says.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solvers.deep_monte_carlo.player import ValuePlayer
from solvers.runs.agent import NetworkAgent
from solvers.runs.executors import map_tasks
from spielgames.agents import Agent
from spielgames.contest import play_deals
from spielgames.matches import play_matches

COMPILED = {"deal": 16_384, "match": 512}  # a piece of these is short all the same
NETWORKS = 256  # of networks, which are fastest with many positions at once
OTHERS = 16  # of searches, for which a deal may take a second


class Meeting(NamedTuple):
    """What all pieces have in common."""

    agents: Sequence[Agent]
    lineups: np.ndarray  # [lineups, seats], as from `pair_lineups`
    seed: int
    unit: str  # "deal" or "match"


def play_pieces(
    agents: Sequence[Agent], lineups: np.ndarray, many: int, seed: int, unit: str = "deal"
) -> Iterator[np.ndarray]:
    """The utilities of deals, or matches, 0 … many − 1 of a seed, some at a time."""
    size = piece_of(agents, unit)
    pieces = (range(k, min(k + size, many)) for k in range(0, many, size))
    return map_tasks(play_piece, Meeting(agents, lineups, seed, unit), pieces)


def play_piece(meeting: Meeting, piece: range) -> np.ndarray:
    given = meeting.agents, meeting.lineups, len(piece), meeting.seed, piece.start
    if meeting.unit == "match":
        return play_matches(*given).utilities
    return play_deals(*given)


def is_compiled(agents: Sequence[Agent]) -> bool:
    return all(agent.level is not None for agent in agents)


def piece_of(agents: Sequence[Agent], unit: str) -> int:
    """How many deals, or matches, make a piece."""
    if is_compiled(agents):
        return COMPILED[unit]
    slow = [agent for agent in agents if agent.level is None]
    networks = all(isinstance(agent, NetworkAgent | ValuePlayer) for agent in slow)
    return NETWORKS if networks else OTHERS
