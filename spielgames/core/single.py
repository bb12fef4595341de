"""One game at a time, from Python: compiled steps on an array of one state record."""

import numpy as np
from numba import njit

from spielgames.core.cards import inlined, lowest
from spielgames.core.infostate import infostate
from spielgames.core.loops import options
from spielgames.core.play import advance, outcomes
from spielgames.core.record import State, event_action
from spielgames.core.replay import origin, redeal
from spielgames.core.verbs import observe, reset, returns

ACTION_BITS = 56
ACTIONS = (1 << ACTION_BITS) - 1


@inlined
def pack(s: State) -> int:
    """The legal actions in the low 56 bits (no game has more), whose turn it is above them."""
    return np.int64(options(s)) | (np.int64(s.turn) << ACTION_BITS)


@njit(cache=True)
def look(row: np.ndarray) -> int:
    return pack(row[0])


@njit(cache=True)
def move(row: np.ndarray, a: int) -> int:
    """Plays an action or chance outcome; the packed turn and legal actions after it."""
    advance(row[0], a)
    return pack(row[0])


@njit(cache=True)
def start(row: np.ndarray) -> None:
    """To the start of the deal."""
    reset(row[0])


@njit(cache=True)
def start_dealt(row: np.ndarray, past: np.ndarray) -> None:
    """To where the first cards of `past` are dealt and nothing has happened yet."""
    reset(row[0])
    redeal(row[0], past[0])


@njit(cache=True)
def follow(row: np.ndarray, past: np.ndarray) -> int:
    """The action or chance outcome by which `past` went on from `row`; −1 if it stands there."""
    r, p = row[0], past[0]
    there = r.length == p.length
    if r.undealt != 0 and not (there and r.undealt == p.undealt):
        return origin(r, p, lowest(r.undealt))
    return -1 if there else event_action(p.events[r.length])


@njit(cache=True)
def chances(row: np.ndarray, p: np.ndarray) -> None:
    outcomes(row[0], p)


@njit(cache=True)
def final(row: np.ndarray, out: np.ndarray) -> None:
    returns(row[0], out)


@njit(cache=True)
def observation(row: np.ndarray, seat: int, out: np.ndarray) -> None:
    out[:] = 0
    observe(row[0], seat, out)


@njit(cache=True)
def recall(row: np.ndarray, seat: int, cards: int, width: int, out: np.ndarray) -> None:
    infostate(row[0], seat, cards, width, out)
