"""What a learner may be told while it learns: what each of its actions would be worth if everybody
went on by the rules of the game's own player (opponents that are compiled: as they play), all hands
being what they are.

Its critic sees these numbers, and its policy is drawn towards the actions that they prefer
(`Settings.foresight`). They tell of all actions, not only of the one that was taken, and nothing of
the luck of later decisions. Whoever plays never sees them.
"""

from dataclasses import replace

import numpy as np
from numba import njit, prange

from solvers.environment import Environment, Positions
from solvers.records import Records
from solvers.shapes import Shape
from spielgames.core.cards import NONE, bit, lowest
from spielgames.core.loops import Kernel
from spielgames.core.luck import Luck, stream
from spielgames.core.play import advance
from spielgames.core.players import finish
from spielgames.core.verbs import legal

AHEAD = 0x7A40  # makes another stream of a position's own
SMALL = 1e-8


def check(env: Environment) -> None:
    if not isinstance(env, Records):
        raise ValueError(f"foresight is not allowed in {env.name}, which has no rule-based player")


def foresee(positions: Positions, levels: np.ndarray, actions: int, scale: float) -> np.ndarray:
    """What each legal action is worth to whoever is to move, 0 for others; `levels` `[n, players]`
    say how seats go on. `[n, actions] float32`
    """
    worth = np.zeros((len(levels), actions))
    try_all(positions.states, positions.luck, levels, worth)
    return (worth / scale).astype(np.float32)


@Kernel
def try_all(states: np.ndarray, luck: np.ndarray, levels: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        row = states[i : i + 1]
        try_actions(row, row.copy(), stream(luck[i], AHEAD), levels[i], out[i])


@njit(cache=True, nogil=True)
def try_actions(
    row: np.ndarray, copy: np.ndarray, luck: Luck, levels: np.ndarray, out: np.ndarray
) -> None:
    """All meet the same luck."""
    utilities, seat, actions = np.zeros(len(levels)), row[0].turn, legal(row[0])
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        copy[0] = row[0]
        advance(copy[0], a)
        finish(copy, levels, luck, utilities)
        out[a] = utilities[seat]


def with_foresight(shape: Shape) -> Shape:
    """An encoding that goes on with what `foresee` says."""
    return replace(shape, width=shape.width + shape.actions)


def preferences(worth: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """How much better each legal action is than their mean, with deviation 1; 0 for others.
    `[n, actions] float32`
    """
    mean = worth.sum(axis=1, keepdims=True) / legal.sum(axis=1, keepdims=True)
    better = np.where(legal, worth - mean, 0)
    return (better / (better[legal].std() + SMALL)).astype(np.float32)
