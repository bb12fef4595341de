"""Perfect-information Monte Carlo: what an action is worth on average over the worlds that its
maker may believe in, when everybody plays on by the rules (Ginsberg 2001).
"""

import numpy as np
from numba import njit, prange

from spielgames.core.cards import NONE, bit, lowest
from spielgames.core.infostate import fingerprint
from spielgames.core.loops import Kernel
from spielgames.core.luck import stream
from spielgames.core.play import advance
from spielgames.core.players import WHIMS, choices, finish
from spielgames.core.verbs import legal
from spielgames.core.worlds import sample_one


@njit(cache=True, nogil=True)
def weigh_in(
    position: np.ndarray,
    worlds: np.ndarray,
    cheats: bool,
    level: int,
    seed: int,
    worth: np.ndarray,
    doubt: np.ndarray,
) -> int:
    """The mean utility of each legal action in the one game of `position`, −∞ for the others, and
    the standard error of its difference from what the rules would do; less than 0 if no world was
    found. Who cheats sees all hands: then all worlds are the true one.

    Worlds and play-outs follow from the seed and from what the mover has seen, so that he does the
    same wherever he can't tell the difference; all actions meet the same worlds and the same luck.
    """
    s, seat = position[0], np.int64(position[0].turn)
    seed = np.int64(fingerprint(s, seat, seed) >> np.uint64(1))  # never negative
    tries = 0
    if cheats:
        for j in range(len(worlds)):
            worlds[j] = s
    else:
        tries = sample_one(position, 0, seat, len(worlds), seed, worlds)
    usual = np.empty(len(worlds))
    found = np.empty(len(worlds))
    copy = position.copy()
    play_all(worlds, lowest(choices(s, level)), seat, level, seed, copy, usual)
    worth[:] = -np.inf
    doubt[:] = 0.0
    actions = legal(s)
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        play_all(worlds, a, seat, level, seed, copy, found)
        worth[a] = found.mean()
        doubt[a] = (found - usual).std() / np.sqrt(len(worlds))
    return tries


@njit(cache=True, nogil=True)
def play_all(
    worlds: np.ndarray,
    a: int,
    seat: int,
    level: int,
    seed: int,
    copy: np.ndarray,
    out: np.ndarray,
) -> None:
    """What a seat gets in each world when it goes on with action `a` and then by the rules."""
    players = len(copy[0].played)
    levels, utilities = np.full(players, level), np.zeros(players)
    for j in range(len(worlds)):
        copy[0] = worlds[j]
        advance(copy[0], a)
        finish(copy, levels, stream(seed ^ WHIMS, j), utilities)
        out[j] = utilities[seat]


@njit(cache=True, nogil=True)
def weigh_game(
    states: np.ndarray,
    i: int,
    worlds: int,
    cheats: bool,
    level: int,
    seed: int,
    worth: np.ndarray,
    doubt: np.ndarray,
) -> int:
    """`weigh_in` with memory for its worlds (which, being records, need a caller that keeps it)."""
    memory = np.zeros(worlds, states.dtype)
    return weigh_in(states[i : i + 1], memory, cheats, level, seed, worth, doubt)


@Kernel
def weigh_all(
    states: np.ndarray,
    worlds: int,
    cheats: bool,
    level: int,
    seed: int,
    worth: np.ndarray,
    doubt: np.ndarray,
    tries: np.ndarray,
) -> None:
    for i in prange(len(states)):
        tries[i] = weigh_game(states, i, worlds, cheats, level, seed, worth[i], doubt[i])


def action_values(
    states: np.ndarray, actions: int, worlds: int, level: int, seed: int, cheats: bool = False
) -> tuple[np.ndarray, np.ndarray]:
    """The mean utility, for its mover, of each action in each game, −∞ if illegal; and the standard
    error of its difference from what the rules would do. Both `[games, actions]`.
    """
    worth, doubt = np.empty((2, len(states), actions))
    tries = np.empty(len(states), np.int64)
    weigh_all(states, worlds, cheats, level, seed, worth, doubt, tries)
    if len(tries) and tries.min() < 0:
        raise RuntimeError(f"no consistent world found for game {int(tries.argmin())}")
    return worth, doubt
