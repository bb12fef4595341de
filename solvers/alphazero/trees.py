"""Thousands of search trees, one for each world of each position, that advance together.

A simulation goes down each tree to a leaf (`descend`), all leaves are valued together, by one call
of a network, and the values go up again (`back_up`). A tree keeps no positions: each descent plays
on from its world, so a node costs only its edges. Chance follows from the world alone, so that all
actions meet the same draws; forced moves are no nodes.

The parallel loops only call functions that do the work: where such a loop itself assigns a record
to an array of a named tuple, Numba's compiler drops the assignment.

Actions are counted among the legal ones: *slot* k is the k-th. Values in a tree are those for the
side of seat 0.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from solvers.alphazero.edges import EDGE, choose_slot, open_edges
from solvers.environments.environment import Positions
from solvers.search.endings import is_open
from solvers.search.network_rollouts import play, to_decision
from spielgames.core.cards import NONE, count, inlined, int64, nth
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import Luck, below, forward, stream
from spielgames.core.record import TERMINAL, State
from spielgames.core.verbs import returns

ROOT = int64(0)
NO_SLOT = -1
ASKED, OPEN, KNOWN = range(3)  # who values a leaf: the network, the solver, or the tree itself

NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("parent", "i4"),
                ("slot", "i4"),  # by which the parent leads here
                ("value", "f4"),  # as it was valued when it was new
                ("ended", "?"),  # the value is exact; nothing is searched below
            ],
            align=True,
        ),
    )
)


class Terms(NamedTuple):
    """How the trees are searched."""

    signs: np.ndarray  # [players] 1 on the side of seat 0, −1 on the other
    scale: float  # the utility that counts as 1
    exploration: float  # PUCT's constant, or BY_VALUE


class Trees(NamedTuple):
    """Node k is made by simulation k, the root by simulation 0."""

    edges: np.ndarray  # [trees, nodes, slots]
    nodes: np.ndarray  # [trees, nodes]
    at: np.ndarray  # [trees] the node that the simulation has reached
    judges: np.ndarray  # [trees] who values it: ASKED, OPEN or KNOWN
    utilities: np.ndarray  # [trees, players] scratch
    scores: np.ndarray  # [trees, slots] scratch


def plant(trees: int, simulations: int, slots: int, players: int) -> Trees:
    """Room for that many trees. Edges are cleared when their node is opened."""
    edges = np.empty((trees, simulations + 1, slots), EDGE)
    edges[:, ROOT] = np.zeros((), EDGE)
    return Trees(
        edges,
        np.zeros((trees, simulations + 1), NODE),
        np.zeros(trees, np.int64),
        np.zeros(trees, np.int8),
        np.empty((trees, players)),
        np.empty((trees, slots)),
    )


@Kernel
def descend(
    first: np.ndarray,
    k: int,
    worlds: Positions,
    leaves: Positions,
    trees: Trees,
    terms: Terms,
) -> None:
    """Simulation k: go down from each world to a new node, or to one whose value is known. `first`
    has the slot of the first action, or NO_SLOT to choose that by the rule, too.
    """
    for t in prange(len(first)):
        go_down(t, first[t], k, worlds, leaves, trees, terms)


@linked
def go_down(
    t: int,
    slot: int,
    k: int,
    worlds: Positions,
    leaves: Positions,
    trees: Trees,
    terms: Terms,
) -> None:
    leaves.states[t] = worlds.states[t]
    s, luck, actions = leaves.states[t], worlds.luck[t], worlds.sets[t]
    node, depth, is_new = ROOT, int64(worlds.depth[t]), False
    while not is_new and not trees.nodes[t, node].ended:
        if slot == NO_SLOT:
            sign, raw = terms.signs[s.turn], trees.nodes[t, node].value
            row, scores = trees.edges[t, node], trees.scores[t]
            slot = choose_slot(row, count(actions), sign, raw, terms.exploration, scores)
        play(s, nth(actions, slot), luck)
        actions = to_decision(s, luck)
        depth += 1
        edge = trees.edges[t, node, slot]
        is_new = edge.child == ROOT
        if is_new:
            edge.child = k
            note_node(trees.nodes[t, k], s, node, slot, trees.utilities[t], terms.scale)
        node, slot = int64(edge.child), NO_SLOT
    trees.at[t] = node
    trees.judges[t] = judge_of(s, trees.nodes[t, node].ended)
    if is_new and trees.judges[t] == OPEN:
        trees.nodes[t, node].ended = True
    leaves.actors[t] = s.turn
    leaves.sets[t] = actions
    leaves.depth[t] = depth


@inlined
def note_node(
    n: State, s: State, parent: int, slot: int, utilities: np.ndarray, scale: float
) -> None:
    n.parent = parent
    n.slot = slot
    n.ended = s.turn == TERMINAL
    if n.ended:
        returns(s, utilities)
        n.value = utilities[0] / scale


@inlined
def judge_of(s: State, is_ended: bool) -> int:
    if is_ended:
        return KNOWN
    return OPEN if is_open(s) else ASKED


@Kernel
def open_nodes(rows: np.ndarray, logits: np.ndarray, leaves: Positions, trees: Trees) -> None:
    """Make the edges below the leaves of the trees `rows`; priors are the softmax of the logits."""
    for j in prange(len(rows)):
        t = rows[j]
        open_edges(trees.edges[t, trees.at[t]], leaves.sets[t], logits[j])


@Kernel
def roll_out(
    rows: np.ndarray,
    k: int,
    worlds: Positions,
    leaves: Positions,
    trees: Trees,
    terms: Terms,
    out: np.ndarray,
) -> None:
    """Play the leaves of the trees `rows` to the end at random; write the values for the seats that
    were to move there.
    """
    for j in prange(len(rows)):
        t = rows[j]
        play_out(t, stream(worlds.luck[t], k), worlds, leaves, trees.utilities[t])
        out[j] = terms.signs[leaves.actors[t]] * trees.utilities[t, 0] / terms.scale


@linked
def play_out(t: int, whim: Luck, worlds: Positions, leaves: Positions, out: np.ndarray) -> None:
    s, luck, actions = leaves.states[t], worlds.luck[t], leaves.sets[t]
    while actions != NONE:
        whim = forward(whim)
        play(s, nth(actions, below(whim, count(actions))), luck)
        actions = to_decision(s, luck)
    returns(s, out)


@Kernel
def back_up(at: np.ndarray, trees: Trees) -> None:
    """Count the value of each tree's leaf along the way from the root."""
    for t in prange(len(at)):
        go_up(trees.edges[t], trees.nodes[t], at[t])


@linked
def go_up(edges: np.ndarray, nodes: np.ndarray, node: int) -> None:
    value = nodes[node].value
    while node != ROOT:
        n = nodes[node]
        e = edges[n.parent, n.slot]
        e.visits += 1
        e.total += value
        node = int64(n.parent)
