"""The workloads of `analysis.speed.deep_cfr`: parts of Deep CFR, ours and OpenSpiel's."""

import math
import re
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numba
import numpy as np
import pyspiel
import torch

from analysis.speed.benchmark import Amounts, Work
from analysis.speed.openspiel_learners import DeepCfr
from solvers.deep_cfr.fitting import FitSettings, fit
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.memory import SampleMemory, open_memory
from solvers.deep_cfr.rows import RowFormat
from solvers.deep_cfr.sampling import Decaying
from solvers.deep_cfr.settings import PolicySettings, ReservoirSettings, Settings, WindowSettings
from solvers.environments.load import load_environment
from solvers.networks.network import Network, Shape, make_network
from solvers.networks.settings import MlpSettings
from solvers.runs.executors import Here, using

SMALL = MlpSettings(hidden=64, layers=2)
KEPT = 100_000  # samples of small games, of each kind
EXTERNAL = Settings(
    encoding="recall",
    network=SMALL,
    memory=ReservoirSettings(KEPT),
    policy=PolicySettings(KEPT),
)
HEARTS = Settings(  # as `experiments/configs/hearts_deepcfr.py:cpu` traverses and fits
    sampling=Decaying(),
    initial_policy="rules",
    at_once=256,
    sharing="all",
    memory=WindowSettings(iterations=1),
    warm_start=True,
    greedy=True,
    precision="bfloat16",
    network=MlpSettings(hidden=512, layers=3),
    fit=FitSettings(batch=2048, schedule="cosine", weighting="none", precision="bfloat16"),
)
LARGE = MlpSettings(hidden=1080, layers=4)  # the Hearts project's
BATCH = HEARTS.fit.batch
DRAWS = 50  # batches in a portion
PART = 1_000_000  # made-up rows at once
KINDS = ("reservoir", "shards")
SEED = 1


@contextmanager
def threads(number: int) -> Iterator[None]:
    """Give PyTorch and Numba this number of threads for a while."""
    before = torch.get_num_threads(), numba.get_num_threads()
    torch.set_num_threads(number)
    numba.set_num_threads(number)
    try:
        yield
    finally:
        torch.set_num_threads(before[0])
        numba.set_num_threads(before[1])


class OurTraversals:
    """A portion is an iteration without its fits; its samples are stored. The time in networks is
    counted too, and becomes a share of all time. Networks, if there are any, are untrained.
    """

    def __init__(
        self, game: str, settings: Settings, folder: Path, networks: bool, threads: int = 1
    ) -> None:
        env = load_environment(game, settings.encoding)
        self.learner, self.threads = Learner(env, settings, folder, SEED), threads
        self.in_networks = self.entered = 0.0
        for model in self.learner.advantages if networks else []:
            model.network = self.watched(make_network(model.settings, model.shape, SEED))

    def watched(self, network: Network) -> Network:
        network.register_forward_pre_hook(self._enter)
        network.register_forward_hook(self._leave)
        return network

    def _enter(self, *_: Any) -> None:
        self.entered = perf_counter()

    def _leave(self, *_: Any) -> None:
        self.in_networks += perf_counter() - self.entered

    def __call__(self) -> Amounts:
        archive, since = self.learner.archive, self.in_networks
        before = archive.state
        with threads(self.threads), using(Here(self.threads)):
            for step in self.learner.steps:
                if step.deals:
                    self.learner._traverse([step])
        done = archive.state
        archive.write(done._replace(iteration=done.iteration + 1, step=0))
        return {
            "positions": done.positions - before.positions,
            "samples": done.samples - before.samples,
            "networks": self.in_networks - since,
        }


class TheirTraversals:
    """A portion is a traversal for each seat. All states are noted, and examined when no clock is
    running, because ours are counted only where there is a choice, and at ends.
    """

    def __init__(self, game: str) -> None:
        layers = (SMALL.hidden,) * SMALL.layers
        self.learner, self.entered = DeepCfr(game, SEED, layers, memory=KEPT), []
        self.learner.enter = self.entered.append

    def __call__(self) -> Amounts:
        before = len(self.entered)
        with self.learner.luck.used():  # with one thread
            for seat in range(self.learner.game.num_players()):
                self.learner.traverse(seat)
        return {"states": len(self.entered) - before}

    def share(self) -> float:
        """The share of states that are choices or ends."""
        return sum(map(is_position, self.entered)) / len(self.entered)


def is_position(state: pyspiel.State) -> bool:
    choice = not state.is_chance_node() and len(state.legal_actions()) > 1
    return choice or state.is_terminal()


class Data(NamedTuple):
    """Made-up samples, stored as a run stores them."""

    kind: str
    rows: int
    format: RowFormat
    open: Callable[[], SampleMemory]


def make_data(kind: str, rows: int, format: RowFormat, folder: Path) -> Data:
    room = ReservoirSettings(rows) if kind == "reservoir" else WindowSettings(iterations=1)
    where = folder / f"{kind}-{rows}"
    data = Data(kind, rows, format, partial(open_memory, where, format.dtype, {}, room, SEED))
    memory, random = data.open(), np.random.default_rng(SEED)
    for number, first in enumerate(range(0, rows, PART), start=1):
        memory.take_in([make_rows(format, min(PART, rows - first), random)], 1, number)
    return data


def make_rows(format: RowFormat, n: int, random: np.random.Generator) -> np.ndarray:
    rows = np.zeros(n, format.dtype)
    rows["legal"], rows["iteration"] = (1 << format.slots) - 1, 1
    rows["flags"] = random.integers(256, size=rows["flags"].shape, dtype=np.uint8)
    rows["flags"] &= format.flag_bits
    rows["targets"] = random.standard_normal(rows["targets"].shape, np.float32)
    return rows


def draws(memory: SampleMemory) -> Work:
    random = np.random.default_rng(SEED)

    def work() -> Amounts:
        for _ in range(DRAWS):
            memory.draw(BATCH, random)
        return {"drawn": DRAWS * BATCH}

    return work


def fits(memory: SampleMemory, format: RowFormat, shape: Shape, steps: int) -> Work:
    """Fits with the network and the batch of the Hearts experiment, on one thread."""
    network, random = make_network(HEARTS.network, shape, SEED), np.random.default_rng(SEED)
    settings = replace(HEARTS.fit, steps=steps)

    def work() -> Amounts:
        with threads(1):
            fit(network, memory, format, settings, random)
        return {"steps": steps}

    return work


def growth_of_memory(data: Data) -> float:
    """The growth in bytes after drawing from all over the samples. Pages of files don't count: the
    system takes them back when it needs them.
    """
    before = own_memory()
    memory = data.open()
    draws(memory)()
    return own_memory() - before


def own_memory() -> float:
    """Resident bytes that belong to no file; NaN where the system is not Linux."""
    return bytes_in_status("RssAnon")


def peak_memory(make: Callable[[], Work]) -> Amounts:
    """The numbers of a portion of work, and the peak of resident bytes in a process that does
    nothing else.
    """
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        return pool.submit(work_alone, make).result()


def work_alone(make: Callable[[], Work]) -> Amounts:
    """Do a portion of work. (`ru_maxrss` would include the process that started this one.)"""
    done = make()()
    return done | {"memory": bytes_in_status("VmHWM")}


def bytes_in_status(field: str) -> float:
    status = Path("/proc/self/status")
    found = re.search(rf"{field}:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return 1024.0 * int(found[1]) if found else math.nan
