"""Perfect-information Monte Carlo (Ginsberg 2001): an action's mean value over the worlds that its
maker may believe in, when everybody plays on by the rules, or its side looks ahead.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import prange

from spielgames.core.advance import advance
from spielgames.core.ahead import End, look_ahead
from spielgames.core.arrays import copy, fill
from spielgames.core.belief import move_worlds
from spielgames.core.cards import NONE, bit, count, has, inlined, int64, lowest
from spielgames.core.infostate import fingerprint
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import PLAYERS_SEED, stream
from spielgames.core.players import RANDOM
from spielgames.core.verbs import legal
from spielgames.core.worlds import sample_one

FIRST = int64(0)  # a literal would make Numba compile what it is given to once more


class Search(NamedTuple):
    worlds: int
    level: int = 0  # of the rules
    seed: int = 0
    cheats: bool = False  # whether it sees all hands, so that every world is the true one
    insight: int = 0  # how often each world is moved towards what the others' play makes likely
    strangers: float = 0.0  # the prior probability that an opponent plays at random
    ahead: int = 0  # later decisions in which its side may deviate, seeing all hands
    # If `won` is positive, a win counts 1 and a loss −1, whatever the margin. The log-odds
    # of winning a world are `bias` plus, for each of two continuations (by the rules; looking
    # ahead), `margin` times the margin, and ±`won` divided by the number of cards that the mover
    # still has. `analysis.odds` fits these numbers.
    bias: float = 0.0
    won: float = 0.0
    margin: float = 0.0


@linked
def weigh_in(
    position: np.ndarray,
    usual: int,
    sides: np.ndarray,
    how: Search,
    worlds: np.ndarray,
    scratch: np.ndarray,
    worth: np.ndarray,
    doubt: np.ndarray,
) -> int:
    """The mean utility of each legal action in the one game of `position`, −∞ for the others, and
    the standard error of its difference from the `usual` one. Returns a negative number if no world
    was found. `worlds` and `scratch` are memory for records, which do not keep their array alive.

    Worlds and play-outs follow from the seed and from what the mover has seen, so that it acts
    alike in positions that it cannot tell apart; all actions meet the same worlds and luck.
    """
    s, seat = position[0], int64(position[0].turn)
    seed, tries = int64(fingerprint(s, seat, how.seed) >> np.uint64(1)), 0  # never negative
    actions, strange = legal(s), np.full(len(worlds), NONE)
    if how.cheats:
        for j in range(len(worlds)):
            worlds[j] = s
    else:
        tries = sample_one(position, FIRST, seat, len(worlds), seed, worlds)
        if tries >= 0 and how.insight > 0 and count(actions) > 1:
            share, steps = how.strangers, how.insight
            move_worlds(position, worlds, scratch, sides, how.level, share, steps, seed, strange)
    before, found = np.empty(len(worlds)), np.empty(len(worlds))
    play_all(worlds, strange, usual, seat, sides, how, seed, scratch, before)
    fill(worth, -np.inf)
    fill(doubt, 0)
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        if a == usual:
            copy(before, found)
        else:
            play_all(worlds, strange, a, seat, sides, how, seed, scratch, found)
        worth[a] = found.mean()
        doubt[a] = (found - before).std() / np.sqrt(len(worlds))
    return tries


@linked
def play_all(
    worlds: np.ndarray,
    strange: np.ndarray,
    a: int,
    seat: int,
    sides: np.ndarray,
    how: Search,
    seed: int,
    scratch: np.ndarray,
    out: np.ndarray,
) -> None:
    """The seat's result in each world when it goes on with action `a`."""
    players = len(sides)
    levels, utilities, wins = np.full(players, how.level), np.zeros(players), how.won > 0
    for j in range(len(worlds)):
        scratch[0] = worlds[j]
        advance(scratch[0], a)
        luck = stream(seed ^ PLAYERS_SEED, j)
        for q in range(players):
            levels[q] = RANDOM if has(strange[j], q) else how.level
        plain, best = look_ahead(scratch, seat, sides, levels, how.ahead, wins, luck, utilities)
        out[j] = expected(how, count(worlds[j].hands[seat]), plain, best) if wins else best[0]


@inlined
def expected(how: Search, left: int, plain: End, best: End) -> float:
    """The expected value of 1 for a win and −1 for a loss."""
    told = how.won / left * (plain[0] + best[0]) + how.margin * (plain[1] + best[1])
    return np.tanh((how.bias + told) / 2)


@Kernel
def weigh_all(
    states: np.ndarray,
    usual: np.ndarray,
    sides: np.ndarray,
    how: Search,
    worth: np.ndarray,
    doubt: np.ndarray,
    tries: np.ndarray,
) -> None:
    for i in prange(len(states)):
        worlds, scratch = np.zeros(how.worlds, states.dtype), np.zeros(2, states.dtype)
        scratch[0] = states[i]
        scratch[1] = states[i]
        own = states[i : i + 1]
        tries[i] = weigh_in(own, usual[i], sides, how, worlds, scratch, worth[i], doubt[i])


def action_values(
    states: np.ndarray, actions: int, sides: Sequence[int], how: Search, usual: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The mean utility, for its mover, of each action in each game, −∞ if illegal; and the standard
    error of its difference from the game's usual action. Both `[games, actions]`. `sides` names the
    side of each seat.
    """
    worth, doubt = np.empty((2, len(states), actions))
    tries = np.empty(len(states), np.int64)
    weigh_all(states, usual, np.array(sides), how, worth, doubt, tries)
    if len(tries) and tries.min() < 0:
        raise RuntimeError(f"no consistent world found for game {int(tries.argmin())}")
    return worth, doubt
