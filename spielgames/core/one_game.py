"""One game at a time, from Python: compiled steps on an array of one state record."""

from collections.abc import Callable
from functools import cache
from typing import Any, Self

import numba
import numpy as np

from spielgames.core.advance import advance, outcomes
from spielgames.core.arrays import fill
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, has, inlined, int64, lowest
from spielgames.core.infostate import infostate
from spielgames.core.loops import options
from spielgames.core.record import CHANCE, State, event_action
from spielgames.core.replay import origin, redeal
from spielgames.core.verbs import observe, reset, returns

MAX_ACTIONS = 64


class IllegalAction(ValueError):
    """An action that neither the mover nor chance may choose."""


def entry(function: Any, *examples: Any) -> Callable:
    """The machine code of a compiled function for arguments like the examples. Calling it directly
    skips Numba's look-up of their types: 33 ns instead of 180.
    """
    if numba.config.DISABLE_JIT:
        return function
    signature = tuple(numba.typeof(example) for example in examples)
    function.compile(signature)
    return function.overloads[signature].entry_point


@cache
def table_dtype(dtype: np.dtype) -> np.dtype:
    """A state record followed by the legal actions, as a set and as ascending ids."""
    fields = [("s", dtype), ("allowed", "u8"), ("ids", "i1", (MAX_ACTIONS,))]
    return np.dtype((np.record, np.dtype(fields, align=True)))


@inlined
def possible(t: np.record, a: int) -> bool:
    """Whether the mover, or chance, may choose `a`."""
    if a < 0 or a >= MAX_ACTIONS:
        return False
    return chance_can(t.s, a) if t.s.turn == CHANCE else has(t.allowed, a)


@compiled(nogil=False)
def chance_can(s: State, a: int) -> bool:
    if s.undealt != NONE:
        return a < len(s.room) and s.room[a] > 0
    p = np.zeros(MAX_ACTIONS)
    outcomes(s, p)
    return p[a] > 0.0


@inlined
def turn_code(t: np.record) -> int:
    """Note the legal actions; return the turn code, turn · 64 + their number."""
    t.allowed = options(t.s)
    n = 0
    actions = t.allowed
    while actions != NONE:
        t.ids[n] = lowest(actions)
        actions &= actions - ONE
        n += 1
    return n + 64 * int64(t.s.turn)


@compiled(nogil=False)
def move(table: np.ndarray, a: int) -> int:
    """Play an action or chance outcome; return the new turn code."""
    t = table[0]
    if not possible(t, a):
        raise IllegalAction
    advance(t.s, a)
    return turn_code(t)


@compiled(nogil=False)
def look(table: np.ndarray) -> int:
    """The turn code of a state."""
    return turn_code(table[0])


class Cell:
    """One state in the memory that compiled code works on, with views of it ready for use.

    It is copied and pickled as plain integers, 70 times faster than records.
    """

    __slots__ = ("code", "dtype", "ids", "store", "table")

    def __init__(self, store: np.ndarray, dtype: np.dtype, code: int) -> None:
        self.store = store
        self.dtype = dtype
        self.code = code  # turn · 64 + the number of legal actions
        self.table = store.view(dtype)
        self.ids = memoryview(self.table["ids"][0])

    @classmethod
    def of_row(cls, row: np.ndarray) -> Self:
        """A cell with a copy of a state record (an array of length 1)."""
        dtype = table_dtype(row.dtype)
        cell = cls(np.zeros(dtype.itemsize // 8, np.int64), dtype, 0)
        cell.table["s"] = row
        cell.code = look(cell.table)
        return cell

    def copy(self) -> "Cell":
        return Cell(self.store.copy(), self.dtype, self.code)

    def __deepcopy__(self, memo: dict) -> "Cell":
        return self.copy()

    def __reduce__(self) -> tuple[type, tuple[np.ndarray, np.dtype, int]]:
        return Cell, (self.store, self.dtype, self.code)


@compiled(nogil=False)
def step(row: np.ndarray, a: int) -> None:
    """Play an action or chance outcome that is known to be possible."""
    advance(row[0], a)


@compiled(nogil=False)
def start(row: np.ndarray) -> None:
    """Go to the start of the deal."""
    reset(row[0])


@compiled(nogil=False)
def start_dealt(row: np.ndarray, past: np.ndarray) -> None:
    """Go to where the first cards of `past` have been dealt and nothing else has happened."""
    reset(row[0])
    redeal(row[0], past[0])


@compiled(nogil=False)
def follow(row: np.ndarray, past: np.ndarray) -> int:
    """The action or chance outcome that leads from `row` towards `past`; −1 on arrival."""
    r, p = row[0], past[0]
    there = r.length == p.length
    if r.undealt != 0 and not (there and r.undealt == p.undealt):
        return origin(r, p, lowest(r.undealt))
    return -1 if there else event_action(p.events[r.length])


@compiled(nogil=False)
def chances(table: np.ndarray, p: np.ndarray) -> int:
    """List the chance outcomes in `ids` and their probabilities at the start of `p`; return their
    number.
    """
    t = table[0]
    outcomes(t.s, p)
    n = 0
    for a in range(len(p)):
        if p[a] > 0.0:
            t.ids[n] = a
            p[n] = p[a]
            n += 1
    return n


@compiled(nogil=False)
def final(row: np.ndarray, out: np.ndarray) -> None:
    returns(row[0], out)


@compiled(nogil=False)
def observation(row: np.ndarray, seat: int, out: np.ndarray) -> None:
    fill(out, 0)
    observe(row[0], seat, out)


@compiled(nogil=False)
def information(row: np.ndarray, seat: int, cards: int, width: int, out: np.ndarray) -> None:
    infostate(row[0], seat, cards, width, out)
