"""Deals that a player plays against itself, in pieces for any executor."""

from collections.abc import Iterator
from typing import NamedTuple, Self

import numpy as np

from solvers.deep_monte_carlo.player import ValuePlayer
from solvers.environments.environment import ASK, Positions, Skip
from solvers.networks.decisions import probabilities
from solvers.ppo.rollout import play_out
from solvers.runs.executors import map_tasks

PIECE = 1000  # deals


class Decisions(NamedTuple):
    """Decisions with a choice, and what came of them."""

    encodings: np.ndarray  # [n, width]
    kinds: np.ndarray  # [n] which network decides
    actions: np.ndarray  # [n] the action taken
    won: np.ndarray  # [n] utility of the deal, for the seat

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


class Job(NamedTuple):
    player: ValuePlayer
    seed: int


def play(player: ValuePlayer, deals: range, seed: int) -> Decisions:
    return Decisions.join(list(map_tasks(play_piece, Job(player, seed), pieces(deals))))


def pieces(deals: range) -> Iterator[range]:
    for start in range(deals.start, deals.stop, PIECE):
        yield range(start, min(start + PIECE, deals.stop))


def play_piece(job: Job, piece: range) -> Decisions:
    player, parts = job.player, []
    env, habits = player.env, player.habits

    def note(positions: Positions, deals: np.ndarray, actions: np.ndarray, _: np.ndarray) -> None:
        rows = np.flatnonzero(np.bitwise_count(habits.open(positions.sets)) > 1)
        some = positions.take(rows)
        encodings = env.encode(some)
        kinds = habits.which(env, encodings)
        parts.append((encodings, kinds, actions[rows], deals[rows], some.actors))

    dealt, nobody = env.deal(piece.start, len(piece), job.seed), Skip((ASK,) * env.players)
    everybody = (player,) * env.players
    utilities, _ = play_out(env, everybody, dealt, nobody, probabilities, note=note)
    encodings, kinds, actions, rows, actors = map(np.concatenate, zip(*parts, strict=True))
    return Decisions(encodings, kinds, actions, utilities[rows, actors])
