"""Learners in experiments: how far they go, what is shown meanwhile, what is kept of them.

use_threads(config.threads)
for report in follow(learner, Limits(iterations=500, seconds=3600), run.metrics, "sd_cfr"):
    if report["iteration"] % config.log_every == 0:
        run.append(report | measure(learner))
export(run.workdir, Path("experiments/results/x/network"))  # small; an agent is net:THAT_FOLDER
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numba
import torch
from tqdm import tqdm

from analysis.figures import short
from experiments.common.runs import Metrics, flat
from solvers.runs.archive import Archive, State
from spielgames.files import replacing


class Learner(Protocol):
    archive: Archive

    def iterate(self, progress: Callable[[int], None]) -> Metrics:
        """One more iteration, and what a log wants; `progress` is told how far it is."""


class Settings(Protocol):
    def plain(self) -> dict[str, Any]:
        """As JSON."""


class Limits(NamedTuple):
    """How far a learner goes: up to the first of them that it reaches; 0 is no limit."""

    iterations: float = 0
    positions: float = 0
    seconds: float = 0

    def share(self, state: State) -> float:
        """How much of the way is done, 1 at its end."""
        used = state.iteration, state.positions, state.seconds
        return max((u / most for u, most in zip(used, self, strict=True) if most), default=0.0)

    def reached(self, state: State) -> bool:
        return self.share(state) >= 1


class Way(tqdm):
    """A progress bar: how much of the way to some limits is done, how fast, and what is left."""

    FORMAT = "{desc}: {percentage:3.0f} %|{bar}| {elapsed}<{remaining}{postfix}"

    def __init__(self, title: str, limits: Limits, state: State) -> None:
        self.limits, self.since = limits, state
        done = min(1.0, limits.share(state))
        super().__init__(total=1.0, initial=done, desc=title, bar_format=self.FORMAT)

    def show(self, state: State) -> None:
        self.set_postfix_str(pace(self.since, state), refresh=False)
        self.update(min(1.0, self.limits.share(state)) - self.n)


def pace(since: State, now: State) -> str:
    """How fast it has been since some state."""
    seconds = max(now.seconds - since.seconds, 1e-9)
    iterations, positions = now.iteration - since.iteration, now.positions - since.positions
    rates = f"{short(iterations / seconds)} iterations/s, {short(positions / seconds)} positions/s"
    return f"iteration {now.iteration}, {rates}"


def use_threads(threads: int) -> None:
    """Of every library. One is often fastest on small networks, and leaves cores to other runs."""
    most = numba.config.NUMBA_NUM_THREADS
    if not 1 <= threads <= most:
        raise ValueError(f"threads={threads} is not allowed; it is from 1 to {most}")
    torch.set_num_threads(threads)
    numba.set_num_threads(threads)


def follow(
    learner: Learner, limits: Limits, metrics: list[Metrics], title: str
) -> Iterator[Metrics]:
    """Iterates up to the limits, with a progress bar, and reports each iteration.

    The last one finished comes first if `metrics` do not hold it and the next one has not begun: a
    run that was killed may not have noted it. (Its report tells nothing of how networks were
    fitted.)
    """
    state = learner.archive.state
    if state.step == 0 and state.iteration > (metrics[-1]["iteration"] if metrics else 0):
        yield state._asdict()
    with Way(title, limits, state) as way:
        while learner.archive.state.step or not limits.reached(learner.archive.state):
            report = learner.iterate(lambda step: way.refresh())
            way.show(learner.archive.state)
            yield report


def changes(settings: Settings) -> Metrics:
    """Against the defaults: settings that come later don't make a run another one."""
    default = flat(type(settings)().plain())
    changed = {name: x for name, x in flat(settings.plain()).items() if x != default[name]}
    return {name.replace(".", "_"): x for name, x in changed.items()}


def export(workdir: Path, folder: Path, iteration: int = 0, networks: str = "*") -> Path:
    """The networks of one iteration alone, the last one if none is named, as a folder that an agent
    can play; of the kinds `networks`.
    """
    source = Archive(workdir)
    iteration = iteration or source.state.iteration
    shutil.rmtree(folder / "networks", ignore_errors=True)
    target = Archive(folder, source.about)
    wanted = source.path(networks, iteration)
    for path in sorted(wanted.parent.glob(wanted.name)):
        with replacing(target.folder / "networks" / path.name) as partial:
            shutil.copyfile(path, partial)
    target.write(source.state._replace(iteration=iteration, step=0))
    return folder
