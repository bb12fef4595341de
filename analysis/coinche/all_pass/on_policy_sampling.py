"""The Coinche paper's sampling (its algorithm 3) with tables in place of networks.

solver = OnPolicy(tree, seed=1, samples=4)
solver.run(1000)

In this external sampling the learning seat does not try every action, but draws `samples` actions
from its own strategy (an action drawn twice is tried once). An action of probability 0 is thus
never tried again, and its regret stays what it was.
"""

from solvers.exact.cfr import match_regrets
from solvers.exact.mccfr import Mccfr, Memory, draw, draw_child, note_plan, note_regret
from solvers.exact.nodes import Nodes
from spielgames.core.cache import compiled
from spielgames.core.cards import inlined
from spielgames.core.luck import stream
from spielgames.core.record import TERMINAL
from spielgames.core.tree import Tree


class OnPolicy(Mccfr):
    def __init__(self, tree: Tree, seed: int = 0, samples: int = 4) -> None:
        super().__init__(tree, seed=seed)
        self.samples = samples

    def run(self, iterations: int) -> None:
        last = self.iterations + iterations
        iterate_on_policy(self.nodes, self.memory, self.seed, self.samples, self.iterations, last)
        self.iterations = last


@compiled
def iterate_on_policy(
    nodes: Nodes, memory: Memory, seed: int, samples: int, done: int, last: int
) -> None:
    players = nodes.utilities.shape[1]
    for t in range(done * players, last * players):
        memory.luck[0] = stream(seed, t)
        sample(nodes, memory, t % players, samples)


@inlined
def sample(nodes: Nodes, memory: Memory, seat: int, samples: int) -> None:
    for i in range(visit_tried(nodes, memory, seat, samples) - 1, -1, -1):
        node = memory.visited[i]
        if nodes.mover[node] == seat:
            learn_tried(nodes, memory, node, i)
        elif nodes.mover[node] == TERMINAL:
            memory.worth[i] = nodes.utilities[node, seat]
        else:
            memory.worth[i] = memory.worth[memory.below[i]]


@inlined
def visit_tried(nodes: Nodes, memory: Memory, seat: int, samples: int) -> int:
    """List the nodes to visit; return their number. The children of the i-th are those from
    `below[i]` to `below[i + 1]`.
    """
    i, end = 0, 1
    while i < end:
        node = memory.visited[i]
        memory.below[i] = end
        if nodes.mover[node] == seat:
            end = try_actions(nodes, memory, node, end, samples)
        elif nodes.mover[node] != TERMINAL:
            memory.visited[end] = draw_child(nodes, memory, node)
            end += 1
            note_plan(nodes, memory, node, seat)
        i += 1
    memory.below[end] = end
    return end


@inlined
def try_actions(nodes: Nodes, memory: Memory, node: int, end: int, samples: int) -> int:
    """List the children that a seat draws, each once; return the end of the list."""
    begin = end
    for _ in range(samples):
        child = nodes.child[node]
        child += draw(memory.strategy, nodes.sequence[node], nodes.children[node], memory)
        known = False
        for j in range(begin, end):
            known = known or memory.visited[j] == child
        if not known:
            memory.visited[end] = child
            end += 1
    return end


@inlined
def learn_tried(nodes: Nodes, memory: Memory, node: int, i: int) -> None:
    """Add the regrets of the actions tried; those of the others are estimated as 0."""
    first, n = nodes.sequence[node], nodes.children[node]
    value = 0.0
    for j in range(memory.below[i], memory.below[i + 1]):
        value += memory.strategy[first + memory.visited[j] - nodes.child[node]] * memory.worth[j]
    for a in range(first, first + n):
        note_regret(memory, a, 0.0)
    for j in range(memory.below[i], memory.below[i + 1]):
        a = first + memory.visited[j] - nodes.child[node]
        note_regret(memory, a, memory.worth[j] - value)
    match_regrets(memory.strategy, first, first + n)
    memory.worth[i] = value
