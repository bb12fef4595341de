"""The Coinche paper's sampling (its algorithm 3) with tables in place of networks.

solver = OnPolicy(tree, seed=1, samples=4)
solver.run(1000)

In this external sampling the learning seat does not try every action, but draws `samples` actions
from its own strategy (an action drawn twice is tried once). An action of probability 0 is thus
never tried again, and its regret stays what it was.
"""

from solvers.exact.cfr import match_regrets
from solvers.exact.mccfr import Mccfr, Tables, draw, draw_child, note_plan, note_regret
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
        iterate_on_policy(self.nodes, self.tables, self.seed, self.samples, self.iterations, last)
        self.iterations = last


@compiled
def iterate_on_policy(
    nodes: Nodes, tables: Tables, seed: int, samples: int, done: int, last: int
) -> None:
    players = nodes.utilities.shape[1]
    for t in range(done * players, last * players):
        tables.luck[0] = stream(seed, t)
        sample(nodes, tables, t % players, samples)


@inlined
def sample(nodes: Nodes, tables: Tables, seat: int, samples: int) -> None:
    for i in range(visit_tried(nodes, tables, seat, samples) - 1, -1, -1):
        node = tables.visited[i]
        if nodes.mover[node] == seat:
            learn_tried(nodes, tables, node, i)
        elif nodes.mover[node] == TERMINAL:
            tables.worth[i] = nodes.utilities[node, seat]
        else:
            tables.worth[i] = tables.worth[tables.below[i]]


@inlined
def visit_tried(nodes: Nodes, tables: Tables, seat: int, samples: int) -> int:
    """List the nodes to visit; return their number. The children of the i-th are those from
    `below[i]` to `below[i + 1]`.
    """
    i, end = 0, 1
    while i < end:
        node = tables.visited[i]
        tables.below[i] = end
        if nodes.mover[node] == seat:
            end = try_actions(nodes, tables, node, end, samples)
        elif nodes.mover[node] != TERMINAL:
            tables.visited[end] = draw_child(nodes, tables, node)
            end += 1
            note_plan(nodes, tables, node, seat)
        i += 1
    tables.below[end] = end
    return end


@inlined
def try_actions(nodes: Nodes, tables: Tables, node: int, end: int, samples: int) -> int:
    """List the children that a seat draws, each once; return the end of the list."""
    begin = end
    for _ in range(samples):
        child = nodes.child[node]
        child += draw(tables.strategy, nodes.sequence[node], nodes.children[node], tables)
        known = False
        for j in range(begin, end):
            known = known or tables.visited[j] == child
        if not known:
            tables.visited[end] = child
            end += 1
    return end


@inlined
def learn_tried(nodes: Nodes, tables: Tables, node: int, i: int) -> None:
    """Add the regrets of the actions tried; those of the others are estimated as 0."""
    first, n = nodes.sequence[node], nodes.children[node]
    value = 0.0
    for j in range(tables.below[i], tables.below[i + 1]):
        value += tables.strategy[first + tables.visited[j] - nodes.child[node]] * tables.worth[j]
    for a in range(first, first + n):
        note_regret(tables, a, 0.0)
    for j in range(tables.below[i], tables.below[i + 1]):
        a = first + tables.visited[j] - nodes.child[node]
        note_regret(tables, a, tables.worth[j] - value)
    match_regrets(tables.strategy, first, first + n)
    tables.worth[i] = value
