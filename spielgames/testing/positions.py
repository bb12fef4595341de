"""Roots and states of variants, random play, and playing again, for tests."""

import random

import numpy as np
import pyspiel

from spielgames.core import one_game
from spielgames.core.batch import Batch
from spielgames.core.cache import compiled
from spielgames.core.game import Game, Variant, initial_state
from spielgames.core.registry import find
from spielgames.core.replay import replay
from spielgames.core.verbs import reset


def root(name: str) -> tuple[Game, Variant, np.ndarray]:
    """A game, its variant, and its undealt state."""
    game, variant = find(name)
    row = initial_state(game, variant)
    one_game.start(row)
    return game, variant, row


def dealt(name: str, deals: int, seed: int) -> np.ndarray:
    """States at the first decision of some random deals."""
    return Batch(name, deals, seed).states


def face_of(name: str, states: np.ndarray) -> list[pyspiel.State]:
    """The same states in OpenSpiel."""
    game = pyspiel.load_game(name)
    return [game.state_of(states[i : i + 1]) for i in range(len(states))]


def random_actions(
    batch: Batch, rng: np.random.Generator, weights: np.ndarray | float = 1.0
) -> np.ndarray:
    """A random legal action for every game (0 where a game is over): uniform, or rarer where the
    `weights` of the actions are below 1.
    """
    mask = batch.legal_mask()
    return (rng.random(mask.shape) * mask * weights).argmax(1)


def advance_randomly(batch: Batch, steps: int, rng: np.random.Generator) -> None:
    for _ in range(steps):
        batch.step(random_actions(batch, rng))


def after(name: str, seed: int, steps: int, games: int = 20) -> Batch:
    """Some random deals after some random moves."""
    batch = Batch(name, games, seed)
    advance_randomly(batch, steps, np.random.default_rng(seed))
    return batch


def random_state(name: str, decisions: int, seed: int = 1) -> pyspiel.State:
    """OpenSpiel's state after so many random decisions; −1 leaves chance to deal the last card."""
    rng = random.Random(seed)
    state = pyspiel.load_game(name).new_initial_state()
    while decisions >= 0 and not state.is_terminal():
        decisions -= not state.is_chance_node()
        if decisions >= 0:
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@compiled
def replay_all(out: np.ndarray, pasts: np.ndarray, possible: np.ndarray) -> None:
    """Play each past again from its deal, into `out`; return whether the rules allow it."""
    for i in range(len(pasts)):
        reset(out[i])
        possible[i] = replay(out[i], pasts[i])
