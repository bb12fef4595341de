"""Positions with few cards left, for what solves deals with open hands."""

import numpy as np
from numba import prange

from spielgames.core.batch import Batch
from spielgames.core.cards import NONE, count
from spielgames.core.loops import Kernel
from spielgames.core.players import choice_sets
from spielgames.core.verbs import allies


@Kernel
def look_at_sides(states: np.ndarray, held: np.ndarray, sides: np.ndarray) -> None:
    """Note whose side the mover is on, and how many cards hands and piles hold."""
    for i in prange(len(states)):
        s = states[i]
        sides[i] = allies(s, s.turn) if s.turn >= 0 else NONE
        held[i] = 0
        for place in range(len(s.hands)):
            held[i] += count(s.hands[place])


def endings(name: str, cards: int, deals: int, seed: int = 0, by_rules: bool = False) -> np.ndarray:
    """The first position of each deal in which hands and piles hold no more cards than that, and
    bidding is over. Deals that end before have none. Moves are random, or by the rules.
    """
    batch, rng = Batch(name, deals, seed), np.random.default_rng(seed)
    found, done = np.zeros(deals, batch.states.dtype), np.zeros(deals, bool)
    held, sides = np.zeros(deals, np.int64), np.zeros(deals, np.uint64)
    ids = np.arange(batch.game.actions, dtype=np.uint64)
    while batch.running() and not done.all():
        look_at_sides(batch.states, held, sides)
        here = ~done & (sides != NONE) & (held <= cards)
        found[here] = batch.states[here]
        done |= here
        sets = batch.legal_sets().copy()
        if by_rules:
            live = np.flatnonzero(batch.actors() >= 0)
            chosen = np.zeros(len(live), np.uint64)
            choice_sets(batch.states[live], 0, chosen)
            sets[live] = chosen
        allowed = sets[:, None] >> ids & np.uint64(1)
        batch.step((rng.random(allowed.shape) * allowed).argmax(1))
    return found[done]
