"""Whether a side reaches a goal when all cards are seen: alpha-beta with a window of no width.

The search has its own stack, because Numba cannot load recursive functions from its cache (Numba
issue 6061). Helpers are given records, not arrays, because Numba counts references to arrays, which
would take most of the time.
"""

from typing import NamedTuple

import numpy as np

from spielgames.core.advance import settle
from spielgames.core.cards import NONE, ONE, Cards, bit, count, has, inlined, int64, lowest, scaled
from spielgames.core.game import Game
from spielgames.core.inlining import linked
from spielgames.core.luck import stream
from spielgames.core.record import CHANCE, State
from spielgames.core.verbs import apply, distinct, future_key, legal, score_bounds

ENTRIES = 1 << 16  # of a table: 1 MB, which stays in the cache
MANY_ENTRIES = 1 << 19  # with more than 32 cards, where searches are long
NO_ACTION = 255
UNKNOWN = 1 << 14  # beyond all scores
HASHER = np.uint64(0x9E3779B97F4A7C15)
ENTRY = np.dtype(
    [
        ("key", "u8"),  # `future_key` of the position
        ("solve", "u2"),  # in which it was found; entries of earlier ones say nothing
        ("low", "i2"),  # bounds of what is gained from here on
        ("high", "i2"),
        ("action", "u1"),  # that decided
    ],
    align=True,
)
FRAME = np.dtype(
    [
        ("left", "u8"),  # actions still to try, as a set
        ("key", "u8"),  # `future_key` of the position
        ("bound", "f8"),  # the best so far for the seat to move
        ("floor", "f8"),  # what the score cannot fall below
        ("first", "u1"),  # the action that decided in this position before
        ("tried", "u1"),  # the action being tried
        ("killer", "u1"),  # the action that last decided at this depth
    ],
    align=True,
)


class Memory(NamedTuple):
    """What a search writes to."""

    rows: np.ndarray  # the positions from the first to the current one
    frames: np.ndarray  # what is known of them
    table: np.ndarray  # of positions seen before
    notes: np.ndarray  # one record: see `notes_dtype`


def notes_dtype(game: Game) -> np.dtype:
    return np.dtype(
        [
            ("solves", "i8"),  # how many there were
            ("history", "i8", (game.players, game.actions)),  # how often each action decided
        ]
    )


def memory_for(game: Game, lanes: int) -> Memory:
    """Memory for that many searches at once in a game. `[lanes, …]`"""
    depths = game.dtype["events"].shape[0] + 2
    return Memory(
        rows=np.zeros((lanes, depths), game.dtype),
        frames=np.zeros((lanes, depths), FRAME),
        table=np.zeros((lanes, ENTRIES if game.cards <= 32 else MANY_ENTRIES), ENTRY),
        notes=np.zeros((lanes, 1), notes_dtype(game)),
    )


@linked
def forget(m: Memory) -> None:
    """Begin another solve."""
    note = m.notes[0]
    note.solves += 1
    if note.solves == 1 << 16:
        note.solves = 1
        for i in range(len(m.table)):
            m.table[i].solve = 0
    for d in range(len(m.frames)):
        m.frames[d].killer = NO_ACTION
    for seat in range(note.history.shape[0]):
        for a in range(note.history.shape[1]):
            note.history[seat, a] = 0


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
    rows, frames, table, note = m.rows, m.frames, m.table, m.notes[0]
    depth, nodes, entered, value = 1, 0, True, 0.0
    while True:
        s, f = rows[depth], frames[depth]
        if entered:
            nodes += 1
            value = decided(s, f, seat, goal)
            if f.left != NONE:
                f.key = future_key(s, seat)
                f.first = NO_ACTION
                if f.key != NONE:
                    entry = table[scaled(f.key * HASHER, len(table))]
                    if entry.key == f.key and entry.solve == note.solves:
                        value = recall(entry, f, goal)
            if f.left != NONE:
                f.left = distinct(s, legal(s))
                f.bound = -np.inf if has(side, s.turn) else np.inf
        else:
            wins = has(side, s.turn)
            value = max(value, f.bound) if wins else min(value, f.bound)
            f.bound = value
            if (value >= goal) == wins:
                f.killer = f.tried
                note.history[s.turn, f.tried] += count(f.left) + 1
                f.left = NONE
            if f.left == NONE and f.key != NONE:
                remember(table[scaled(f.key * HASHER, len(table))], note.solves, f, value, goal)
        if f.left == NONE:
            if depth == 1:
                return value, nodes
            depth -= 1
            entered = False
        else:
            a = next_action(note, f, s.turn)
            f.tried = a
            f.left ^= bit(a)
            depth += 1
            rows[depth] = s
            play(rows[depth], a, seed)
            entered = True


@inlined
def decided(s: State, f: np.record, seat: int, goal: float) -> float:
    """A bound that decides, if the rules give one; `f.left` is empty then."""
    low, high = score_bounds(s, seat)
    f.floor = low
    f.left = NONE if low >= goal or high < goal else ONE
    return low if low >= goal else high


@inlined
def recall(entry: np.record, f: np.record, goal: float) -> float:
    """A bound that decides, if the table has one; `f.left` is empty then."""
    f.first = entry.action
    low, high = f.floor + entry.low, f.floor + entry.high
    f.left = NONE if low >= goal or high < goal else ONE
    return low if low >= goal else high


@inlined
def remember(entry: np.record, solve: int, f: np.record, value: float, goal: float) -> None:
    """Note a bound of what is gained from here on."""
    if entry.key != f.key or entry.solve != solve:
        entry.key = f.key
        entry.solve = solve
        entry.low = -UNKNOWN
        entry.high = UNKNOWN
    entry.action = f.tried
    gain = int64(value - f.floor)
    if value >= goal:
        entry.low = gain
    else:
        entry.high = gain


@inlined
def next_action(note: np.record, f: np.record, turn: int) -> int:
    """The action that decided here before; else the one that did so last at this depth; else the
    one that did so most often.
    """
    a, left = int64(f.first), f.left
    f.first = NO_ACTION
    if a != NO_ACTION and has(left, a):
        return a
    if left & (left - ONE) == NONE:
        return lowest(left)
    a = int64(f.killer)
    if a != NO_ACTION and has(left, a):
        return a
    best, most = 0, -1
    while left != NONE:
        a = lowest(left)
        left ^= bit(a)
        if note.history[turn, a] > most:
            best, most = a, note.history[turn, a]
    return best
