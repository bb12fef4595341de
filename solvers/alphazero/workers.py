"""Self-play in several processes. The deals of an iteration are cut into the same pieces however
many there are, and each piece is played on one thread, so that the samples are the same, too.
"""

import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import cache
from multiprocessing import get_context, parent_process
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from threading import Thread
from typing import NamedTuple

import torch

from solvers.alphazero.selfplay import Samples, play
from solvers.alphazero.settings import Settings
from solvers.alphazero.teacher import Guide, SelfPlayAgent
from solvers.environments.card_game import Records
from solvers.networks.network import Network, load_network
from solvers.runs.progress import Progress
from solvers.runs.settings import at_least
from solvers.runs.threads import use_threads

PIECE = 750  # deals


class Job(NamedTuple):
    iteration: int
    network: Path
    magnet: Path | None


class Task(NamedTuple):
    """A piece of an iteration: all that a process needs to know."""

    game: str
    encoding: str
    settings: Settings
    seed: int
    job: Job
    deals: range


class Crew:
    """The processes that play; with one worker, this process."""

    def __init__(self, env: Records, settings: Settings, seed: int, workers: int) -> None:
        at_least(1, "workers", workers)
        self.env, self.settings, self.seed = env, settings, seed
        self.pool = None
        if workers > 1:
            spawn = get_context("spawn")
            self.pool = ProcessPoolExecutor(workers, spawn, start_worker)

    def play(
        self, job: Job, network: Network, magnet: Network | None, progress: Progress
    ) -> Samples:
        """Play the deals of an iteration; the networks are those in the job's files."""
        found, tasks = [], self._tasks(job)
        if self.pool:
            parts: Iterator[Samples] = self.pool.map(play_task, tasks)
        else:
            guide = guide_of(self.env, self.settings, network, magnet)
            parts = (play_piece(guide, task) for task in tasks)
        for k, part in enumerate(parts):
            progress(k)
            found.append(part)
        return Samples.join(found)

    def _tasks(self, job: Job) -> list[Task]:
        first, count = job.iteration * self.settings.deals, self.settings.deals
        pieces = [
            range(start, min(start + PIECE, first + count))
            for start in range(first, first + count, PIECE)
        ]
        about = self.env.name, self.env.encoding, self.settings, self.seed, job
        return [Task(*about, deals) for deals in pieces]


def guide_of(
    env: Records, settings: Settings, network: Network, magnet: Network | None = None
) -> Guide:
    belief = settings.make_belief(SelfPlayAgent(env, network, settings.precision))
    return Guide(env, network, belief, settings.reward_scale, settings.precision, magnet)


def play_piece(guide: Guide, task: Task) -> Samples:
    with one_thread():
        return play(guide, task.settings, task.job.iteration, task.deals, task.seed)


@contextmanager
def one_thread() -> Iterator[None]:
    """PyTorch's results may depend on its threads in the last bit."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def start_worker() -> None:
    """Leave Ctrl-C to the parent, and end when it ends, even if it is killed."""
    signal(SIGINT, SIG_IGN)
    use_threads(1)
    Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    parent = parent_process()
    if parent:
        parent.join()
    os._exit(1)


def play_task(task: Task) -> Samples:
    """What a worker process does."""
    env, job = environment_of(task.game, task.encoding), task.job
    magnet = network_of(job.magnet) if job.magnet else None
    return play_piece(guide_of(env, task.settings, network_of(job.network), magnet), task)


@cache
def environment_of(game: str, encoding: str) -> Records:
    return Records(game, encoding)


def network_of(path: Path) -> Network:
    return load_network(path)[0]
