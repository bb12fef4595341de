"""Workers that are slow, or die, in the middle of their work."""

import os
import signal
import time

from solvers.runs.executors import Executor


class Unreliable(Executor):
    """Some tasks kill the worker that has them, the first time; others are slow."""

    def __init__(self, executor, folder):
        self.executor, self.folder, self.calls = executor, folder, 0

    def map(self, work, shared, tasks, ordered):
        self.calls += 1
        given = work, shared, self.folder, self.calls
        return self.executor.map(compute, given, enumerate(tasks), ordered)

    def close(self):
        pass

    @property
    def deaths(self):
        return len(list(self.folder.iterdir()))


def compute(given, numbered):
    work, shared, folder, call = given
    k, task = numbered
    if k == 1 and call == 1:
        mark = folder / str(call)
        if not mark.exists():
            mark.touch()
            os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(0.1 * (k % 3 == 0))
    return work(shared, task)
