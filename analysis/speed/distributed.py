"""What is gained by more workers, local processes or a Ray cluster, and what ends the gain.

    python -m analysis.speed.distributed --json=distributed.json    (ten minutes on an idle machine)

The work is that of the Hearts project: traversals with a network of its size, in tasks of about a
second, which several executors compute in turn. Then the learner's part is measured: to receive and
store samples, and to fit. From these follows how long an iteration of the project takes with 10,
100 and 1,000 such workers, and what takes longest (`analysis.speed.projection`).
"""

import pickle
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

from absl import flags
from ml_collections import ConfigDict, config_flags
from tqdm import tqdm

from analysis.figures import short, table
from analysis.speed.benchmark import (
    Results,
    benchmark,
    define_json,
    machine,
    machine_line,
    verdict,
)
from analysis.speed.projection import project, projection_table
from solvers.deep_cfr.learner import Learner
from solvers.deep_cfr.pieces import Piece, traverse_piece
from solvers.deep_cfr.settings import Settings
from solvers.deep_cfr.steps import Step
from solvers.environments.load import load_environment
from solvers.networks.network import make_network
from solvers.runs.executors import executing, map_tasks
from solvers.runs.progress import silent
from solvers.runs.threads import use_threads
from spielgames.command import run

CONFIG = "experiments/configs/hearts_deepcfr.py:paper"
SEED = 1
MOST_OVERHEAD = 0.1  # of Ray over local processes, as many of them
WARM_UP = 4  # tasks of each worker
EMPTY = 300  # tasks that do nothing
FIT_STEPS = 20
TIMES = 5  # that the learner's parts are timed


class Place(NamedTuple):
    """Where tasks are computed."""

    executor: str
    workers: int


PLACES = (
    Place("here", 1),
    Place("processes", 1),
    Place("processes", 2),
    Place("ray", 1),
    Place("ray", 2),
)


class Traversals:
    """Tasks of a second iteration, with a network that has learnt nothing."""

    def __init__(self, config: ConfigDict, folder: Path) -> None:
        settings = Settings.of(config.settings.to_dict())
        env = load_environment(config.game, settings.encoding)
        self.learner = Learner(env, replace(settings, traversals=1), folder, SEED)
        for model in self.learner.advantages:
            model.network = make_network(model.settings, model.shape, SEED)
        self.job = self.learner._job()
        self.deals = 1

    def fit_into(self, seconds: float) -> float:
        """Make tasks as long as that; return how long they are."""
        for _ in range(3):
            self.deals = max(1, round(self.deals * seconds / self._seconds()))
        return self._seconds()

    def _seconds(self) -> float:
        (piece,) = self.pieces(1)
        traverse_piece(self.job, piece)  # what must be compiled is compiled
        start = perf_counter()
        traverse_piece(self.job, piece)
        return perf_counter() - start

    def pieces(self, many: int) -> Iterator[Piece]:
        first = self.learner._piece(Step(deals=1), 0)
        for k in range(many):
            yield first._replace(deals=range(k * self.deals, (k + 1) * self.deals))

    def samples_per_s(self, tasks: int) -> float:
        """By the chosen executor."""
        start = perf_counter()
        found = map_tasks(traverse_piece, self.job, self.pieces(tasks))
        return sum(len(one.regrets) for one in found) / (perf_counter() - start)


def measure(
    config: ConfigDict, places: Sequence[Place], seconds: float, tasks: int, repetitions: int
) -> Results:
    use_threads(1)
    with TemporaryDirectory() as folder:
        work = Traversals(config, Path(folder))
        results: Results = {
            "machine": machine(),
            "settings": config.settings.to_dict(),
            "task_s": work.fit_into(seconds),
            "deals_per_task": work.deals,
            "executors": [measure_place(work, p, tasks, repetitions) for p in tqdm(places)],
        }
        results |= measure_learner(work)
    results["overhead"] = overheads(results["executors"])
    results["projection"] = project(results)
    return results


def measure_place(work: Traversals, place: Place, tasks: int, repetitions: int) -> Results:
    """The median of some runs, after all workers have begun and compiled."""
    with executing(place.executor, place.workers, "local"):
        work.samples_per_s(WARM_UP * place.workers)
        rate = median(work.samples_per_s(tasks) for _ in range(repetitions))
        start = perf_counter()
        list(map_tasks(nothing, None, range(EMPTY)))
        empty = EMPTY / (perf_counter() - start)
    return place._asdict() | {"samples_per_s": rate, "empty_tasks_per_s": empty}


def nothing(shared: None, task: int) -> None:
    """A task that is all overhead."""


def overheads(measured: list[Results]) -> Results:
    """The share of the throughput of as many local processes that Ray loses, by their number."""
    rates = {(one["executor"], one["workers"]): one["samples_per_s"] for one in measured}
    return {
        str(workers): 1 - rate / rates["processes", workers]
        for (executor, workers), rate in rates.items()
        if executor == "ray"
    }


def measure_learner(work: Traversals) -> Results:
    """What it has to do for each sample, and for each step of a fit."""
    harvests = [traverse_piece(work.job, piece) for piece in work.pieces(3)]
    sent = [pickle.dumps(one) for one in harvests]
    samples, number = sum(len(one.regrets) for one in harvests), count()

    def store() -> None:
        for harvest in harvests:
            work.learner._store_all(harvest, next(number))

    received_s = seconds_of(lambda: [pickle.loads(one) for one in sent])
    stored_s = seconds_of(store)
    model, archive = work.learner.advantages[0], work.learner.archive
    how = replace(model.fitting, steps=FIT_STEPS)
    steps_per_s = FIT_STEPS / seconds_of(lambda: model.fit(1, archive, silent, how))
    size = model.format.dtype.itemsize
    return {
        "bytes_per_sample": sum(map(len, sent)) / samples,
        "policy_bytes": len(pickle.dumps(work.job)),
        "received_per_s": samples / received_s,
        "stored_per_s": samples / stored_s,
        "fit_steps_per_s": steps_per_s,
        "samples_per_fit_s": steps_per_s * model.fitting.batch,
        "bytes_per_fit_s": steps_per_s * model.fitting.batch * size,
    }


def seconds_of(work: Callable[[], object]) -> float:
    """The median of some times."""
    times = []
    for _ in range(TIMES):
        start = perf_counter()
        work()
        times.append(perf_counter() - start)
    return median(times)


def report(results: Results) -> str:
    rows = [
        ["executor", "workers", "samples/s", "empty tasks/s", f"Ray loses ≤ {MOST_OVERHEAD:.0%}"]
    ]
    for of in results["executors"]:
        lost = results["overhead"].get(str(of["workers"])) if of["executor"] == "ray" else None
        judged = "" if lost is None else f"{lost:.1%}, {verdict(lost <= MOST_OVERHEAD)}"
        rates = short(of["samples_per_s"]), short(of["empty_tasks_per_s"])
        rows.append([of["executor"], str(of["workers"]), *rates, judged])
    task = f"A task takes {results['task_s']:.2f} s ({results['deals_per_task']} deals)."
    learner = (
        f"A sample takes {results['bytes_per_sample']:.0f} bytes, and the policy"
        f" {results['policy_bytes'] / 1e6:.1f} MB. The learner receives"
        f" {short(results['received_per_s'])} samples/s, stores {short(results['stored_per_s'])}/s,"
        f" and fits {results['fit_steps_per_s']:.2f} steps/s, for which it reads"
        f" {results['bytes_per_fit_s'] / 1e6:.1f} MB/s."
    )
    parts = [table(rows), task, learner, projection_table(results["projection"])]
    return "\n\n".join([*parts, machine_line(results)])


def define_flags() -> None:
    config_flags.DEFINE_config_file("config", CONFIG, "a config of Deep CFR, and its variant")
    flags.DEFINE_float("seconds", 1.0, "that a task takes", 0.001)
    flags.DEFINE_integer("tasks", 30, "of each measurement", 1)
    flags.DEFINE_integer("repetitions", 3, "of each measurement, of which the median counts", 1)
    define_json()


def main() -> None:
    chosen = flags.FLAGS
    sizes = chosen.seconds, chosen.tasks, chosen.repetitions
    benchmark(lambda: measure(chosen.config, PLACES, *sizes), report)


if __name__ == "__main__":
    define_flags()
    run(main)
