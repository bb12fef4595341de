"""Common parts of all benchmarks: rates that compare fairly, the machine, the command line."""

import gc
import json
import os
import platform
import re
from collections import Counter, defaultdict
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any, NamedTuple

from absl import flags
from tqdm import tqdm

from analysis.figures import save_text
from spielgames.command import check_place, user_input

Results = dict[str, Any]  # as in the JSON file; under "machine", what the numbers depend on
Amounts = dict[str, float]  # by what they measure
Work = Callable[[], Amounts]


class Task(NamedTuple):
    """A workload, and the game that it measures."""

    owner: str
    work: Work


flags.disclaim_key_flags()  # so that --help lists `define_json` as the benchmark's own


def rates(work: Work, seconds: float) -> Amounts:
    """The amount of each thing that is done per second, from at least one portion of the work."""
    done, spent = Counter[str](), 0.0
    gc.disable()
    start = perf_counter()
    while spent < seconds:
        done.update(work())
        spent = perf_counter() - start
    gc.enable()
    return {name: amount / spent for name, amount in done.items()}


def median_rates(tasks: list[Task], seconds: float, repetitions: int) -> dict[str, Amounts]:
    """Each owner's median rates over short stretches in which all tasks take turns, so that a slow
    phase of the machine hits everything that is compared. Compilation is not timed.
    """
    for task in tqdm(tasks, "compiling", leave=False):
        task.work()
    samples: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for task in tqdm(repetitions * tasks, "measuring", leave=False):
        for name, rate in rates(task.work, seconds).items():
            samples[task.owner][name].append(rate)
    return {owner: medians(of) for owner, of in samples.items()}


def medians(samples: dict[str, list[float]]) -> Amounts:
    return {name: median(values) for name, values in samples.items()}


def verdict(reached: bool) -> str:
    return "reached" if reached else "missed"


def cpu_model() -> str:
    """The processor's name, which Python itself does not know on Linux."""
    info = Path("/proc/cpuinfo")
    named = re.search(r"model name\s*: (.*)", info.read_text()) if info.exists() else None
    return named[1] if named else platform.processor() or platform.machine()


def machine() -> dict[str, str | int]:
    """All that the numbers depend on, but nothing that tells whose machine it is."""
    about = {"cpu": cpu_model(), "cores": os.cpu_count() or 1, "python": platform.python_version()}
    return about | {name: version(name) for name in ("numba", "numpy", "open_spiel")}


def machine_line(results: Results) -> str:
    about = ", ".join(f"{key} {value}" for key, value in results["machine"].items())
    return f"Machine: {about}."


def define_json() -> None:
    flags.DEFINE_string("json", None, "a file for all numbers")


def define_repeated(seconds: float, repetitions: int) -> None:
    """The flags of measurements that are repeated, with their defaults."""
    flags.DEFINE_float("seconds", seconds, "the length of each of the repeated measurements")
    flags.DEFINE_integer(
        "repetitions", repetitions, "the number of measurements, whose median counts", lower_bound=1
    )


def check_places(*places: str | None) -> None:
    """Refuse files that can't be written before anything is measured."""
    with user_input():
        for place in filter(None, places):
            check_place(Path(place))


def benchmark(measure: Callable[[], Results], report: Callable[[Results], str]) -> Results:
    """Measure, print the report, and save the numbers where --json says."""
    path = flags.FLAGS.json
    check_places(path)
    results = measure()
    print(report(results))
    if path:
        save_text(Path(path), json.dumps(results, indent=2))
        print(f"\nWritten: {path}")
    return results
