"""Magnetic mirror descent (Sokota et al. 2023) on a whole tree, with the dilated entropy.

solver = MirrorDescent(tree)
solver.run(1000)
profile = solver.current()

Each seat climbs the values of its sequences, held back by its last strategy and pulled to a magnet.
With a constant temperature the strategies themselves converge to an equilibrium of the game with
that much entropy; if the temperature falls, or the magnet follows (`move_magnet`), to one of the
game itself. That is proven for two-player zero-sum games; the solver runs for any number of seats.
"""

from typing import NamedTuple

import numpy as np

from solvers.exact.profiles import Profile, uniform
from solvers.exact.sequence_form import Form, flatten, leaf_values, profile_of_plans, reach_down
from spielgames.core.cache import compiled
from spielgames.core.cards import inlined
from spielgames.core.tree import Tree


class Pull(NamedTuple):
    """The settings. In iteration t the temperature is temperature / t^cooling × the largest
    utility.
    """

    temperature: float = 0.1  # how strongly the magnet pulls; smaller for deeper games
    cooling: float = 0.75  # quick at first; above 0.5 the pull fades too soon: Kuhn stays at 0.02
    haste: float = 10.0  # how many times as long steps are as the proof of convergence allows


class Tables(NamedTuple):
    """The numbers that an iteration reads and writes, each over all seats' sequences."""

    strategy: np.ndarray
    logs: np.ndarray  # of the strategy: tiny probabilities must not become 0
    magnet: np.ndarray  # logarithms too
    reach: np.ndarray
    values: np.ndarray
    plans: np.ndarray  # the reaches of all iterations, summed


class MirrorDescent:
    """A solver."""

    def __init__(self, tree: Tree, pull: Pull = Pull()) -> None:  # noqa: B008  (immutable)
        self.tree, self.pull, self.form = tree, pull, flatten(tree)
        self.heat = pull.temperature * np.abs(tree.payoffs).max()  # in the first iteration
        self.stride = pull.haste * self.heat / np.square(self.form.weight).max()
        self.iterations = 0
        even = np.concatenate(uniform(tree))
        self.tables = Tables(even, np.log(even), np.log(even), *np.zeros((3, len(even))))
        for seat in range(tree.players):
            reach_down(self.form, seat, self.tables.strategy, self.tables.reach)

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        settings = self.heat, self.stride, self.pull.cooling, self.iterations, iterations
        iterate(self.form, self.tables, *settings)
        self.iterations += iterations

    def move_magnet(self) -> None:
        """Move the magnet to the present strategies."""
        self.tables.magnet[:] = self.tables.logs

    def current(self) -> Profile:
        """The last strategies, which converge."""
        return self.form.split(self.tables.strategy.copy())

    def average(self) -> Profile:
        return profile_of_plans(self.tree, self.form.split(self.tables.plans))


@compiled(error_model="numpy")  # checking divisions for 0 costs a fifth
def iterate(
    form: Form,
    tables: Tables,
    heat: float,
    stride: float,
    cooling: float,
    done: int,
    iterations: int,
) -> None:
    players = len(form.origin) - 1
    for t in range(done + 1, done + iterations + 1):
        temperature, step = heat / t**cooling, stride / t**cooling
        tables.plans[:] += tables.reach
        for seat in range(players):
            leaf_values(form, seat, tables.reach, tables.values)
            descend(form, tables, seat, step, temperature)
        for seat in range(players):
            reach_down(form, seat, tables.strategy, tables.reach)


@inlined
def descend(form: Form, tables: Tables, seat: int, step: float, temperature: float) -> None:
    """Find the next strategy, from the last information sets to the first: it maximises
    step · (value − temperature · divergence from the magnet) − divergence from the last strategy.
    The maximum goes up the treeplex as the value of the information set.
    """
    slack = 1.0 + step * temperature
    for i in range(form.sets[seat + 1] - 1, form.sets[seat] - 1, -1):
        first, end = form.first[i], form.end[i]
        for a in range(first, end):
            pulled = tables.values[a] + temperature * tables.magnet[a]
            tables.logs[a] = (tables.logs[a] + step * pulled) / slack
        total = normalise_logs(tables.logs, tables.strategy, first, end)
        tables.values[form.parent[i]] += total * slack / step


@inlined
def normalise_logs(logs: np.ndarray, strategy: np.ndarray, first: int, end: int) -> float:
    """Turn logarithms of weights into those of probabilities; return the logarithm of their sum."""
    top = logs[first]
    for a in range(first + 1, end):
        top = max(top, logs[a])
    total = 0.0
    for a in range(first, end):
        total += np.exp(logs[a] - top)
    total = top + np.log(total)
    for a in range(first, end):
        logs[a] -= total
        strategy[a] = np.exp(logs[a])
    return total
