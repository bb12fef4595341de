"""Traversals in pieces, which any executor may compute: those of `at_once` deals each.

Workers that reach the run's folder leave there what they have found, in a file that is named after
the policy and the deals, and send no more than its path. What is there is not computed again: after
the learner was killed, what workers have done since is not lost.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from solvers.deep_cfr.harvest import Harvest
from solvers.deep_cfr.plan import TraversalPlan
from solvers.deep_cfr.sampling import Sampling
from solvers.deep_cfr.traverse import traverse
from solvers.environments.environment import ASK, Skip
from solvers.networks.decisions import Player
from solvers.networks.network import Network
from solvers.runs.executors import Here, chosen, map_tasks
from spielgames.core.players import RANDOM

FOLDER = "harvests"  # in a run's


class Piece(NamedTuple):
    traverser: int
    deals: range
    skip: Skip


class Job(NamedTuple):
    """What all pieces between two fits have in common."""

    plan: TraversalPlan
    seed: int
    name: str  # of the policy and all else that results follow from
    leave: bool = False  # whether workers leave files

    def path(self, piece: Piece) -> Path | None:
        """The file of a piece, if this machine reaches the run's folder."""
        folder, deals = self.plan.folder, piece.deals
        if folder is None or not folder.is_dir():
            return None
        name = f"{self.name}-{piece.traverser}-{deals.start}-{len(deals)}.npz"
        return folder / FOLDER / name


def traverse_all(job: Job, pieces: Iterable[Piece]) -> Iterator[Harvest]:
    """What the chosen executor finds, in order. It must be stored before the next is asked for."""
    plan, job = job.plan, job._replace(leave=not isinstance(chosen(), Here))
    for sent in map_tasks(traverse_piece, job, pieces):
        if isinstance(sent, Harvest):
            yield sent
        else:
            yield Harvest(plan.samples.dtype, plan.histories.dtype, plan.folder).load(sent)
            sent.unlink()
    if plan.folder:
        shutil.rmtree(plan.folder / FOLDER, ignore_errors=True)


def traverse_piece(job: Job, piece: Piece) -> Harvest | Path:
    path = job.path(piece)
    if path and path.exists():
        return path
    plan = replace(job.plan, skip=piece.skip, folder=job.plan.folder if path else None)
    deals = plan.env.deal(piece.deals.start, len(piece.deals), job.seed, piece.skip)
    found = traverse(plan, piece.traverser, deals)
    if not (path and job.leave):
        return found
    found.save(path)
    return path


def fingerprint(about: Any, networks: Iterable[Network]) -> str:
    """The hash of what is plain JSON, and of networks."""
    whole = hashlib.sha256(json.dumps(about, sort_keys=True).encode())
    for network in networks:
        for name, weights in network.state_dict().items():
            whole.update(name.encode())
            whole.update(weights.cpu().numpy().tobytes())
    return whole.hexdigest()[:16]


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
