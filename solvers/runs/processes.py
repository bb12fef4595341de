"""An executor of local processes, which end with this one, however it ends."""

import os
import pickle
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import lru_cache
from multiprocessing import Pipe, get_context
from multiprocessing.connection import Connection
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from tempfile import TemporaryDirectory
from threading import Thread
from typing import Any

from solvers.networks.device import device, use_device
from solvers.runs.executors import AHEAD, Crew, Work
from solvers.runs.threads import use_threads


class Processes(Crew):
    """They are spawned when there is something to do. What tasks share is in a temporary file."""

    under_way = 0

    def __init__(self, workers: int) -> None:
        self.under_way = AHEAD * workers
        self.folder = TemporaryDirectory(prefix="spielgames-")
        ended, self.alive = Pipe(duplex=False)
        spawn = get_context("spawn")
        self.pool = ProcessPoolExecutor(workers, spawn, start_worker, (ended,))
        self.shared = 0

    @contextmanager
    def sharing(self, packed: bytes) -> Iterator[Path]:
        self.shared += 1
        path = Path(self.folder.name) / str(self.shared)
        path.write_bytes(packed)
        try:
            yield path
        finally:
            path.unlink(missing_ok=True)

    def submit(self, work: Work, shared: Path, task: Any) -> Future:
        return self.pool.submit(compute, work, shared, task, device().type)

    def result(self, handle: Future) -> Any:
        try:
            return handle.result()
        except BrokenProcessPool:
            raise RuntimeError(
                "a worker process has ended, perhaps because memory ran out; fewer --config.workers"
                " need less of it"
            ) from None

    def first_done(self, handles: list[Future]) -> Future:
        return wait(handles, return_when=FIRST_COMPLETED).done.pop()

    def cancel(self, handle: Future) -> None:
        handle.cancel()

    def close(self) -> None:
        self.alive.close()  # whatever is still computed is wanted by nobody
        self.pool.shutdown(cancel_futures=True)
        self.folder.cleanup()


def start_worker(ended: Connection) -> None:
    """Leave Ctrl-C to the parent, and end when it closes its end of a pipe or is killed."""
    signal(SIGINT, SIG_IGN)
    use_threads(1)
    Thread(target=end_with_parent, args=(ended,), daemon=True).start()


def end_with_parent(ended: Connection) -> None:
    ended.poll(None)  # nothing is ever sent
    os._exit(1)


def compute(work: Work, shared: Path, task: Any, on: str) -> Any:
    return work(read(shared, on), task)


@lru_cache(maxsize=1)
def read(path: Path, on: str) -> Any:
    """What tasks share, with its networks on a device."""
    use_device(on)
    return pickle.loads(path.read_bytes())
