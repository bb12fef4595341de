"""Executors: where tasks are computed, which changes no result (docs/distributed.md).

with executing("processes", workers=4):
    for found in map_tasks(play, (policy, env), [range(0, 100), range(100, 200)]):
        …

`map_tasks(work, shared, tasks)` computes `work(shared, task)` for each task: in this process unless
another executor is chosen, which learners and tournaments inside need not know. `work` is a
function of a module, and what it returns follows from its arguments alone. It is computed on one
thread, because PyTorch's results may depend on threads in the last bit. Whoever cuts work into
tasks cuts it alike for all executors: then all come to the same bytes.
"""

import io
import os
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import torch

from solvers.networks.device import CPU, arrived
from solvers.runs import by_name
from solvers.runs.settings import at_least, check_choice

Work = Callable[[Any, Any], Any]  # what all tasks need, a task -> its result
EXECUTORS = ("here", "processes", "ray")
AHEAD = 3  # tasks under way for each worker: one at work, one next, one whose result waits


class Executor(ABC):
    @abstractmethod
    def map(self, work: Work, shared: Any, tasks: Iterable, ordered: bool) -> Iterator: ...

    @abstractmethod
    def close(self) -> None:
        """End what was started."""


class Here(Executor):
    """This process, which computes a task when its result is asked for."""

    def __init__(self, threads: int = 1) -> None:
        self.threads = threads

    def map(self, work: Work, shared: Any, tasks: Iterable, ordered: bool) -> Iterator:
        for task in tasks:
            with torch_threads(self.threads):
                found = work(shared, task)
            yield found

    def close(self) -> None:
        """Nothing was started."""


class Crew(Executor):
    """Workers outside of this process. What all tasks need is sent to each of them once, and
    forgotten after the last task. Few tasks are under way: the next ones are given out as results
    are consumed.
    """

    @property
    @abstractmethod
    def under_way(self) -> int:
        """How many tasks may be given out and not yet consumed."""

    @abstractmethod
    def sharing(self, packed: bytes) -> AbstractContextManager:
        """A context in which workers can read this; its value is for `submit`."""

    @abstractmethod
    def submit(self, work: Work, shared: Any, task: Any) -> Any:
        """Give out a task; return a handle."""

    @abstractmethod
    def result(self, handle: Any) -> Any: ...

    @abstractmethod
    def first_done(self, handles: list) -> Any: ...

    @abstractmethod
    def cancel(self, handle: Any) -> None: ...

    def map(self, work: Work, shared: Any, tasks: Iterable, ordered: bool) -> Iterator:
        waiting: list = []
        with self.sharing(pack(shared)) as place:
            try:
                for task in tasks:
                    if len(waiting) >= self.under_way:
                        yield self._take(waiting, ordered)
                    waiting.append(self.submit(work, place, task))
                while waiting:
                    yield self._take(waiting, ordered)
            finally:
                for handle in waiting:
                    self.cancel(handle)

    def _take(self, waiting: list, ordered: bool) -> Any:
        handle = waiting[0] if ordered else self.first_done(waiting)
        found = self.result(handle)
        waiting.remove(handle)
        return found


def pack(shared: Any) -> bytes:
    assert by_name  # games are known by name from here on
    packed = io.BytesIO()
    Packer(packed, pickle.HIGHEST_PROTOCOL).dump(shared)
    return packed.getvalue()


class Packer(pickle.Pickler):
    """Tensors of a graphics card travel in main memory, and arrive on the worker's device."""

    def reducer_override(self, thing: Any) -> Any:
        if isinstance(thing, torch.Tensor) and thing.device != CPU:
            return arrived, (thing.detach().cpu(), isinstance(thing, torch.nn.Parameter))
        return NotImplemented


@contextmanager
def torch_threads(threads: int) -> Iterator[None]:
    before = torch.get_num_threads()
    torch.set_num_threads(threads)
    try:
        yield
    finally:
        torch.set_num_threads(before)


HERE = Here()
_chosen: list[Executor] = [HERE]  # the last one counts


def chosen() -> Executor:
    return _chosen[-1]


def map_tasks(work: Work, shared: Any, tasks: Iterable, ordered: bool = True) -> Iterator:
    """The results of tasks. With `ordered=False` they come as they are ready: what depends on their
    order is then not reproducible.
    """
    return chosen().map(work, shared, tasks, ordered)


@contextmanager
def executing(kind: str = "here", workers: int = 0, address: str = "auto") -> Iterator[Executor]:
    """Inside, tasks are computed "here", in as many local "processes" as there are `workers`, or on
    a "ray" cluster at an `address` (auto: the one that runs on this machine; local: a new one).
    `workers=0`: one for each core.
    """
    executor = make_executor(kind, workers, address)
    try:
        with using(executor):
            yield executor
    finally:
        executor.close()


@contextmanager
def using(executor: Executor) -> Iterator[None]:
    """Inside, tasks are computed by an executor that was made before."""
    _chosen.append(executor)
    try:
        yield
    finally:
        _chosen.pop()


def make_executor(kind: str, workers: int, address: str) -> Executor:
    check_choice("executor", kind, EXECUTORS)
    at_least(0, "workers", workers)
    if kind == "here":
        return HERE
    if kind == "processes":
        from solvers.runs.processes import Processes

        return Processes(workers or os.cpu_count() or 1)
    from solvers.runs.ray_cluster import RayCluster

    return RayCluster(workers, address)
