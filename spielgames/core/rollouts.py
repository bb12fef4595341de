"""Rollouts: games played to their end by the rules."""

import numpy as np
from numba import prange

from spielgames.core.advance import advance
from spielgames.core.loops import Kernel
from spielgames.core.luck import stream
from spielgames.core.players import finish


@Kernel
def roll_out(
    states: np.ndarray, actions: np.ndarray, level: int, seed: int, out: np.ndarray
) -> None:
    """Play an action in every game, and then to its end by the rules of that level; `out`,
    `[games, seats]`, gets the utilities.
    """
    for i in prange(len(states)):
        levels = np.full(out.shape[1], level)
        advance(states[i], actions[i])
        finish(states[i : i + 1], levels, stream(seed, i), out[i])
