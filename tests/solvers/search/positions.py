"""Positions to solve."""

import numpy as np
from numba import prange

from spielgames.core.batch import Batch
from spielgames.core.cards import NONE, count
from spielgames.core.loops import Kernel
from spielgames.core.players import choice_sets
from spielgames.core.verbs import allies


@Kernel
def side_sets(states, hands, out):
    """Whose side the mover is on, and how many cards the hands and piles hold."""
    for i in prange(len(states)):
        s = states[i]
        out[i] = allies(s, s.turn) if s.turn >= 0 else NONE
        hands[i] = 0
        for place in range(len(s.hands)):
            hands[i] += count(s.hands[place])


def endings(name, cards, games, seed=0, by_rules=False):
    """Positions of random deals in which hands and piles first hold so few cards, and bidding is
    over. Moves are random, or by the rules.
    """
    batch = Batch(name, games, seed)
    rng = np.random.default_rng(seed)
    found = np.zeros(games, batch.states.dtype)
    done = np.zeros(games, bool)
    sides, held = np.zeros(games, np.uint64), np.zeros(games, np.int64)
    while batch.running() and not done.all():
        side_sets(batch.states, held, sides)
        here = ~done & (sides != NONE) & (held <= cards)
        found[here] = batch.states[here]
        done |= here
        sets = batch.legal_sets().copy()
        if by_rules:
            live = np.flatnonzero(batch.actors() >= 0)
            chosen = np.zeros(len(live), np.uint64)
            choice_sets(batch.states[live], 0, chosen)
            sets[live] = chosen
        allowed = sets[:, None] >> np.arange(batch.game.actions, dtype=np.uint64) & np.uint64(1)
        batch.step((rng.random(allowed.shape) * allowed).argmax(1))
    return found[done]
