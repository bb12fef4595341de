"""Monte Carlo counterfactual regret minimisation (Lanctot et al. 2009) on a small game's histories.

solver = Mccfr(tree, sampling="external", seed=1)
solver.run(100_000)
profile = solver.average()

The tabular oracles for solvers that learn from samples: the regrets of an iteration are on average
those of `solvers.exact.cfr`.
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


class Memory(NamedTuple):
    """What an iteration reads and writes: over all seats' sequences; along the nodes it visits, in
    their order, where children come after their parents; and its position in the random stream.
    """

    strategy: np.ndarray  # [sequences]
    regrets: np.ndarray
    plans: np.ndarray
    visited: np.ndarray  # [nodes] their numbers
    below: np.ndarray  # [nodes] where in `visited` the first visited child of each is
    worth: np.ndarray  # [nodes] the value of each to the learning seat
    luck: np.ndarray  # [1]


class Mccfr:
    """`exploration`: how often a seat that samples its own outcomes takes a random action."""

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
        self.memory = Memory(
            *(even, np.zeros(len(even)), np.zeros(len(even))),
            *(np.zeros(size, np.int32), np.zeros(size, np.int32), np.zeros(size)),
            np.zeros(1, np.uint64),
        )

    def run(self, iterations: int) -> None:
        """Goes on from where it is; an iteration samples once for every seat."""
        settings = self.seed, self.sampling == "external", self.exploration
        last = self.iterations + iterations
        iterate(self.nodes, self.memory, *settings, self.iterations, last)
        self.iterations = last

    def average(self) -> Profile:
        """What converges."""
        return profile_of_plans(self.tree, self.form.split(self.memory.plans))

    def current(self) -> Profile:
        return self.form.split(self.memory.strategy.copy())


@compiled
def iterate(
    nodes: Nodes,
    memory: Memory,
    seed: int,
    external: bool,
    exploration: float,
    done: int,
    last: int,
) -> None:
    players = nodes.utilities.shape[1]
    for t in range(done * players, last * players):
        memory.luck[0] = stream(seed, t)
        if external:
            sample_external(nodes, memory, t % players)
        else:
            sample_outcome(nodes, memory, t % players, exploration)


@inlined
def sample_external(nodes: Nodes, memory: Memory, seat: int) -> None:
    """Every action of one seat, but one of each other's and of chance, which are drawn as they are
    played. No recursion: Numba's cache breaks it.
    """
    for i in range(visit(nodes, memory, seat) - 1, -1, -1):
        node = memory.visited[i]
        if nodes.mover[node] == seat:
            learn(nodes, memory, node, i)
        elif nodes.mover[node] == TERMINAL:
            memory.worth[i] = nodes.utilities[node, seat]
        else:
            memory.worth[i] = memory.worth[memory.below[i]]


@inlined
def visit(nodes: Nodes, memory: Memory, seat: int) -> int:
    """Lists the nodes to visit; how many they are."""
    i, end = 0, 1  # the root is always visited[0]
    while i < end:
        node = memory.visited[i]
        memory.below[i] = end
        if nodes.mover[node] == seat:
            for k in range(nodes.children[node]):
                memory.visited[end + k] = nodes.child[node] + k
            end += nodes.children[node]
        elif nodes.mover[node] != TERMINAL:
            memory.visited[end] = draw_child(nodes, memory, node)
            end += 1
            note_plan(nodes, memory, node, seat)
        i += 1
    return end


@inlined
def draw_child(nodes: Nodes, memory: Memory, node: int) -> int:
    """As chance or the strategy has it."""
    child, n = nodes.child[node], nodes.children[node]
    if nodes.mover[node] == CHANCE:
        return child + draw(nodes.probability, child, n, memory)
    return child + draw(memory.strategy, nodes.sequence[node], n, memory)


@inlined
def note_plan(nodes: Nodes, memory: Memory, node: int, seat: int) -> None:
    """Each seat's strategy enters the average while the seat before it learns."""
    if nodes.mover[node] == (seat + 1) % nodes.utilities.shape[1]:
        first = nodes.sequence[node]
        for a in range(first, first + nodes.children[node]):
            memory.plans[a] += memory.strategy[a]


@inlined
def learn(nodes: Nodes, memory: Memory, node: int, i: int) -> None:
    """The seat at a node, the i-th visited, compares what its actions were worth."""
    first, below, n = nodes.sequence[node], memory.below[i], nodes.children[node]
    value = 0.0
    for k in range(n):
        value += memory.strategy[first + k] * memory.worth[below + k]
    for k in range(n):
        note_regret(memory, first + k, memory.worth[below + k] - value)
    match_regrets(memory.strategy, first, first + n)
    memory.worth[i] = value


@inlined
def sample_outcome(nodes: Nodes, memory: Memory, seat: int, exploration: float) -> None:
    """One history, in which one seat explores."""
    last, sampled = explore_history(nodes, memory, seat, exploration)
    estimate = nodes.utilities[memory.visited[last], seat]
    for i in range(last - 1, -1, -1):
        node = memory.visited[i]
        if nodes.mover[node] == seat:
            first, n = nodes.sequence[node], nodes.children[node]
            taken = first + memory.visited[i + 1] - nodes.child[node]
            chosen, chance = memory.strategy[taken], odds(memory, taken, n, exploration)
            estimate /= chance  # the value of the action; that of those not taken is put at 0
            sampled /= chance
            for a in range(first, first + n):
                gained = estimate if a == taken else 0.0
                note_regret(memory, a, (gained - chosen * estimate) / sampled)
            match_regrets(memory.strategy, first, first + n)
            estimate *= chosen


@inlined
def explore_history(
    nodes: Nodes, memory: Memory, seat: int, exploration: float
) -> tuple[int, float]:
    """Where in `visited` it ends, and how likely the seat's own moves were. On the way: how likely
    it would come here by its strategy (`own`), as it explores (`sampled`), and how likely chance
    and all others do; the strategy enters the average as often as if all were visited equally.
    """
    i, own, sampled, others = 0, 1.0, 1.0, 1.0
    while nodes.mover[memory.visited[i]] != TERMINAL:
        node = memory.visited[i]
        first, child, n = nodes.sequence[node], nodes.child[node], nodes.children[node]
        if nodes.mover[node] == seat:
            for a in range(first, first + n):
                memory.plans[a] += own * memory.strategy[a] / (sampled * others)
            k = explore(memory, first, n, exploration)
            own *= memory.strategy[first + k]
            sampled *= odds(memory, first + k, n, exploration)
        else:
            k = draw_child(nodes, memory, node) - child
            chance = nodes.mover[node] == CHANCE
            others *= nodes.probability[child + k] if chance else memory.strategy[first + k]
        i += 1
        memory.visited[i] = child + k
    return i, sampled


@inlined
def odds(memory: Memory, a: int, n: int, exploration: float) -> float:
    """How likely `explore` takes an action."""
    return exploration / n + (1.0 - exploration) * memory.strategy[a]


@inlined
def note_regret(memory: Memory, a: int, regret: float) -> None:
    """Leaves the positive part of the sum where `match_regrets` wants it."""
    memory.regrets[a] += regret
    memory.strategy[a] = max(memory.regrets[a], 0.0)


@inlined
def draw(probabilities: np.ndarray, first: int, n: int, memory: Memory) -> int:
    """One of n, with the probabilities from `first` on; never an impossible one."""
    memory.luck[0] = forward(memory.luck[0])
    left, drawn = fraction(memory.luck[0]), 0
    for k in range(n):
        if left >= 0.0 and probabilities[first + k] > 0.0:
            left -= probabilities[first + k]
            drawn = k
    return drawn


@inlined
def explore(memory: Memory, first: int, n: int, exploration: float) -> int:
    """One of n actions: any, or by the strategy."""
    memory.luck[0] = forward(memory.luck[0])
    if fraction(memory.luck[0]) < exploration:
        memory.luck[0] = forward(memory.luck[0])
        return int(fraction(memory.luck[0]) * n)
    return draw(memory.strategy, first, n, memory)
