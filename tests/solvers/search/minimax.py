"""Plain minimax over the verbs, the oracle of the solver; and the positions that both solve."""

import numpy as np
from numba import prange

from solvers.search.double_dummy_search import play
from spielgames.core.batch import Batch
from spielgames.core.cards import NONE, bit, count, has, int64, lowest
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.record import TERMINAL
from spielgames.core.verbs import allies, legal, returns

DEPTH = 40


@linked
def minimax(rows, left, values, seat, side, seed, out):
    """The value of `rows[1]` for a seat: no bounds, no table, no order."""
    depth, entered, value = 1, True, 0.0
    while True:
        s = rows[depth]
        if entered:
            if s.turn == TERMINAL:
                returns(s, out)
                value, left[depth] = out[seat], NONE
            else:
                left[depth] = legal(s)
                values[depth] = -np.inf if has(side, s.turn) else np.inf
        else:
            wins = has(side, s.turn)
            value = max(value, values[depth]) if wins else min(value, values[depth])
            values[depth] = value
        if left[depth] == NONE:
            if depth == 1:
                return value
            depth, entered = depth - 1, False
        else:
            a = lowest(left[depth])
            left[depth] ^= bit(a)
            rows[depth + 1] = s
            play(rows[depth + 1], a, seed)
            depth, entered = depth + 1, True


@Kernel
def minimax_games(states, seed, utilities, out):
    for i in prange(len(states)):
        rows = np.zeros(DEPTH, states.dtype)
        left, values = np.zeros(DEPTH, np.uint64), np.zeros(DEPTH)
        rows[0] = states[i]
        seat = int64(states[i].turn)
        actions = legal(states[i])
        while actions != NONE:
            a = lowest(actions)
            actions ^= bit(a)
            rows[1] = rows[0]
            play(rows[1], a, seed)
            out[i, a] = minimax(
                rows, left, values, seat, allies(states[i], seat), seed, utilities[i]
            )


@Kernel
def side_sets(states, hands, out):
    """Whose side the mover is on, and how many cards the hands and piles hold."""
    for i in prange(len(states)):
        s = states[i]
        out[i] = allies(s, s.turn) if s.turn >= 0 else NONE
        hands[i] = 0
        for place in range(len(s.hands)):
            hands[i] += count(s.hands[place])


def minimax_values(states, actions, seed=0):
    """As `solve`, without its means."""
    out = np.full((len(states), actions), np.nan, np.float32)
    minimax_games(states, seed, np.zeros(states["played"].shape), out)
    return out


def endings(name, cards, games, seed=0):
    """Positions of random deals in which hands and piles first hold so few cards, and bidding is
    over.
    """
    batch = Batch(name, games, seed)
    rng = np.random.default_rng(seed)
    found = np.zeros(games, batch.states.dtype)
    done = np.zeros(games, bool)
    sides, held = np.zeros(games, np.uint64), np.zeros(games, np.int64)
    while batch.running():
        side_sets(batch.states, held, sides)
        here = ~done & (sides != 0) & (held <= cards)
        found[here] = batch.states[here]
        done |= here
        weights = rng.random((games, batch.game.actions)) * batch.legal_mask()
        batch.step(weights.argmax(1))
    return found[done]
