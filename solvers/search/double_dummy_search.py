"""Whether a side reaches a goal when all cards are seen: alpha-beta with a window of no width.

The search has its own stack, because Numba cannot load recursive functions from its cache (Numba
issue 6061).
"""

from typing import NamedTuple

import numpy as np

from spielgames.core.advance import settle
from spielgames.core.cards import NONE, ONE, Cards, bit, count, has, inlined, int64, lowest
from spielgames.core.inlining import linked
from spielgames.core.luck import stream
from spielgames.core.record import CHANCE, State
from spielgames.core.verbs import apply, distinct, future_key, legal, score_bounds

ENTRY_BITS = 17  # of a position's place in the table
NO_ACTION = 255
UNKNOWN = 1 << 14  # beyond all scores
HASHER = np.uint64(0x9E3779B97F4A7C15)
ENTRY = np.dtype(
    [
        ("key", "u8"),  # `future_key` of the position
        ("solve", "u2"),  # in which it was found; older entries say nothing
        ("low", "i2"),  # bounds of what is gained from here on
        ("high", "i2"),
        ("action", "u1"),  # that decided
    ],
    align=True,
)


class Memory(NamedTuple):
    """What a search writes to; row `d` belongs to the position after `d` actions."""

    rows: np.ndarray  # the positions from the first to the current one
    left: np.ndarray  # actions still to try, as a set
    tried: np.ndarray  # the action being tried
    bounds: np.ndarray  # the best bound so far for the seat to move
    bases: np.ndarray  # what the score cannot fall below
    keys: np.ndarray
    killers: np.ndarray  # the action that last decided here
    history: np.ndarray  # how often each seat's actions decided
    table: np.ndarray  # of `ENTRY`
    solves: np.ndarray  # how many there were


@inlined
def forget(m: Memory) -> None:
    """Begin another solve."""
    m.solves[0] += 1
    if m.solves[0] == 1 << 16:
        m.solves[0] = 1
        for i in range(len(m.table)):
            m.table[i].solve = 0
    for d in range(len(m.killers)):
        m.killers[d] = NO_ACTION
    for seat in range(m.history.shape[0]):
        for a in range(m.history.shape[1]):
            m.history[seat, a] = 0


@inlined
def play(s: State, a: int, seed: int) -> None:
    """Play an action and what chance then does, which depends on the seed and on how many cards
    have left the piles, so that the order of a talon is the same whatever is played.
    """
    apply(s, a)
    if s.turn == CHANCE:
        left = int64(0)
        for pile in range(len(s.played), len(s.hands)):
            left += count(s.hands[pile])
        settle(s, stream(seed, left))


@linked
def search(m: Memory, seat: int, side: Cards, goal: float, seed: int) -> tuple[float, int]:
    """A bound of the seat's final score from `m.rows[1]` on: at least the goal if its side can
    reach that, and less if not. And the number of positions searched.
    """
    depth, nodes, entered, value = 1, 0, True, 0.0
    while True:
        s = m.rows[depth]
        if entered:
            nodes += 1
            value, left = look(m, s, depth, seat, goal)
            m.left[depth] = left
            wins = has(side, s.turn) if s.turn >= 0 else False
            m.bounds[depth] = -np.inf if wins else np.inf
        else:
            wins = has(side, s.turn)
            value = max(value, m.bounds[depth]) if wins else min(value, m.bounds[depth])
            m.bounds[depth] = value
            if (value >= goal) == wins:
                note_cut(m, depth, s.turn)
                m.left[depth] = NONE
            if m.left[depth] == NONE:
                remember(m, depth, value, goal)
        if m.left[depth] == NONE:
            if depth == 1:
                return value, nodes
            depth -= 1
            entered = False
        else:
            a = next_action(m, depth, s.turn)
            m.tried[depth] = a
            m.left[depth] ^= bit(a)
            m.rows[depth + 1] = s
            play(m.rows[depth + 1], a, seed)
            depth += 1
            entered = True


@inlined
def look(m: Memory, s: State, depth: int, seat: int, goal: float) -> tuple[float, Cards]:
    """A bound that decides, if one is known, and no actions; otherwise the actions to try."""
    low, high = score_bounds(s, seat)
    m.bases[depth] = low
    if low >= goal:
        return low, NONE
    if high < goal:
        return high, NONE
    key = future_key(s, seat)
    m.keys[depth] = key
    m.tried[depth] = NO_ACTION
    if key != NONE:
        entry = m.table[place_of(key)]
        if entry.key == key and entry.solve == m.solves[0]:
            m.tried[depth] = entry.action
            if low + entry.low >= goal:
                return low + entry.low, NONE
            if low + entry.high < goal:
                return low + entry.high, NONE
    return 0.0, distinct(s, legal(s))


@inlined
def place_of(key: np.uint64) -> int:
    return int64(key * HASHER >> np.uint64(64 - ENTRY_BITS))


@inlined
def next_action(m: Memory, depth: int, turn: int) -> int:
    """The action that decided here before; else the one that did so last at this depth; else the
    one that did so most often.
    """
    left = m.left[depth]
    if left & (left - ONE) == NONE:
        return lowest(left)
    a = m.tried[depth]
    if a != NO_ACTION and has(left, a) and m.bounds[depth] * 0 != 0:
        return a
    a = m.killers[depth]
    if a != NO_ACTION and has(left, a):
        return a
    best, most = 0, -1
    while left != NONE:
        a = lowest(left)
        left ^= bit(a)
        if m.history[turn, a] > most:
            best, most = a, m.history[turn, a]
    return best


@inlined
def note_cut(m: Memory, depth: int, turn: int) -> None:
    a = m.tried[depth]
    m.killers[depth] = a
    m.history[turn, a] += count(m.left[depth]) + 1


@inlined
def remember(m: Memory, depth: int, value: float, goal: float) -> None:
    """Note a bound of what is gained from here on."""
    key = m.keys[depth]
    if key == NONE:
        return
    entry = m.table[place_of(key)]
    if entry.key != key or entry.solve != m.solves[0]:
        entry.key = key
        entry.solve = m.solves[0]
        entry.low = -UNKNOWN
        entry.high = UNKNOWN
    entry.action = m.tried[depth]
    gain = int64(value - m.bases[depth])
    if value >= goal:
        entry.low = gain
    else:
        entry.high = gain
