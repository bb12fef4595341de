"""Deals at many tables, which any executor may play: a table's deals together, unless they are very
many.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from solvers.environments.environment import Environment
from solvers.networks.decisions import Player
from solvers.networks.network import Network
from solvers.ppo.rollout import Decisions, Lookahead, Table, no_lookahead, play
from solvers.runs.executors import Work, map_tasks

PIECE = 1024  # deals


class Job(NamedTuple):
    """What all tables have in common."""

    env: Environment
    players: tuple[Player, ...]  # all who sit at any of them
    learners: tuple[Network, ...]
    seed: int
    precision: str
    lookahead: Lookahead


class Piece(NamedTuple):
    seats: tuple[int, ...]  # which of the players sits there
    deals: int
    first: int


def play_tables(
    env: Environment,
    tables: Sequence[tuple[Table, int]],
    learners: Sequence[Network],
    seed: int,
    precision: str,
    lookahead: Lookahead = no_lookahead,
    work: Work | None = None,
) -> Iterator:
    """What learners decided at each table, which comes with its first deal; or, if that is the
    `work`, only how deals ended.
    """
    seated = {id(player): player for table, _ in tables for player in table.players}
    place = {key: k for k, key in enumerate(seated)}
    job = Job(env, tuple(seated.values()), tuple(learners), seed, precision, lookahead)
    pieces = (
        Piece(tuple(place[id(player)] for player in table.players), table.deals, first)
        for table, first in tables
    )
    return map_tasks(work or play_piece, job, pieces)


def play_piece(job: Job, piece: Piece) -> Decisions:
    table = Table(tuple(job.players[k] for k in piece.seats), piece.deals)
    given = job.env, table, job.learners, piece.first
    return play(*given, job.seed, job.precision, job.lookahead)


def utilities_of_piece(job: Job, piece: Piece) -> np.ndarray:
    return play_piece(job, piece).utilities


def number(tables: Sequence[Table], first: int) -> Iterator[tuple[Table, int]]:
    """Give tables deals of their own, from the first on, and cut those that have very many."""
    for table in tables:
        for start in range(0, table.deals, PIECE):
            yield table._replace(deals=min(PIECE, table.deals - start)), first + start
        first += table.deals
