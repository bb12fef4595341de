"""Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), single observer.

The tree holds what one seat, the observer, may do and see. Below a node that is a *decision* hang
the actions that were tried there; below an action, what the observer saw happen, as decisions
again. Simulation k goes down through world k. An action is legal in some worlds only, so its bonus
for being tried rarely counts how often it was *available*, not how often the decision was met.
Moves that the observer does not see, and what comes after the first new action, go by the rules.
"""

import numpy as np

from spielgames.core.advance import advance, settle
from spielgames.core.cards import NONE, Cards, bit, count, has, inlined, int64, nth
from spielgames.core.inlining import linked
from spielgames.core.luck import Luck, below, forward, mix
from spielgames.core.players import choices, finish
from spielgames.core.record import State, is_visible
from spielgames.core.verbs import legal

ROOT = int64(0)  # stands for all that was done before
FIRST = int64(1)  # the decision to be made, the root's only child
NOTHING = int64(0)  # no child, no sibling: the root is neither
NODE = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("label", "u8"),  # the action; or a number that stands for what was seen
                ("tried", "u8"),  # the actions below a decision
                ("total", "f8"),  # of the utilities of the seat that chose this action
                ("squares", "f8"),
                ("visits", "i4"),
                ("available", "i4"),  # how often the action could be chosen
                ("child", "i4"),  # the newest
                ("sibling", "i4"),  # the next older
            ],
            align=True,
        ),
    )
)


@linked
def simulate(
    tree: np.ndarray,
    used: int,
    row: np.ndarray,
    seat: int,
    exploration: float,
    levels: np.ndarray,
    luck: Luck,
    path: np.ndarray,
    out: np.ndarray,
) -> int:
    """Go down in the world `row` to a new action, play on by the rules, and count the result along
    the way; the number of nodes used. `path` and `out`, one number per seat, are scratch.
    """
    s, at, known, depth, is_new = row[0], ROOT, int64(row[0].length), 0, False
    while s.turn >= 0 and not is_new:
        if s.private and s.turn != seat:
            luck = forward(luck)
            likely = choices(s, levels[s.turn])
            advance(s, nth(likely, below(luck, count(likely))))
        else:
            at, used = child(tree, at, seen_since(s, seat, known), used)
            actions = legal(s)
            untried = actions & ~tree[at].tried
            is_new = untried != NONE
            luck = forward(luck)
            if is_new:
                a = nth(untried, below(luck, count(untried)))
                tree[at].tried |= bit(a)
                child(tree, at, np.uint64(a), used)
                used += 1
            at = pick(tree, at, actions, exploration, luck)
            path[depth, 0], path[depth, 1] = at, s.turn
            depth += 1
            known = int64(s.length)
            advance(s, int64(tree[at].label))
        luck = settle(s, luck)
    finish(row, levels, luck, out)
    for d in range(depth):
        count_result(tree[path[d, 0]], out[path[d, 1]])
    return used


@inlined
def child(tree: np.ndarray, at: int, label: np.uint64, used: int) -> tuple[int, int]:
    """The child of that label, which is made if there is none; and the number of nodes used."""
    found = int64(tree[at].child)
    while found != NOTHING:
        if tree[found].label == label:
            return found, used
        found = int64(tree[found].sibling)
    tree[used].label = label
    tree[used].sibling = tree[at].child
    tree[at].child = used
    return used, used + 1


@inlined
def pick(tree: np.ndarray, at: int, actions: Cards, exploration: float, luck: Luck) -> int:
    """The child to follow among those whose actions are legal here, all of which were tried or one
    is new: that one, or the one with the highest upper confidence bound.
    """
    best, highest = NOTHING, -np.inf
    node = int64(tree[at].child)
    while node != NOTHING:
        n = tree[node]
        if has(actions, int64(n.label)):
            n.available += 1
            bound = np.inf
            if n.visits > 0:
                bonus = np.sqrt(np.log(n.available) / n.visits)
                bound = n.total / n.visits + exploration * bonus
            if bound > highest:
                best, highest = node, bound
        node = int64(n.sibling)
    return best


@inlined
def count_result(n: State, utility: float) -> None:
    n.visits += 1
    n.total += utility
    n.squares += utility * utility


@inlined
def seen_since(s: State, seat: int, t: int) -> np.uint64:
    """A number that stands for all that a seat has seen since event t."""
    code = mix(s.dealt[seat] ^ mix(s.gained[seat] ^ np.uint64(s.turn)))
    for k in range(t, s.length):
        event = int64(s.events[k])
        code = mix(code + np.uint64(event if is_visible(event, seat) else event & ~255))
    return code


@linked
def grow_tree(
    worlds: np.ndarray,
    luck: np.ndarray,
    levels: np.ndarray,
    exploration: float,
    tree: np.ndarray,
    path: np.ndarray,
    counts: np.ndarray,
) -> None:
    """Grow an empty tree through each of the worlds of one position, which are used up; add to
    `counts` the visits, results and squares of each action of the observer, whose turn it is.
    """
    seat, used, utilities = int64(worlds[0].turn), FIRST, np.zeros(len(levels))
    for k in range(len(worlds)):
        world = worlds[k : k + 1]
        used = simulate(tree, used, world, seat, exploration, levels, luck[k], path, utilities)
    node = int64(tree[FIRST].child)
    while node != NOTHING:
        n = tree[node]
        counts[n.label, 0] += n.visits
        counts[n.label, 1] += n.total
        counts[n.label, 2] += n.squares
        node = int64(n.sibling)
