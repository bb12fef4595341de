"""The histories of a small game as arrays, which sampling solvers walk through.

Unlike a `Tree` they know the order of moves. They are found by walking the game in OpenSpiel, which
is slow and meant for up to some hundred thousand leaves.
"""

from typing import NamedTuple

import numpy as np
import pyspiel

from solvers.exact.profiles import ProfilePolicy, key_of, uniform
from solvers.exact.sequence_form import Form
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.tree import Tree


class Nodes(NamedTuple):
    """All nodes of a game. Node 0 is the root; forced moves have no node."""

    mover: np.ndarray  # [nodes] a seat, CHANCE or TERMINAL
    child: np.ndarray  # [nodes] the first of its children, which are numbered consecutively
    children: np.ndarray  # [nodes] how many there are
    sequence: np.ndarray  # [nodes] the first sequence of a decision's information set
    probability: np.ndarray  # [nodes] of coming here from the parent, if that was chance's move
    utilities: np.ndarray  # [nodes, players] at the end


class GrowingNodes:
    """The lists that become the arrays."""

    def __init__(self, tree: Tree, form: Form) -> None:
        self.form = form
        self.known = ProfilePolicy(tree, uniform(tree)).known
        self.mover, self.child, self.count, self.sequence = [0], [0], [0], [0]
        self.probability = [1.0]
        self.utilities = [[0.0] * tree.players]
        self.visit(pyspiel.load_game(tree.name).new_initial_state(), 0)

    def visit(self, state: pyspiel.State, node: int) -> None:
        actions = state.legal_actions()
        while len(actions) == 1:
            state = state.child(actions[0])
            actions = state.legal_actions()
        if state.is_terminal():
            self.mover[node], self.utilities[node] = TERMINAL, state.returns()
            return
        chances = [1.0] * len(actions)
        if state.is_chance_node():
            self.mover[node], chances = CHANCE, [p for _, p in state.chance_outcomes()]
        else:
            seat = self.mover[node] = state.current_player()
            number = self.form.sets[seat] + self.known[seat][key_of(state, seat)]
            self.sequence[node] = self.form.first[number]
        for child, action in enumerate(actions, self.add_children(node, chances)):
            self.visit(state.child(action), child)

    def add_children(self, node: int, chances: list[float]) -> int:
        """Add the children of a node; return the number of the first."""
        first, n = len(self.mover), len(chances)
        self.child[node], self.count[node] = first, n
        for numbers in (self.mover, self.child, self.count, self.sequence):
            numbers += [0] * n
        self.probability += chances
        self.utilities += [self.utilities[0]] * n
        return first


def list_nodes(tree: Tree, form: Form) -> Nodes:
    grown = GrowingNodes(tree, form)
    return Nodes(
        mover=np.array(grown.mover, np.int8),
        child=np.array(grown.child, np.int32),
        children=np.array(grown.count, np.int32),
        sequence=np.array(grown.sequence, np.int32),
        probability=np.array(grown.probability),
        utilities=np.array(grown.utilities, float),
    )
