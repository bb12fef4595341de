"""Monte Carlo counterfactual regret minimisation (Lanctot et al. 2009) on a small game's histories.

solver = Mccfr(tree, sampling="external", seed=1)
solver.run(100_000)
profile = solver.average()

It checks solvers that learn from samples: on average, the regrets of an iteration are those of
`solvers.exact.cfr`.
"""

from typing import NamedTuple

import numpy as np

from solvers.exact.cfr import match_regrets
from solvers.exact.nodes import Nodes, list_nodes
from solvers.exact.profiles import Profile, uniform
from solvers.exact.sequence_form import flatten, profile_of_plans
from spielgames.core.cache import compiled
from spielgames.core.cards import inlined
from spielgames.core.luck import forward, fraction, stream
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.tree import Tree

SAMPLINGS = ("external", "outcome")


class Tables(NamedTuple):
    """The numbers that an iteration reads and writes: over all seats' sequences; over the nodes it
    visits, children after their parents; and its position in the random stream.
    """

    strategy: np.ndarray  # [sequences]
    regrets: np.ndarray
    plans: np.ndarray
    visited: np.ndarray  # [nodes] their numbers
    below: np.ndarray  # [nodes] where in `visited` the first visited child of each is
    worth: np.ndarray  # [nodes] the value of each to the learning seat
    luck: np.ndarray  # [1]


class Mccfr:
    """A solver. `exploration`: how often outcome sampling takes a random action for its seat."""

    def __init__(
        self, tree: Tree, sampling: str = "external", seed: int = 0, exploration: float = 0.6
    ) -> None:
        if sampling not in SAMPLINGS:
            raise ValueError(f"sampling is one of {', '.join(SAMPLINGS)}, not {sampling!r}")
        self.tree, self.sampling, self.seed, self.exploration = tree, sampling, seed, exploration
        self.form = flatten(tree)
        self.nodes = list_nodes(tree, self.form)
        self.iterations = 0
        even = np.concatenate(uniform(tree))
        size = len(self.nodes.mover)
        self.tables = Tables(
            *(even, np.zeros(len(even)), np.zeros(len(even))),
            *(np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size)),
            np.zeros(1, np.uint64),
        )

    def run(self, iterations: int) -> None:
        """Run more iterations; each samples once for every seat."""
        settings = self.seed, self.sampling == "external", self.exploration
        last = self.iterations + iterations
        iterate(self.nodes, self.tables, *settings, self.iterations, last)
        self.iterations = last

    def average(self) -> Profile:
        """The average of all iterations' strategies, which converges."""
        return profile_of_plans(self.tree, self.form.split(self.tables.plans))

    def current(self) -> Profile:
        return self.form.split(self.tables.strategy.copy())


@compiled
def iterate(
    nodes: Nodes,
    tables: Tables,
    seed: int,
    external: bool,
    exploration: float,
    done: int,
    last: int,
) -> None:
    players = nodes.utilities.shape[1]
    for t in range(done * players, last * players):
        tables.luck[0] = stream(seed, t)
        if external:
            sample_external(nodes, tables, t % players)
        else:
            sample_outcome(nodes, tables, t % players, exploration)


@inlined
def sample_external(nodes: Nodes, tables: Tables, seat: int) -> None:
    """Follow every action of one seat, and a drawn one of chance and of each other seat. There is
    no recursion, because Numba cannot load recursive functions from its cache.
    """
    for i in range(visit(nodes, tables, seat) - 1, -1, -1):
        node = tables.visited[i]
        if nodes.mover[node] == seat:
            learn(nodes, tables, node, i)
        elif nodes.mover[node] == TERMINAL:
            tables.worth[i] = nodes.utilities[node, seat]
        else:
            tables.worth[i] = tables.worth[tables.below[i]]


@inlined
def visit(nodes: Nodes, tables: Tables, seat: int) -> int:
    """List the nodes to visit; return their number."""
    i, end = 0, 1  # the root is always visited[0]
    while i < end:
        node = tables.visited[i]
        tables.below[i] = end
        if nodes.mover[node] == seat:
            for k in range(nodes.children[node]):
                tables.visited[end + k] = nodes.child[node] + k
            end += nodes.children[node]
        elif nodes.mover[node] != TERMINAL:
            tables.visited[end] = draw_child(nodes, tables, node)
            end += 1
            note_plan(nodes, tables, node, seat)
        i += 1
    return end


@inlined
def draw_child(nodes: Nodes, tables: Tables, node: int) -> int:
    """Draw a child by the probabilities of chance or of the strategy."""
    child, n = nodes.child[node], nodes.children[node]
    if nodes.mover[node] == CHANCE:
        return child + draw(nodes.probability, child, n, tables)
    return child + draw(tables.strategy, nodes.sequence[node], n, tables)


@inlined
def note_plan(nodes: Nodes, tables: Tables, node: int, seat: int) -> None:
    """Add a seat's strategy to its average, while the seat before it learns."""
    if nodes.mover[node] == (seat + 1) % nodes.utilities.shape[1]:
        first = nodes.sequence[node]
        for a in range(first, first + nodes.children[node]):
            tables.plans[a] += tables.strategy[a]


@inlined
def learn(nodes: Nodes, tables: Tables, node: int, i: int) -> None:
    """Compare what the actions at a node, the i-th visited, were worth to its seat."""
    first, below, n = nodes.sequence[node], tables.below[i], nodes.children[node]
    value = 0.0
    for k in range(n):
        value += tables.strategy[first + k] * tables.worth[below + k]
    for k in range(n):
        note_regret(tables, first + k, tables.worth[below + k] - value)
    match_regrets(tables.strategy, first, first + n)
    tables.worth[i] = value


@inlined
def sample_outcome(nodes: Nodes, tables: Tables, seat: int, exploration: float) -> None:
    """Follow a single history, in which one seat explores."""
    last, sampled = explore_history(nodes, tables, seat, exploration)
    estimate = nodes.utilities[tables.visited[last], seat]
    for i in range(last - 1, -1, -1):
        node = tables.visited[i]
        if nodes.mover[node] == seat:
            first, n = nodes.sequence[node], nodes.children[node]
            taken = first + tables.visited[i + 1] - nodes.child[node]
            chosen, chance = tables.strategy[taken], odds(tables, taken, n, exploration)
            estimate /= chance  # the value of the action; the others' are estimated as 0
            sampled /= chance
            for a in range(first, first + n):
                gained = estimate if a == taken else 0.0
                note_regret(tables, a, (gained - chosen * estimate) / sampled)
            match_regrets(tables.strategy, first, first + n)
            estimate *= chosen


@inlined
def explore_history(
    nodes: Nodes, tables: Tables, seat: int, exploration: float
) -> tuple[int, float]:
    """Draw a history; return where in `visited` it ends and how likely the seat's own moves were.
    On the way, `own` is how likely the seat's strategy leads here, `sampled` its exploration, and
    `others` chance and the other seats; the average is corrected for how often nodes are visited.
    """
    i, own, sampled, others = 0, 1.0, 1.0, 1.0
    while nodes.mover[tables.visited[i]] != TERMINAL:
        node = tables.visited[i]
        first, child, n = nodes.sequence[node], nodes.child[node], nodes.children[node]
        if nodes.mover[node] == seat:
            for a in range(first, first + n):
                tables.plans[a] += own * tables.strategy[a] / (sampled * others)
            k = explore(tables, first, n, exploration)
            own *= tables.strategy[first + k]
            sampled *= odds(tables, first + k, n, exploration)
        else:
            k = draw_child(nodes, tables, node) - child
            chance = nodes.mover[node] == CHANCE
            others *= nodes.probability[child + k] if chance else tables.strategy[first + k]
        i += 1
        tables.visited[i] = child + k
    return i, sampled


@inlined
def odds(tables: Tables, a: int, n: int, exploration: float) -> float:
    """The probability that `explore` takes an action."""
    return exploration / n + (1.0 - exploration) * tables.strategy[a]


@inlined
def note_regret(tables: Tables, a: int, regret: float) -> None:
    """Add a regret, and leave the positive part of the sum where `match_regrets` expects it."""
    tables.regrets[a] += regret
    tables.strategy[a] = max(tables.regrets[a], 0.0)


@inlined
def draw(probabilities: np.ndarray, first: int, n: int, tables: Tables) -> int:
    """Draw one of n, with the probabilities from `first` on; never an impossible one."""
    tables.luck[0] = forward(tables.luck[0])
    left, drawn = fraction(tables.luck[0]), 0
    for k in range(n):
        if left >= 0.0 and probabilities[first + k] > 0.0:
            left -= probabilities[first + k]
            drawn = k
    return drawn


@inlined
def explore(tables: Tables, first: int, n: int, exploration: float) -> int:
    """Draw one of n actions: a uniformly random one, or by the strategy."""
    tables.luck[0] = forward(tables.luck[0])
    if fraction(tables.luck[0]) < exploration:
        tables.luck[0] = forward(tables.luck[0])
        return int(fraction(tables.luck[0]) * n)
    return draw(tables.strategy, first, n, tables)
