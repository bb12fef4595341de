"""Learners in experiments: their limits, their progress bars, and the networks kept of them.

for report in follow(learner, Limits(iterations=500, seconds=3600), run.metrics, "sd_cfr"):
    if report["iteration"] % config.log_every == 0:
        run.append(report | measure(learner))
export(run.workdir, Path("experiments/results/x/network"))  # small; an agent is net:THAT_FOLDER
"""

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from tqdm import tqdm

from analysis.figures import short
from experiments.common.runs import Metrics, flat
from solvers.runs.archive import STATE, Archive, State, write_state
from solvers.runs.settings import changes as settings_changes
from spielgames.files import replacing


class AnyLearner(Protocol):
    archive: Archive

    def iterate(self, progress: Callable[[int], None]) -> Metrics:
        """Do one more iteration and return its report; call `progress` meanwhile."""


class AnySettings(Protocol):
    def plain(self) -> dict[str, Any]:
        """The settings as plain JSON."""


class Limits(NamedTuple):
    """Limits, of which the first that is reached stops a learner. 0 means no limit."""

    iterations: float = 0
    positions: float = 0
    seconds: float = 0

    def share(self, state: State) -> float:
        """The share of the way that is done, 1 at its end."""
        used = state.iteration, state.positions, state.seconds
        return max((u / most for u, most in zip(used, self, strict=True) if most), default=0.0)

    def reached(self, state: State) -> bool:
        return self.share(state) >= 1


class ProgressBar(tqdm):
    """A learner's way to its limits: the share done, the speed, and the time left."""

    FORMAT = "{desc}: {percentage:3.0f} %|{bar}| {elapsed}<{remaining}{postfix}"

    def __init__(self, title: str, limits: Limits, state: State) -> None:
        self.limits, self.since = limits, state
        done = min(1.0, limits.share(state))
        super().__init__(total=1.0, initial=done, desc=title, bar_format=self.FORMAT)

    def show(self, state: State) -> None:
        self.set_postfix_str(pace(self.since, state), refresh=False)
        self.update(min(1.0, self.limits.share(state)) - self.n)


def pace(since: State, now: State) -> str:
    """The speed since an earlier state."""
    seconds = max(now.seconds - since.seconds, 1e-9)
    iterations, positions = now.iteration - since.iteration, now.positions - since.positions
    rates = f"{short(iterations / seconds)} iterations/s, {short(positions / seconds)} positions/s"
    return f"iteration {now.iteration}, {rates}"


def follow(
    learner: AnyLearner, limits: Limits, metrics: list[Metrics], title: str
) -> Iterator[Metrics]:
    """Iterate up to the limits, with a progress bar, and yield the report of each iteration.

    The last finished iteration comes first if `metrics` do not hold it and the next one has not
    begun, because a run that was killed may not have noted it.
    """
    state = learner.archive.state
    if state.step == 0 and state.iteration > (metrics[-1]["iteration"] if metrics else 0):
        yield learner.archive.report()
    with ProgressBar(title, limits, state) as bar:
        while learner.archive.state.step or not limits.reached(learner.archive.state):
            report = learner.iterate(lambda step: bar.refresh())
            bar.show(learner.archive.state)
            yield report


def changes(settings: AnySettings | Metrics) -> Metrics:
    """The settings that differ from the defaults, so that a setting that is added later does not
    make an old run another one.
    """
    if isinstance(settings, dict):
        return settings
    changed = flat(settings_changes(settings, type(settings)()))
    return {name.replace(".", "_"): x for name, x in changed.items()}


def export(workdir: Path, folder: Path, iteration: int = 0, networks: str = "*") -> Path:
    """Copy the networks of one iteration, by default the last, into a folder that an agent can
    play; `networks` is a pattern for their names.
    """
    source = Archive(workdir)
    if (folder / STATE).exists() and (there := Archive(folder).purpose) != source.purpose:
        raise ValueError(f"{folder} belongs to another run: {there}, not {source.purpose}")
    iteration = iteration or source.state.iteration
    shutil.rmtree(folder / "networks", ignore_errors=True)
    wanted = source.path(networks, iteration)
    for path in sorted(wanted.parent.glob(wanted.name)):
        with replacing(folder / "networks" / path.name) as partial:
            shutil.copyfile(path, partial)
    write_state(folder, source.about, source.state._replace(iteration=iteration, step=0), {})
    return folder
