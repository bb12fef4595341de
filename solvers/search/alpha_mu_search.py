"""αμ (Cazenave and Ventos, "The αμ Search Algorithm for the Game of Bridge", 2019): what one seat
can win in several worlds at once, if it must act alike wherever it cannot tell them apart.

A *vector* is a set of worlds: those that are won. A *front* holds the vectors that strategies can
reach, without those that win a subset of what another wins. Where the seat moves, the fronts of its
actions are united. Where another seat moves, it chooses in each world by itself, seeing all cards,
and the seat sees what it does; so every combination of vectors, one for each action, is possible:
an opponent leaves the worlds that all of them win, a partner those that any wins. A world in which
an action is illegal has no say in it. After the seat's last move of `depth` each world is solved
with open hands.

The paper has one opponent and a dummy whose cards are seen; here partners may be hidden, and are
taken to see all cards, as in the solver. Where what happened tells the seat worlds apart (the card
that it drew), it goes on separately in each group.
"""

from typing import NamedTuple

import numpy as np

from solvers.search.double_dummy import first_worth
from solvers.search.double_dummy_search import Memory, forget, play, search
from solvers.search.fronts import ALL, FRONT, insert
from solvers.search.tree import seen_since
from spielgames.core.cards import NONE, Cards, bit, has, inlined, int64, lowest
from spielgames.core.game import Game
from spielgames.core.inlining import linked
from spielgames.core.record import TERMINAL, State, note_event
from spielgames.core.verbs import allies, legal, returns, score_bounds, utility_of

MOST_WORLDS = 64
WINS = 1e-9  # the least utility that counts as a win
OWN, OTHERS, SPLIT = int64(0), int64(1), int64(2)  # whose node it is; or groups of worlds
NODE = np.dtype(
    [
        ("worlds", "u8"),  # those in which the node is reached
        ("left", "u8"),  # actions, or worlds of a split, still to try
        ("allied", "u8"),  # the worlds in which a partner moves
        ("kind", "i8"),
        ("depth", "i8"),  # own moves left before worlds are solved
        ("size", "i8"),  # of the front
    ]
)


class Stack(NamedTuple):
    """What a search writes to, by depth in the tree."""

    rows: np.ndarray  # [depths, worlds] states
    nodes: np.ndarray  # [depths]
    fronts: np.ndarray  # [depths + 1, FRONT]; the last is scratch


def stack_for(game: Game, lanes: int, worlds: int) -> Stack:
    """Memory for that many searches at once. `[lanes, …]`"""
    depths = 2 * game.dtype["events"].shape[0] + 2
    return Stack(
        np.zeros((lanes, depths, worlds), game.dtype),
        np.zeros((lanes, depths), NODE),
        np.zeros((lanes, depths + 1, FRONT), np.uint64),
    )


@linked
def search_front(
    stack: Stack, m: Memory, seat: int, known: int, seeds: np.ndarray, utilities: np.ndarray
) -> None:
    """Find the front of `stack.nodes[0]`, whose worlds and depth are set. `known` is the number of
    events before; `seeds` say what chance has in store in each world.
    """
    d, entered = 0, True
    while True:
        n = stack.nodes[d]
        if entered:
            enter(stack, d, m, seat, known, utilities)
        else:
            take_in(stack, d)
        if n.left == NONE:
            if d == 0:
                return
            d -= 1
            entered = False
        else:
            descend(stack, d, seat, known, seeds)
            d += 1
            entered = True


@linked
def enter(stack: Stack, d: int, m: Memory, seat: int, known: int, utilities: np.ndarray) -> None:
    """Fill the front of a leaf, or prepare for what follows."""
    n, rows, front = stack.nodes[d], stack.rows[d], stack.fronts[d]
    s = rows[lowest(n.worlds)]
    n.left, n.allied, n.size, n.kind = NONE, NONE, 1, OTHERS
    front[0] = ALL
    if alike(rows, n.worlds, seat, known) != n.worlds:
        n.kind, n.left = SPLIT, n.worlds
    elif s.turn == TERMINAL or n.depth == 0:
        front[0] = ~n.worlds | won(rows, n.worlds, m, seat, utilities)
    elif s.turn == seat:
        n.kind, n.left, n.size = OWN, legal(s), 0
    else:
        rest = n.worlds
        while rest != NONE:
            w = lowest(rest)
            rest ^= bit(w)
            n.left |= legal(rows[w])
            if has(allies(rows[w], seat), int64(s.turn)):
                n.allied |= bit(w)
        front[0] = ~n.allied


@inlined
def alike(rows: np.ndarray, worlds: Cards, seat: int, known: int) -> Cards:
    """The worlds that look to the seat like the first of a set."""
    found, code = NONE, seen_since(rows[lowest(worlds)], seat, known)
    while worlds != NONE:
        w = lowest(worlds)
        worlds ^= bit(w)
        if seen_since(rows[w], seat, known) == code:
            found |= bit(w)
    return found


@linked
def won(rows: np.ndarray, worlds: Cards, m: Memory, seat: int, utilities: np.ndarray) -> Cards:
    """The worlds that the seat wins with open hands."""
    found = NONE
    while worlds != NONE:
        w = lowest(worlds)
        worlds ^= bit(w)
        m.rows[1] = rows[w]
        if rows[w].turn == TERMINAL:
            returns(m.rows[1], utilities)
            if utilities[seat] >= WINS:
                found |= bit(w)
        elif is_won(m, seat):
            found |= bit(w)
    return found


@linked
def is_won(m: Memory, seat: int) -> bool:
    """Whether the seat wins the position `m.rows[1]` with open hands."""
    s = m.rows[1]
    low, high = score_bounds(s, seat)
    if utility_of(s, seat, high) < WINS or utility_of(s, seat, low) >= WINS:
        return utility_of(s, seat, low) >= WINS
    forget(m)
    goal = first_worth(s, seat, low, high, WINS)
    return search(m, seat, allies(s, seat), goal, 0)[0] >= goal


@linked
def descend(stack: Stack, d: int, seat: int, known: int, seeds: np.ndarray) -> None:
    """Go on with the next action, or the next group of worlds."""
    n, child = stack.nodes[d], stack.nodes[d + 1]
    here, there = stack.rows[d], stack.rows[d + 1]
    child.worlds, child.depth = NONE, n.depth - (n.kind == OWN)
    rest, action = n.worlds, int64(0)
    if n.kind == SPLIT:
        rest = alike(here, n.left, seat, known)
        n.left ^= rest
    else:
        action = lowest(n.left)
        n.left ^= bit(action)
    while rest != NONE:
        w = lowest(rest)
        rest ^= bit(w)
        if n.kind == SPLIT:
            there[w] = here[w]
            child.worlds |= bit(w)
        elif has(legal(here[w]), action):
            there[w] = here[w]
            go_on(there[w], action, seeds[w])
            child.worlds |= bit(w)


@inlined
def go_on(s: State, a: int, seed: int) -> None:
    """Play an action and what chance then does, as in the solver; but take note of it."""
    note_event(s, a)
    play(s, a, seed)


@linked
def take_in(stack: Stack, d: int) -> None:
    """Take the front of the node below into that of a node; stop if nothing can change any more."""
    n, child = stack.nodes[d], stack.nodes[d + 1]
    mine, other, new = stack.fronts[d], stack.fronts[d + 1], stack.fronts[-1]
    size = int64(0)
    if n.kind == OWN:
        size = n.size
        for j in range(child.size):
            size = insert(mine, size, other[j])
    else:
        for i in range(n.size):
            for j in range(child.size):
                both = mine[i] & other[j] & ~n.allied
                any_ = (mine[i] | (other[j] & child.worlds)) & n.allied
                size = insert(new, size, both | any_)
        for i in range(size):
            mine[i] = new[i]
    n.size = size
    if size == 1 and mine[0] == (ALL if n.kind == OWN else ~n.worlds) and n.allied == NONE:
        n.left = NONE


@linked
def descend_root(
    stack: Stack, worlds: np.ndarray, action: int, depth: int, seeds: np.ndarray
) -> None:
    """Begin with an action of the seat to move in all worlds."""
    n, rows = stack.nodes[0], stack.rows[0]
    n.worlds, n.depth = NONE, depth
    for w in range(len(worlds)):
        rows[w] = worlds[w]
        go_on(rows[w], action, seeds[w])
        n.worlds |= bit(w)
