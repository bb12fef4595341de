"""What a learner may be told while it learns: what each of its actions would be worth if everybody
went on by the rules of the game's own player, all hands being what they are.

Its critic sees these numbers, and its policy is drawn towards the actions that they prefer
(`Settings.foresight`). They tell of all actions, not only of the one that was taken, and nothing of
the luck of later decisions. Whoever plays never sees them.
"""

from dataclasses import replace

import numpy as np

from solvers.environment import Environment, Positions
from solvers.records import Records
from solvers.shapes import Shape
from spielgames.core.pimc import action_values

SMALL = 1e-8


def check(env: Environment) -> None:
    if not isinstance(env, Records):
        raise ValueError(f"foresight is not allowed in {env.name}, which has no rule-based player")


def foresee(positions: Positions, actions: int, scale: float) -> np.ndarray:
    """What each legal action is worth, 0 for others. `[n, actions] float32`"""
    worth, _ = action_values(positions.states, actions, worlds=1, level=0, seed=0, cheats=True)
    return np.where(np.isfinite(worth), worth / scale, 0).astype(np.float32)


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
