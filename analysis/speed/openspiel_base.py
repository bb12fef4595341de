"""The base of OpenSpiel's learners: see `analysis.speed.openspiel_learners`."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

import numpy as np
import pyspiel
import torch
from open_spiel.python import policy as openspiel_policy

from solvers.exact.profiles import Profile, load_tree, normalised, profile_of_policy
from spielgames.core.tree import Tree


class Luck:
    """A stream of its own in NumPy's and PyTorch's global generators, which these learners use."""

    def __init__(self, seed: int) -> None:
        self.numpy = np.random.RandomState(seed).get_state()  # noqa: NPY002
        self.torch = torch.Generator().manual_seed(seed).get_state()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Use this stream, and one thread of PyTorch, so that sums are always the same."""
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        self._swap()
        try:
            yield
        finally:
            self._swap()
            torch.set_num_threads(threads)

    def _swap(self) -> None:
        mine = self.numpy, self.torch
        self.numpy, self.torch = np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
        np.random.set_state(mine[0])  # noqa: NPY002
        torch.set_rng_state(mine[1])


class OpenSpielLearner:
    """The base of all learners. `nodes` counts the states that traversals have entered: chance's,
    decisions (those without a choice too) and ends; `decisions` only the second. Both are None if
    the solver can't be watched.
    """

    nodes: int | None = 0
    decisions: int | None = 0

    def __init__(self, tree: Tree | str, seed: int) -> None:
        self.name = tree if isinstance(tree, str) else tree.name
        if isinstance(tree, Tree):
            self.tree = tree
        self.game, self.seed, self.luck = pyspiel.load_game(self.name), seed, Luck(seed)

    @cached_property
    def tree(self) -> Tree:
        return load_tree(self.name)

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        raise NotImplementedError

    def policy(self) -> openspiel_policy.Policy:
        """The current policy."""
        raise NotImplementedError

    def profile(self) -> Profile:
        weights = profile_of_policy(self.policy(), self.tree)
        return [normalised(plex, w) for plex, w in zip(self.tree.seats, weights, strict=True)]

    def enter(self, state: pyspiel.State) -> None:
        self.nodes += 1
        self.decisions += state.current_player() >= 0

    def watch(self, solver: Any, method: str) -> None:
        """Count the states for which a solver calls its recursive method."""
        traverse = getattr(solver, method)

        def entering(state: pyspiel.State, *args: Any, **kwargs: Any) -> Any:
            self.enter(state)
            return traverse(state, *args, **kwargs)

        setattr(solver, method, entering)


def check_positive(**numbers: float) -> None:
    for name, number in numbers.items():
        if not number > 0:
            raise ValueError(f"{name}={number} is not allowed; it is more than 0")


def check_share(exploration: float) -> None:
    if not 0 < exploration <= 1:
        raise ValueError(
            f"exploration={exploration} is not allowed; it is more than 0 and at most 1"
        )
