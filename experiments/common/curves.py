"""Curves: the learners of an experiment, each with its seed and its folder.

run, learner = open_curve(curve, Learner)
for report in follow(learner, curve.limits, run.metrics, curve.title):
    run.append(curve.about | report)
export(curve.folder, curve.network)
"""

from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ml_collections import ConfigDict

from experiments.common.learners import AnySettings, Limits, changes
from experiments.common.runs import Metrics, Run, read_lines, save_lines
from solvers.environments.load import load_environment


class Curve(NamedTuple):
    """A learner with its game, its settings, its limits and its places."""

    name: str  # in the config, in --only and in reports
    seed: int
    game: str
    settings: AnySettings | dict[str, Any]
    limits: Limits
    folder: Path  # where it learns
    network: Path  # where its last network is kept
    more: Metrics = {}  # what else must not change in its folder

    @property
    def title(self) -> str:
        return f"{self.name}, seed {self.seed}"

    @property
    def about(self) -> Metrics:
        """The first fields of its lines of metrics."""
        return {"curve": self.name, "seed": self.seed, "game": self.game}

    @property
    def identity(self) -> ConfigDict:
        """The content of its folder: it may go further, and be measured otherwise, but no more."""
        fixed = {"game": self.game, "seed": self.seed} | self.more
        return ConfigDict(fixed | {"settings": changes(self.settings)})


def open_curve(curve: Curve, start: Callable[..., Any]) -> tuple[Run, Any]:
    """A curve's run folder, and its learner as it was left there."""
    run = Run(curve.folder, curve.identity)
    env = load_environment(curve.game, curve.settings.encoding)
    return run, start(env, curve.settings, curve.folder, curve.seed)


def seeded_curves(
    settings: Callable[[dict[str, Any]], AnySettings], config: ConfigDict, workdir: Path
) -> list[Curve]:
    """All curves of a config, each seed with folders of its own."""
    return [
        seeded_curve(settings, name, seed, config, workdir)
        for name in config.curves
        for seed in config.curves[name].seeds
    ]


def seeded_curve(
    settings: Callable[[dict[str, Any]], AnySettings],
    name: str,
    seed: int,
    config: ConfigDict,
    workdir: Path,
) -> Curve:
    given, folder = config.curves[name], f"{name}-{seed}"
    places = workdir / "curves" / folder, workdir / "networks" / folder
    made = settings(given.settings.to_dict())
    return Curve(name, seed, given.game, made, limits_of(given), *places)


def limits_of(given: ConfigDict) -> Limits:
    return Limits(iterations=given.iterations, seconds=given.seconds)


def gather(curves: Iterable[Curve], workdir: Path) -> None:
    """Write the lines of all curves into the work folder's metrics.jsonl."""
    folders = dict.fromkeys(curve.folder for curve in curves)
    lines = [line for folder in folders for line in read_lines(folder / "metrics.jsonl")]
    save_lines(workdir / "metrics.jsonl", lines)


def in_order(lines: Iterable[Metrics], names: Iterable[str]) -> list[Metrics]:
    """Lines by curve, in the order of the names; those of a curve stay as they are."""
    places = {name: place for place, name in enumerate(names)}
    return sorted(lines, key=lambda line: (places[line["curve"]], line.get("seed", 0)))


def legend(name: str, descriptions: Mapping[str, str]) -> str:
    return f"{name}: {descriptions[name]}"


def describe(names: Iterable[str], descriptions: Mapping[str, str]) -> str:
    """A Markdown list of curves, in the order of the descriptions."""
    shown = set(names)
    return "\n".join(f"- `{name}`: {text}" for name, text in descriptions.items() if name in shown)


def limit(config: ConfigDict, **seconds: float) -> None:
    """Set the time limits of a config's curves."""
    for name, most in seconds.items():
        config.curves[name].seconds = most
