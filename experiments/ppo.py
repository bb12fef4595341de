"""PPO learners in experiments: the curves of a config, each with its seeds, each in its folder.

for curve in curves_from(config, workdir, only=[]):
    learn(curve, config.log_every, lambda curve: {"won": …})
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from ml_collections import ConfigDict

from experiments.learners import Limits, changes, export, follow
from experiments.runs import Metrics, Run, read_lines
from solvers.games import load_environment
from solvers.ppo.learner import Learner
from solvers.ppo.settings import Settings


class Curve(NamedTuple):
    name: str
    seed: int
    game: str
    settings: Settings
    limits: Limits
    workdir: Path

    @property
    def folder(self) -> Path:
        return self.workdir / "curves" / f"{self.name}-{self.seed}"

    @property
    def network(self) -> Path:
        """Where its averaged weights are kept, once they are trained."""
        return self.workdir / "networks" / f"{self.name}-{self.seed}"

    @property
    def identity(self) -> ConfigDict:
        """What its folder is for; it may go further, and be measured otherwise."""
        learner = {"settings": changes(self.settings)}
        return ConfigDict({"game": self.game, "seed": self.seed} | learner)

    def agent(self, play: str = "sample", network: str = "average") -> str:
        return f"ppo:{self.folder},network={network},play={play}"

    def lines(self) -> list[Metrics]:
        return read_lines(self.folder / "metrics.jsonl")


def curves_from(config: ConfigDict, workdir: Path, only: Sequence[str] = ()) -> list[Curve]:
    known = list(config.curves)
    if unknown := [name for name in only if name not in known]:
        raise ValueError(f"there is no curve {unknown[0]!r}; there are {', '.join(known)}")
    return [
        curve_of(name, seed, config, workdir)
        for name in only or known
        for seed in config.curves[name].seeds
    ]


def curve_of(name: str, seed: int, config: ConfigDict, workdir: Path) -> Curve:
    given = config.curves[name]
    settings = Settings.of(given.settings.to_dict())
    limits = Limits(iterations=given.iterations, seconds=given.seconds)
    return Curve(name, seed, given.game, settings, limits, workdir)


def learn(curve: Curve, log_every: int, measure: Callable[[Curve], Metrics]) -> None:
    """Goes on with a curve, up to its limits, and logs every few iterations and all arenas."""
    opened = Run(curve.folder, curve.identity)
    env = load_environment(curve.game, curve.settings.encoding)
    learner = Learner(env, curve.settings, curve.folder, curve.seed)
    title = f"{curve.name}, seed {curve.seed}"
    for report in follow(learner, curve.limits, opened.metrics, title):
        state, known = learner.archive.state, {"curve": curve.name, "seed": curve.seed}
        if state.iteration % log_every == 0 or curve.limits.reached(state):
            opened.append(known | report | measure(curve))
        elif "arena" in report:
            opened.append(known | report)
    export(curve.folder, curve.network, networks="average-*")
