"""Learners on small games, judged exactly."""

from functools import cache
from typing import Any, NamedTuple

from solvers.deep_cfr.learner import Learner
from solvers.exact.best_response import nash_conv
from solvers.exact.judge import Judge
from solvers.exact.profiles import Profile, load_tree
from solvers.exact.sequence_form import Form, flatten
from spielgames.core.tree import Tree


class Small(NamedTuple):
    """A game that can be judged exactly."""

    tree: Tree
    form: Form

    def nash_conv(self, profile: Profile) -> float:
        return nash_conv(self.form, profile)


@cache
def load_small(game: str) -> Small:
    tree = load_tree(game)
    return Small(tree, flatten(tree))


class Answers:
    """A learner's average, its last strategy and its policy network's, each judged exactly."""

    def __init__(self, learner: Learner, small: Small) -> None:
        self.learner, self.small = learner, small
        self.judge, self.added = Judge(learner.env, small.tree), 0

    def measure(self) -> dict[str, float]:
        """The NashConv of each answer."""
        self._add_iterations()
        profiles = {
            "average": self.judge.average(),
            "last": self.judge.profile(self.learner.players),
        }
        if self.learner.policies:
            self.learner.fit_policies()
            networks = [model.network for model in self.learner.policies]
            profiles["policy"] = self.judge.policy(self._by_seat(networks))
        return {answer: self.small.nash_conv(p) for answer, p in profiles.items()}

    def _add_iterations(self) -> None:
        """Add networks as they are stored, so that an interrupted run has the same average."""
        for t in range(self.added + 1, self.learner.iteration + 1):
            names = [model.name for model in self.learner.advantages]
            networks = [self.learner.archive.load(name, t) for name in names]
            self.judge.add(self._by_seat(networks), t**self.learner.settings.averaging)
            self.added = t

    def _by_seat(self, networks: list[Any]) -> list[Any]:
        groups = self.learner.groups
        seats = {seat: k for k, group in enumerate(groups) for seat in group}
        return [networks[seats[seat]] for seat in range(self.learner.env.players)]
