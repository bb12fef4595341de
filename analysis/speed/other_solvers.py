"""Other projects' CFR with the interface of ours: `run(iterations)`, `average()`.

LiteEFG is not a dependency of this package; a folder of its own keeps it apart:

    pip install --no-deps --target=runs/liteefg LiteEFG pandas
    PYTHONPATH=runs/liteefg python -m analysis.speed.cfr
"""

import io
import tempfile
from collections.abc import Callable
from contextlib import redirect_stdout
from importlib.util import find_spec
from typing import Protocol
from unittest.mock import patch

import pyspiel
from open_spiel.python.policy import Policy

from solvers.exact.profiles import Profile, profile_of_policy
from spielgames.core.tree import Tree

HAS_LITEEFG = find_spec("LiteEFG") is not None


class Updated(Protocol):
    """The interface of OpenSpiel's solvers, in C++ and in Python."""

    def evaluate_and_update_policy(self) -> None: ...

    def average_policy(self) -> Policy: ...


class OpenSpielSolver:
    def __init__(self, tree: Tree, make: Callable[[pyspiel.Game], Updated]) -> None:
        self.tree, self.solver = tree, make(pyspiel.load_game(tree.name))

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.solver.evaluate_and_update_policy()

    def average(self) -> Profile:
        return profile_of_policy(self.solver.average_policy(), self.tree)


class LiteEfgPlus:
    """LiteEFG's CFR+, with the average strategy that its own script keeps."""

    def __init__(self, name: str) -> None:
        import LiteEFG
        from LiteEFG.baselines.CFRplus import graph

        # It prints banners, and writes games as text into a folder in the user's home.
        with (
            redirect_stdout(io.StringIO()),
            tempfile.TemporaryDirectory() as home,
            patch.dict("os.environ", HOME=home),
        ):
            self.graph = graph()
            self.env = LiteEFG.OpenSpielEnv(pyspiel.load_game(name), traverse_type="Enumerate")
            self.env.set_graph(self.graph)

    def run(self, iterations: int) -> None:
        for _ in range(iterations):
            self.graph.update_graph(self.env)
            self.env.update_strategy(self.graph.current_strategy())
