"""Self-play in pieces, which any executor may play. The deals of an iteration are cut alike for all
of them, so that the samples are the same, too.
"""

from collections.abc import Iterator
from typing import NamedTuple

from solvers.alphazero.selfplay import Samples, play
from solvers.alphazero.settings import Settings
from solvers.alphazero.teacher import Guide, SelfPlayAgent
from solvers.environments.card_game import Records
from solvers.networks.network import Network
from solvers.runs.executors import map_tasks
from solvers.runs.progress import Progress

PIECE = 750  # deals


class Job(NamedTuple):
    """What all pieces of an iteration have in common."""

    env: Records
    settings: Settings
    network: Network
    magnet: Network | None
    iteration: int
    seed: int


def play_all(job: Job, progress: Progress) -> Samples:
    """Play the deals of an iteration."""
    found = []
    for k, part in enumerate(map_tasks(play_piece, job, pieces(job))):
        progress(k)
        found.append(part)
    return Samples.join(found)


def pieces(job: Job) -> Iterator[range]:
    count = job.settings.deals
    first = job.iteration * count
    for start in range(first, first + count, PIECE):
        yield range(start, min(start + PIECE, first + count))


def play_piece(job: Job, deals: range) -> Samples:
    guide = guide_of(job.env, job.settings, job.network, job.magnet)
    return play(guide, job.settings, job.iteration, deals, job.seed)


def guide_of(
    env: Records, settings: Settings, network: Network, magnet: Network | None = None
) -> Guide:
    belief = settings.make_belief(SelfPlayAgent(env, network, settings.precision))
    return Guide(env, network, belief, settings.reward_scale, settings.precision, magnet)
