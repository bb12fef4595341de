"""What learners with a belief state see of positions, many at a time."""

import numpy as np
from numba import prange

from solvers.environments.encodings import fill_features
from spielgames.core.arrays import fill
from spielgames.core.cards import NONE, ONE, lowest
from spielgames.core.game import Game
from spielgames.core.loops import Kernel
from spielgames.core.marginals import find_marginals
from spielgames.core.verbs import clues, legal, merit, stage


@Kernel
def fill_stages(states: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        out[i] = stage(states[i])


@Kernel
def fill_clues(states: np.ndarray, beliefs: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        fill(out[i], 0.0)
        clues(states[i], beliefs[i], out[i])


@Kernel
def fill_merits(states: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        fill(out[i], 0)
        actions = legal(states[i])
        while actions != NONE:
            out[i, lowest(actions)] = merit(states[i], lowest(actions))
            actions &= actions - ONE


def stages_of(states: np.ndarray) -> np.ndarray:
    """The kind of decision that is due. `[n]`"""
    out = np.empty(len(states), np.int64)
    fill_stages(states, out)
    return out


def beliefs_of(states: np.ndarray, seats: np.ndarray, game: Game) -> np.ndarray:
    """The marginals of uniform beliefs. `[n, places, cards]`"""
    out = np.empty((len(states), game.places, game.cards))
    find_marginals(states, seats, out)
    return out


def features_of(
    states: np.ndarray, seats: np.ndarray, beliefs: np.ndarray, width: int
) -> np.ndarray:
    out = np.empty((len(states), width))
    fill_features(states, seats, beliefs, out)
    return out


def clues_of(states: np.ndarray, beliefs: np.ndarray, width: int) -> np.ndarray:
    """What somebody with these beliefs predicts the movers' plays from. `[n, width]`, where `width`
    is that of all clues: compiled code does not notice if there is too little room.
    """
    out = np.empty((len(states), width))
    fill_clues(states, beliefs, out)
    return out


def merits_of(states: np.ndarray, actions: int) -> np.ndarray:
    """The number of the merit of each legal action. `[n, actions]`"""
    out = np.empty((len(states), actions), np.int64)
    fill_merits(states, out)
    return out
