"""Counterfactual regret minimisation (Zinkevich et al. 2007) on a whole tree, and its descendants.

solver = Cfr(tree, scheme="plus")
solver.run(1000)
profile = solver.average()

The variants differ only in what they remember of past regrets and how they average, so a scheme is
four numbers (in the notation of Brown and Sandholm 2019). They run for any number of seats;
convergence to an equilibrium is guaranteed only in two-player zero-sum games.
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from safetensors.numpy import load_file, save_file

from solvers.exact.profiles import Profile, uniform
from solvers.exact.sequence_form import (
    Form,
    expectation,
    flatten,
    leaf_values,
    profile_of_plans,
    reach_down,
)
from spielgames.core.cache import compiled
from spielgames.core.cards import inlined
from spielgames.core.tree import Tree


class Scheme(NamedTuple):
    """A variant of CFR."""

    alpha: float  # after iteration t, sums of regrets > 0 keep t^α / (t^α + 1) of themselves
    beta: float  # and those < 0 keep t^β / (t^β + 1)
    gamma: float  # iteration t counts t^γ in the average
    prediction: float = 0.0  # how often the last regrets are counted once more, as a forecast


SCHEMES = {
    "cfr": Scheme(np.inf, np.inf, 0.0),  # Zinkevich et al. 2007
    "plus": Scheme(np.inf, -np.inf, 1.0),  # Tammelin 2014
    "linear": Scheme(1.0, 1.0, 1.0),  # Brown and Sandholm 2019
    "discounted": Scheme(1.5, 0.0, 2.0),  # the same paper's recommendation
    "predictive": Scheme(np.inf, -np.inf, 2.0, 1.0),  # Farina, Kroer and Sandholm 2021
}


class Tables(NamedTuple):
    """The numbers that an iteration reads and writes, each over all seats' sequences."""

    strategy: np.ndarray
    reach: np.ndarray  # of the strategy, by each seat itself
    values: np.ndarray
    regrets: np.ndarray  # summed and discounted
    plans: np.ndarray  # the reaches of all iterations, summed and weighted


class Cfr:
    """A solver. If `alternating`, a seat already answers what those before it have just learnt."""

    def __init__(self, tree: Tree, scheme: str = "plus", alternating: bool = True) -> None:
        if scheme not in SCHEMES:
            raise ValueError(f"there is no scheme {scheme!r}; there are {', '.join(SCHEMES)}")
        self.tree, self.scheme, self.alternating = tree, scheme, alternating
        self.form = flatten(tree)
        self.iterations = 0
        blank = np.zeros((4, self.form.sequences))
        self.tables = Tables(np.concatenate(uniform(tree)), *blank)
        reach_all(self.form, self.tables)

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        settings = SCHEMES[self.scheme], self.alternating, self.iterations, iterations
        iterate(self.form, self.tables, *settings)
        self.iterations += iterations

    def average(self) -> Profile:
        """The average of all iterations' strategies, which converges."""
        return profile_of_plans(self.tree, self.form.split(self.tables.plans))

    def current(self) -> Profile:
        """The strategies of the next iteration."""
        return self.form.split(self.tables.strategy.copy())

    def save(self, path: Path) -> None:
        save_file(self.tables._asdict() | {"iterations": np.array(self.iterations)}, path)

    def load(self, path: Path) -> None:
        """Load what `save` has written for the same tree."""
        arrays = load_file(path)
        self.iterations = int(arrays.pop("iterations"))
        for name, array in arrays.items():
            getattr(self.tables, name)[:] = array


@compiled(error_model="numpy")  # checking divisions for 0 costs a fifth
def iterate(
    form: Form, tables: Tables, scheme: Scheme, alternating: bool, done: int, iterations: int
) -> None:
    for t in range(done + 1, done + iterations + 1):
        weight = t**scheme.gamma
        for seat in range(len(form.origin) - 1):
            average_plan(form, tables, seat, weight)
            leaf_values(form, seat, tables.reach, tables.values)
            learn(form, tables, seat, scheme, t)
            if alternating:
                reach_down(form, seat, tables.strategy, tables.reach)
        if not alternating:
            reach_all(form, tables)


@compiled(error_model="numpy")
def reach_all(form: Form, tables: Tables) -> None:
    for seat in range(len(form.origin) - 1):
        reach_down(form, seat, tables.strategy, tables.reach)


@inlined
def average_plan(form: Form, tables: Tables, seat: int, weight: float) -> None:
    for a in range(form.origin[seat], form.origin[seat + 1]):
        tables.plans[a] += weight * tables.reach[a]


@inlined
def learn(form: Form, tables: Tables, seat: int, scheme: Scheme, t: int) -> None:
    """Pass values up the treeplex; at each information set, add up regrets and choose the next
    strategy.
    """
    gains, losses = kept(t, scheme.alpha), kept(t, scheme.beta)
    for i in range(form.sets[seat + 1] - 1, form.sets[seat] - 1, -1):
        first, end = form.first[i], form.end[i]
        value = expectation(tables.strategy, tables.values, first, end)
        tables.values[form.parent[i]] += value
        for a in range(first, end):
            regret = tables.values[a] - value
            total = tables.regrets[a] + regret
            total *= gains if total > 0.0 else losses
            tables.regrets[a] = total
            tables.strategy[a] = max(total + scheme.prediction * regret, 0.0)
        match_regrets(tables.strategy, first, end)


@inlined
def kept(t: int, exponent: float) -> float:
    """t^x / (t^x + 1), which is 1 for an infinite x also when t is 1, and 0 for x = −∞."""
    if np.isinf(exponent):
        return 1.0 if exponent > 0 else 0.0
    return t**exponent / (t**exponent + 1.0)


@inlined
def match_regrets(strategy: np.ndarray, first: int, end: int) -> None:
    """Replace positive regrets by probabilities in proportion to them, or by even ones if there are
    none (Hart and Mas-Colell 2000).
    """
    total = 0.0
    for a in range(first, end):
        total += strategy[a]
    scale, even = (1.0 / total, 0.0) if total > 0.0 else (0.0, 1.0 / (end - first))
    for a in range(first, end):
        strategy[a] = strategy[a] * scale + even
