"""The likelihood of what others did, if they had played like some agent."""

import numpy as np
from numba import prange

from spielgames.agents import Agent
from spielgames.core.arrays import take
from spielgames.core.cards import NONE, bit, int64
from spielgames.core.loops import Kernel
from spielgames.core.record import event_action, is_private
from spielgames.core.replay import redeal, step_past
from spielgames.core.verbs import legal, reset

NOISE = 0.05  # the share of moves that are taken to be random, so that no world becomes impossible


@Kernel
def rewind(states: np.ndarray, pasts: np.ndarray) -> None:
    """Put each game at the start of its past."""
    for i in prange(len(states)):
        reset(states[i])
        redeal(states[i], pasts[i])


@Kernel
def look_at(
    states: np.ndarray,
    pasts: np.ndarray,
    t: int,
    seats: np.ndarray,
    sets: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Note the legal actions and the one chosen where event t is a free and open decision of
    another seat than `seats[i]`; otherwise the empty set.
    """
    for i in prange(len(states)):
        sets[i], past = NONE, pasts[i]
        if t < past.length:
            event, mover = past.events[t], int64(states[i].turn)
            actions[i] = event_action(event)
            if mover >= 0 and mover != seats[i] and not is_private(event):
                allowed = legal(states[i])
                sets[i] = allowed if allowed != bit(actions[i]) else NONE


@Kernel
def relive(states: np.ndarray, pasts: np.ndarray, t: int) -> None:
    """Play event t of each past."""
    for i in prange(len(states)):
        if t < pasts[i].length:
            step_past(states[i], pasts[i], t)


def log_likelihoods(pasts: np.ndarray, seats: np.ndarray, model: Agent) -> np.ndarray:
    """The log-probability of all that seats other than `seats[i]` did in the open in each game, if
    they play like the model but for some NOISE. `[games]`
    """
    out, states = np.zeros(len(pasts)), pasts.copy()
    sets, actions = np.empty(len(pasts), np.uint64), np.zeros(len(pasts), np.int64)
    rewind(states, pasts)
    for t in range(int(pasts["length"].max())):
        look_at(states, pasts, t, seats, sets, actions)
        rows = np.flatnonzero(sets)
        if len(rows):
            chances = model.probabilities(take(states, rows))[np.arange(len(rows)), actions[rows]]
            out[rows] += np.log((1 - NOISE) * chances + NOISE / np.bitwise_count(sets[rows]))
        relive(states, pasts, t)
    return out
