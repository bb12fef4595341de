"""Tree search with PUCT in plain Python, in one world of a game whose only chance is the deal."""

from dataclasses import dataclass, field

import numpy as np

from solvers.environments.environment import Positions
from solvers.search.endings import exact_values, open_rows
from spielgames.core.cards import members
from tests.solvers.alphazero.toys import ToyGuide


@dataclass
class Node:
    position: Positions
    value: float  # for the side of seat 0
    priors: dict[int, float]  # of each action; none where nothing is searched
    visits: dict[int, int] = field(default_factory=dict)
    totals: dict[int, float] = field(default_factory=dict)
    children: dict[int, "Node"] = field(default_factory=dict)


class Oracle:
    def __init__(self, guide: ToyGuide, exploration: float) -> None:
        self.env, self.judge, self.scale = guide.env, guide.judge, guide.scale
        self.exploration = exploration

    def sign(self, position: Positions) -> int:
        sides = self.env.game.sides
        return 1 if sides[position.actors[0]] == sides[0] else -1

    def node(self, position: Positions) -> Node:
        if position.ended[0]:
            return Node(position, self.env.returns(position)[0, 0] / self.scale, {})
        if open_rows(position.states)[0]:
            value = exact_values(self.env.game, position.states)[0] / self.scale
            return Node(position, self.sign(position) * value, {})
        logits, values = self.judge(position)
        weights = {a: np.exp(logits[0, a]) for a in members(position.sets[0])}
        priors = {a: weight / sum(weights.values()) for a, weight in weights.items()}
        return Node(position, self.sign(position) * values[0], priors)

    def simulate(self, node: Node) -> float:
        """Return the value that goes up, for the side of seat 0."""
        if not node.priors:
            return node.value
        a = max(node.priors, key=lambda a: self.bound(node, a))
        if a in node.children:
            value = self.simulate(node.children[a])
        else:
            child = self.env.follow(node.position, np.zeros(1, np.int64), np.array([a]))
            node.children[a] = self.node(child)
            value = node.children[a].value
        node.visits[a] = node.visits.get(a, 0) + 1
        node.totals[a] = node.totals.get(a, 0) + value
        return value

    def bound(self, node: Node, a: int) -> float:
        visits = node.visits.get(a, 0)
        mean = self.sign(node.position) * node.totals[a] / visits if visits else 0
        all_visits = 1 + sum(node.visits.values())
        return mean + self.exploration * node.priors[a] * np.sqrt(all_visits) / (1 + visits)
