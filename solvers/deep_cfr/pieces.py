"""Traversals in pieces, which any executor may compute: those of `at_once` deals each."""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from solvers.deep_cfr.harvest import Harvest
from solvers.deep_cfr.plan import TraversalPlan
from solvers.deep_cfr.sampling import Sampling
from solvers.deep_cfr.traverse import traverse
from solvers.environments.environment import ASK, Skip
from solvers.networks.decisions import Player
from spielgames.core.players import RANDOM


class Piece(NamedTuple):
    traverser: int
    deals: range
    skip: Skip


class Job(NamedTuple):
    """What all pieces between two fits have in common."""

    plan: TraversalPlan
    seed: int


def traverse_piece(job: Job, piece: Piece) -> Harvest:
    folder = job.plan.folder
    if folder and not folder.is_dir():  # on another machine
        folder = None
    plan = replace(job.plan, skip=piece.skip, folder=folder)
    deals = plan.env.deal(piece.deals.start, len(piece.deals), job.seed, piece.skip)
    return traverse(plan, piece.traverser, deals)


def skip_others(
    players: Sequence[Player], learners: list[int], watched: list[int], sampling: Sampling
) -> Skip:
    """Compiled players decide on the way, where nothing is to be learnt from what they do: in all
    seats but those of the learners that are watched.
    """
    levels = [ASK] * len(players)
    for seat, player in enumerate(players):
        level = RANDOM if player is None else getattr(player, "level", None)
        if level is not None and not (seat in learners and seat in watched):
            levels[seat] = level
    return Skip(tuple(levels), sampling.asked)
