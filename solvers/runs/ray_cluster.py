"""An executor of a Ray cluster (docs/distributed.md). Imported only where it is asked for."""

import hashlib
import logging
import math
import os
import pickle
import platform
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.metadata import version
from pathlib import Path
from secrets import token_hex
from typing import Any

import numpy as np

from solvers.networks.device import device, use_device
from solvers.runs.executors import AHEAD, Crew, Work
from solvers.runs.threads import use_threads

try:
    import ray
except ImportError:
    raise ValueError(
        "executor=ray needs Ray, which is not installed: pip install 'spielgames[distributed]'"
    ) from None

LOCAL = "local"  # the address of a cluster that is started for this process
RETRIES = 20  # how often a task is given out again when its worker or its machine is lost
GRAIN = 10_000  # Ray counts in parts of a card no smaller than this fraction
PACKAGES = ("spielgames", "numpy", "numba", "torch")
Shared = tuple[str, Any]  # a key, and a reference to what is packed


class RayCluster(Crew):
    """Each task takes one core anywhere in the cluster, and is done again elsewhere if it is lost.
    A Ray that this process uses already is used, and left alone.
    """

    def __init__(self, workers: int, address: str) -> None:
        self.installed = installed()
        self.most = 0 if address == LOCAL else workers  # tasks at the same time; 0: no limit
        self.own = not ray.is_initialized()
        if self.own:
            connect(workers, address)
        self.compute = ray.remote(num_cpus=1, max_retries=RETRIES)(compute)

    @property
    def under_way(self) -> int:
        """Machines may come and go."""
        return self.most or AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1)))

    @contextmanager
    def sharing(self, packed: bytes) -> Iterator[Shared]:
        yield token_hex(8), ray.put(np.frombuffer(packed, np.uint8))

    def submit(self, work: Work, shared: Shared, task: Any) -> Any:
        compute = self.compute.options(num_gpus=part_of_card())
        return compute.remote(work, *shared, task, self.installed, device().type)

    def result(self, handle: Any) -> Any:
        try:
            return ray.get(handle)
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        except ray.exceptions.RayError as error:
            reason = str(error).splitlines()[0]
            raise RuntimeError(f"the cluster has lost a task {RETRIES} times: {reason}") from error

    def first_done(self, handles: list) -> Any:
        return ray.wait(handles)[0][0]

    def cancel(self, handle: Any) -> None:
        with suppress(ray.exceptions.RayError):
            ray.cancel(handle)

    def close(self) -> None:
        if self.own:
            ray.shutdown()


def connect(workers: int, address: str) -> None:
    """Join a cluster, or start one on this machine."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing is sent to Ray's makers
    quiet = {"log_to_driver": False, "logging_level": logging.ERROR}
    if address == LOCAL:
        ray.init(LOCAL, num_cpus=workers or None, include_dashboard=False, **quiet)
        return
    try:
        ray.init(address, **quiet)
    except ConnectionError:
        raise ValueError(
            f"address={address}: no Ray cluster runs there. Start one with `ray start --head`, or"
            " take address=local"
        ) from None


@cache
def installed() -> dict[str, str]:
    """What must be the same on all machines, because results depend on it."""
    found = {name: version(name) for name in PACKAGES}
    return found | {"Python": platform.python_version(), "sources": hash_of_sources()}


def hash_of_sources() -> str:
    """The hash of `spielgames` and `solvers`, as they are here."""
    root, whole = Path(__file__).parents[2], hashlib.sha256()
    for folder in ("spielgames", "solvers"):
        for path in sorted((root / folder).rglob("*.py")):
            whole.update(path.relative_to(root).as_posix().encode())
            whole.update(path.read_bytes())
    return whole.hexdigest()[:16]


def part_of_card() -> float:
    """How much of a graphics card a task takes, so that all cores share all cards. Ray hides the
    cards from a task that takes nothing of them.
    """
    if device().type != "cuda":
        return 0.0
    there = ray.cluster_resources()
    if not there.get("GPU"):
        raise ValueError("device=cuda is not allowed: no machine of the cluster has a CUDA device")
    return math.floor(GRAIN * min(1.0, there["GPU"] / there["CPU"])) / GRAIN


def compute(
    work: Work, key: str, packed: np.ndarray, task: Any, wanted: dict[str, str], on: str
) -> Any:
    """What a worker does."""
    prepare(tuple(wanted.items()))
    if key not in _shared:
        _shared.clear()
        take_device(on)
        _shared[key] = pickle.loads(packed.tobytes())
    return work(_shared[key], task)


_shared: dict[str, Any] = {}


def take_device(name: str) -> None:
    try:
        use_device(name)
    except ValueError as error:
        raise ValueError(f"{platform.node()}: {error}") from None


@cache
def prepare(wanted: tuple[tuple[str, str], ...]) -> None:
    """Compute on one core; refuse to if that would come to something else."""
    use_threads(1)
    for name, here in installed().items():
        if here != dict(wanted)[name]:
            raise ValueError(
                f"{platform.node()} has {name} {here}, not {dict(wanted)[name]}: all machines of a"
                " cluster need the same"
            )
