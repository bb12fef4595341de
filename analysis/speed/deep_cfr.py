"""The speed of Deep CFR: its traversals beside OpenSpiel's, full Hearts, and the cost of more data.

    python -m analysis.speed.deep_cfr --json=learning.json    (10 minutes, 4 GB of disk)
    python -m analysis.speed.deep_cfr --quick                 (a minute)

Traversals of small games are by external sampling, on one thread, with networks of the same size
for all seats, and store their samples on both sides. Positions are decisions with a choice, and
ends; chance events and forced moves do not count. Hearts is traversed as its experiment does it
(`decaying`). Samples cost memory only as a small window in shards, which is read whole
(`solvers.deep_cfr.memory`). Numbers are medians of short stretches in which all that is compared
take turns (`analysis.speed.benchmark`). The memory of traversals is the peak of a process that
makes them once, Python and all libraries included.
"""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numba
from absl import flags

from analysis.small_games import SMALLEST
from analysis.speed.benchmark import (
    Amounts,
    Results,
    Task,
    benchmark,
    define_json,
    machine,
    median_rates,
)
from analysis.speed.deep_cfr_report import OURS, THEIRS, report
from analysis.speed.deep_cfr_workloads import (
    EXTERNAL,
    HEARTS,
    KINDS,
    LARGE,
    Data,
    OurTraversals,
    TheirTraversals,
    draws,
    fits,
    growth_of_memory,
    make_data,
    peak_memory,
)
from solvers.deep_cfr.rows import RowFormat
from solvers.deep_cfr.settings import Settings
from solvers.environments.load import load_environment
from solvers.networks.network import PRECISIONS
from solvers.networks.settings import NetworkSettings
from solvers.runs.settings import to_plain
from spielgames.command import run

THREADS = tuple(sorted({1, min(2, numba.config.NUMBA_NUM_THREADS)}))


class Sizes(NamedTuple):
    """The sizes of what is measured."""

    games: tuple[str, ...] = ("leduc_poker", *SMALLEST)
    hearts: str = "python_hearts"
    networks: tuple[NetworkSettings, ...] = (HEARTS.network, LARGE)
    deals: int = 4  # in a portion
    snapszer: str = "python_snapszer"  # external sampling visits 100,000 positions in a deal
    full_deals: int = 100  # of Snapszer and Hearts, to see how much memory that needs
    rows: tuple[int, ...] = (1_000_000, 10_000_000)
    steps: int = 20  # in a portion
    seconds: float = 0.5
    repetitions: int = 5


QUICK = Sizes(
    deals=1, full_deals=2, rows=(100_000, 1_000_000), steps=5, seconds=0.02, repetitions=1
)


class Case(NamedTuple):
    """A way to traverse Hearts: in the first iteration from a start, or later with a network."""

    start: str
    network: NetworkSettings | None
    precision: str
    threads: int

    @property
    def title(self) -> str:
        if self.network is None:
            return f"first iteration, {self.start} play"
        return f"later, {self.network.hidden} × {self.network.layers}"


def measure(sizes: Sizes) -> Results:
    """All numbers of a run."""
    with TemporaryDirectory() as folder:
        return {
            "machine": machine(),
            "settings": sizes._asdict() | {"networks": [to_plain(n) for n in sizes.networks]},
            "traversals": compare_traversals(sizes, Path(folder) / "small"),
            "hearts": time_hearts(sizes, Path(folder) / "hearts"),
            "memory": measure_memory(sizes, Path(folder) / "memory"),
            "data": time_data(sizes, Path(folder) / "data"),
        }


def compare_traversals(sizes: Sizes, folder: Path) -> dict[str, Amounts]:
    """Positions per second of both on each game."""
    theirs = {game: TheirTraversals(game) for game in sizes.games}
    tasks = []
    for number, game in enumerate(sizes.games):
        ours = OurTraversals(game, EXTERNAL, folder / str(number), networks=True)
        tasks += [Task(game, ours), Task(game, theirs[game])]
    rates = median_rates(tasks, sizes.seconds, sizes.repetitions)
    return {
        game: {OURS: of["positions"], THEIRS: of["states"] * theirs[game].share()}
        for game, of in rates.items()
    }


def cases(networks: tuple[NetworkSettings, ...]) -> Iterator[Case]:
    for threads in THREADS:
        for start in ("random", "rules"):
            yield Case(start, None, "float32", threads)
    for network in networks:
        for threads in THREADS:
            for precision in PRECISIONS:
                yield Case("random", network, precision, threads)


def time_hearts(sizes: Sizes, folder: Path) -> list[Results]:
    """Samples and positions per second of each case, and the share of time in networks."""
    wanted = [*cases(sizes.networks)]
    tasks = [
        Task(str(number), hearts_traversals(case, sizes, folder / str(number)))
        for number, case in enumerate(wanted)
    ]
    rates = median_rates(tasks, sizes.seconds, sizes.repetitions)
    return [
        {"case": case.title, "precision": case.precision, "threads": case.threads} | rates[owner]
        for case, (owner, _) in zip(wanted, tasks, strict=True)
    ]


def hearts_traversals(case: Case, sizes: Sizes, folder: Path) -> OurTraversals:
    settings = replace(
        HEARTS,
        initial_policy=case.start,
        network=case.network or HEARTS.network,
        precision=case.precision,
        traversals=sizes.deals if case.network is None else 1,  # which takes long
    )
    return OurTraversals(sizes.hearts, settings, folder, case.network is not None, case.threads)


def measure_memory(sizes: Sizes, folder: Path) -> list[Results]:
    """The positions and the peak memory of traversals, each in a process of its own: small games
    with networks, full ones as in a first iteration.
    """
    snapszer = Settings(traversals=sizes.full_deals, sharing="all")
    hearts = replace(HEARTS, traversals=sizes.full_deals)
    full = (sizes.snapszer, snapszer, False), (sizes.hearts, hearts, False)
    found = []
    for game, settings, networks in (*((game, EXTERNAL, True) for game in sizes.games), *full):
        where = folder / str(len(found))
        of = peak_memory(partial(OurTraversals, game, settings, where, networks))
        kept = {"positions": of["positions"], "memory": of["memory"]}
        found.append({"game": game, "sampling": settings.sampling.kind} | kept)
    return found


def time_data(sizes: Sizes, folder: Path) -> list[Results]:
    """The cost of learning from few samples and from many, for both kinds of memory."""
    env = load_environment(sizes.hearts, HEARTS.encoding)
    format = RowFormat(env.width, env.numbers, env.actions, env.slots)
    every = [make_data(kind, rows, format, folder) for kind in KINDS for rows in sizes.rows]
    tasks = []
    for number, data in enumerate(every):
        memory, owner = data.open(), str(number)
        tasks.append(Task(owner, draws(memory)))
        tasks.append(Task(owner, fits(memory, format, env.shape, sizes.steps)))
    rates = median_rates(tasks, sizes.seconds, sizes.repetitions)
    return [about(data) | rates[str(number)] for number, data in enumerate(every)]


def about(data: Data) -> Results:
    known = {"kind": data.kind, "rows": data.rows, "bytes": data.rows * data.format.dtype.itemsize}
    return known | {"memory": growth_of_memory(data)}


def define_flags() -> None:
    define_json()
    flags.DEFINE_bool("quick", False, "measure briefly")


def main() -> None:
    benchmark(partial(measure, QUICK if flags.FLAGS.quick else Sizes()), report)


if __name__ == "__main__":
    define_flags()
    run(main)
