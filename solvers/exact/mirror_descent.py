"""Magnetic mirror descent (Sokota et al. 2023) on a whole tree, with the dilated entropy.

solver = MirrorDescent(tree)
solver.run(1000)
profile = solver.current()

Each seat climbs the values of its sequences, held back by its last strategy and pulled to a magnet.
With a constant temperature the strategies themselves converge, to an equilibrium of the game with
that much entropy; to one of the game itself if it falls, or if the magnet follows (`move_magnet`).
Proven for two players with opposite interests; runs for any number.
"""

from typing import NamedTuple

import numpy as np

from solvers.exact.profiles import Profile, uniform
from solvers.exact.sequence_form import Form, flatten, leaf_values, profile_of_plans, reach_down
from spielgames.core.cache import compiled
from spielgames.core.cards import inlined
from spielgames.core.tree import Tree


class Pull(NamedTuple):
    """In iteration t the temperature is temperature / t^cooling × the largest utility."""

    temperature: float = 0.1  # how strongly the magnet pulls; smaller for deeper games
    cooling: float = 0.75  # quick at first; above 0.5 the pull fades too soon: Kuhn stays at 0.02
    haste: float = 10.0  # steps are so many times as long as the proof of convergence allows


class Memory(NamedTuple):
    """Every array is over all seats' sequences."""

    strategy: np.ndarray
    logs: np.ndarray  # of the strategy: tiny probabilities must not become 0
    magnet: np.ndarray  # logarithms too
    reach: np.ndarray
    values: np.ndarray
    plans: np.ndarray  # the reaches of all iterations, summed


class MirrorDescent:
    def __init__(self, tree: Tree, pull: Pull = Pull()) -> None:  # noqa: B008  (immutable)
        self.tree, self.pull, self.form = tree, pull, flatten(tree)
        self.heat = pull.temperature * np.abs(tree.payoffs).max()  # in the first iteration
        self.stride = pull.haste * self.heat / np.square(self.form.weight).max()
        self.iterations = 0
        even = np.concatenate(uniform(tree))
        self.memory = Memory(even, np.log(even), np.log(even), *np.zeros((3, len(even))))
        for seat in range(tree.players):
            reach_down(self.form, seat, self.memory.strategy, self.memory.reach)

    def run(self, iterations: int) -> None:
        """Goes on from where it is."""
        settings = self.heat, self.stride, self.pull.cooling, self.iterations, iterations
        iterate(self.form, self.memory, *settings)
        self.iterations += iterations

    def move_magnet(self) -> None:
        """To where the strategies are now."""
        self.memory.magnet[:] = self.memory.logs

    def current(self) -> Profile:
        """The last strategies: what converges."""
        return self.form.split(self.memory.strategy.copy())

    def average(self) -> Profile:
        return profile_of_plans(self.tree, self.form.split(self.memory.plans))


@compiled(error_model="numpy")  # checking divisions for 0 costs a fifth
def iterate(
    form: Form,
    memory: Memory,
    heat: float,
    stride: float,
    cooling: float,
    done: int,
    iterations: int,
) -> None:
    players = len(form.origin) - 1
    for t in range(done + 1, done + iterations + 1):
        temperature, step = heat / t**cooling, stride / t**cooling
        memory.plans[:] += memory.reach
        for seat in range(players):
            leaf_values(form, seat, memory.reach, memory.values)
            descend(form, memory, seat, step, temperature)
        for seat in range(players):
            reach_down(form, seat, memory.strategy, memory.reach)


@inlined
def descend(form: Form, memory: Memory, seat: int, step: float, temperature: float) -> None:
    """The next strategy, from the last information sets to the first: it maximises
    step · (value − temperature · divergence from the magnet) − divergence from the last strategy.
    What an information set attains goes up the treeplex as its value.
    """
    slack = 1.0 + step * temperature
    for i in range(form.sets[seat + 1] - 1, form.sets[seat] - 1, -1):
        first, end = form.first[i], form.end[i]
        for a in range(first, end):
            pulled = memory.values[a] + temperature * memory.magnet[a]
            memory.logs[a] = (memory.logs[a] + step * pulled) / slack
        total = normalise_logs(memory.logs, memory.strategy, first, end)
        memory.values[form.parent[i]] += total * slack / step


@inlined
def normalise_logs(logs: np.ndarray, strategy: np.ndarray, first: int, end: int) -> float:
    """Makes probabilities of the logarithms of weights; the logarithm of their sum."""
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
