"""A depth-first walk through every history of a small variant, noting information sets and leaves.

The walk lives in arrays, so that it can stop when one of them is full and resume where it was.
"""

import numpy as np

from spielgames.core.advance import advance
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, count, inlined, int64, lowest
from spielgames.core.infostate import fingerprint
from spielgames.core.luck import mix
from spielgames.core.record import CHANCE, TERMINAL, State
from spielgames.core.verbs import returns
from spielgames.core.walk import branches

MAX_SEATS = 8
FORCED = -1
EMPTY = -1
TREE_SEED = 0  # of the fingerprints
DONE, FULL, CLASH, VARIED = range(4)  # the reason for a pause: see `unroll`


def record_dtype(fields: list[tuple]) -> np.dtype:
    return np.dtype((np.record, np.dtype(fields, align=True)))


FRAME = record_dtype(  # a node on the way to the current one
    [
        ("todo", "u8"),  # what may happen next and has not been tried
        ("chance", "f8"),  # the probability of chance's part so far
        ("first", "i8"),  # the first sequence of the information set; FORCED if there is none
        ("player", "i8"),  # who has that information set
        ("tried", "i8"),  # actions tried
        ("sequences", "i4", (MAX_SEATS,)),  # each player's last
    ]
)
INFOSET = record_dtype(
    [
        ("key", "u8"),
        ("actions", "u8"),
        ("parent", "i4"),  # the player's sequence that leads here
        ("first", "i4"),  # its sequences go from here on, one per action
        ("player", "i4"),
    ]
)
LEAF = record_dtype([("chance", "f8"), ("payoff", "i4"), ("sequences", "i4", (MAX_SEATS,))])


@inlined
def next_node(states: np.ndarray, frames: np.ndarray, depth: int, p: np.ndarray) -> int:
    """Go to the next node, in `states` and `frames`; return its depth, −1 after the last."""
    while depth >= 0 and frames[depth].todo == NONE:
        depth -= 1
    if depth >= 0:
        enter_child(states, frames, depth, p)
        return depth + 1
    return depth


@inlined
def enter_child(states: np.ndarray, frames: np.ndarray, depth: int, p: np.ndarray) -> None:
    above, here = frames[depth], frames[depth + 1]
    a = lowest(above.todo)
    above.todo &= above.todo - ONE
    here.chance = above.chance
    for player in range(MAX_SEATS):
        here.sequences[player] = above.sequences[player]
    mover = states[depth].turn
    if mover == CHANCE:
        branches(states[depth], p)
        here.chance *= p[a]
    elif above.first != FORCED:
        here.sequences[above.player] = above.first + above.tried
        above.tried += 1
    states[depth + 1] = states[depth]
    advance(states[depth + 1], a)
    here.todo = branches(states[depth + 1], p)
    here.first = FORCED
    here.tried = 0


@inlined
def is_decision(s: State, frame: np.record) -> bool:
    """Whether it is a decision with an information set; a forced move is not."""
    return s.turn >= 0 and frame.todo & (frame.todo - ONE) != NONE


@inlined
def find_slot(sets: np.ndarray, table: np.ndarray, key: np.uint64) -> int:
    """The slot of the hash table where a key is, or would go."""
    last = len(table) - 1  # a power of two, less one
    slot = int64(key & np.uint64(last))
    while table[slot] != EMPTY and sets[table[slot]].key != key:
        slot = (slot + 1) & last
    return slot


@inlined
def seen_by(s: State, mover: int, sides: np.ndarray) -> np.uint64:
    """A fingerprint of what a seat and its side see."""
    key = fingerprint(s, mover, TREE_SEED)
    for seat in range(len(sides)):
        if sides[seat] == sides[mover] and seat != mover:
            key = mix(key ^ fingerprint(s, seat, TREE_SEED))
    return key


@inlined
def note_infoset(
    s: State,
    frame: np.record,
    sides: np.ndarray,
    sets: np.ndarray,
    table: np.ndarray,
    sizes: np.ndarray,
) -> bool:
    """Note a decision's information set, new or known; return whether its fingerprint is unique.
    `sizes` counts the information sets, then each player's sequences.
    """
    player = sides[s.turn]
    key = seen_by(s, int64(s.turn), sides)
    slot = find_slot(sets, table, key)
    if table[slot] == EMPTY:
        new = sets[sizes[0]]
        new.key = key
        new.actions = frame.todo
        new.parent = frame.sequences[player]
        new.first = sizes[1 + player]
        new.player = player
        table[slot] = sizes[0]
        sizes[0] += 1
        sizes[1 + player] += count(frame.todo)
    found = sets[table[slot]]
    same = found.actions == frame.todo and found.parent == frame.sequences[player]
    frame.first = found.first
    frame.player = player
    return same and found.player == player


@inlined
def note_payoff(utilities: np.ndarray, payoffs: np.ndarray, slots: np.ndarray) -> int:
    """Number a vector of utilities among the distinct ones; `slots[-1]` counts them."""
    last = len(slots) - 2
    code = NONE
    for utility in utilities:
        code = mix(code ^ np.uint64(int64(utility * 3072.0)))  # thirds occur
    slot = int64(code & np.uint64(last))
    while slots[slot] != EMPTY and (payoffs[slots[slot]] != utilities).any():
        slot = (slot + 1) & last
    if slots[slot] == EMPTY:
        if slots[-1] == len(payoffs):
            return EMPTY
        slots[slot] = slots[-1]
        payoffs[slots[-1]] = utilities
        slots[-1] += 1
    return slots[slot]


@inlined
def note_leaf(
    s: State, here: np.record, leaf: np.record, payoffs: np.ndarray, slots: np.ndarray
) -> bool:
    """Note a leaf; return whether there was room for its utilities."""
    utilities = np.empty(payoffs.shape[1])
    returns(s, utilities)
    leaf.chance = here.chance
    leaf.payoff = note_payoff(utilities, payoffs, slots)
    for player in range(MAX_SEATS):
        leaf.sequences[player] = here.sequences[player]
    return leaf.payoff != EMPTY


@compiled
def start_walk(states: np.ndarray, frames: np.ndarray, p: np.ndarray) -> None:
    """Note the root, whose state is in `states[0]`; every seat has done nothing, sequence 0."""
    frames[0].chance = 1.0
    frames[0].first = FORCED
    frames[0].todo = branches(states[0], p)


@compiled
def unroll(
    states: np.ndarray,
    frames: np.ndarray,
    depth: int,
    p: np.ndarray,
    sides: np.ndarray,
    sets: np.ndarray,
    table: np.ndarray,
    sizes: np.ndarray,
    seen: np.ndarray,
    leaves: np.ndarray,
    payoffs: np.ndarray,
    slots: np.ndarray,
) -> tuple[int, int, int]:
    """Walk on until all is DONE, a buffer is FULL, fingerprints CLASH, or there are too many
    distinct utilities (VARIED); return the depth, the number of leaves noted, and which of these
    happened. Leaves are noted if there is any room for them, and so are states of new information
    sets. `sides` tells which player decides for each seat, seeing what all seats of the side see.
    """
    n = 0
    before = sizes[0]
    while sizes[0] < len(sets):
        if 0 < len(leaves) == n or 0 < len(seen) == sizes[0] - before:
            return depth, n, FULL
        depth = next_node(states, frames, depth, p)
        if depth < 0:
            return depth, n, DONE
        s, here = states[depth], frames[depth]
        if is_decision(s, here):
            known = sizes[0]
            if not note_infoset(s, here, sides, sets, table, sizes):
                return depth, n, CLASH
            if sizes[0] > known and len(seen) > 0:
                seen[known - before] = s
        elif s.turn == TERMINAL and len(leaves) > 0:
            if not note_leaf(s, here, leaves[n], payoffs, slots):
                return depth, n, VARIED
            n += 1
    return depth, n, FULL


@compiled
def rehash(sets: np.ndarray, n: int, table: np.ndarray) -> None:
    """Fill an empty, larger hash table."""
    for i in range(n):
        table[find_slot(sets, table, sets[i].key)] = i
