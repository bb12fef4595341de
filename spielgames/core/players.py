"""Compiled players: a level per seat, and whole deals played by them.

A player may be indifferent between several moves, and then picks one uniformly. Those picks come
from a stream of their own (`whim`), so that different players can play the same deal, with the same
chance draws.
"""

import numpy as np
from numba import prange

from spielgames.core.advance import advance, settle
from spielgames.core.cards import NONE, Cards, count, inlined, nth
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import PLAYERS_SEED, Luck, below, forward, stream
from spielgames.core.record import TERMINAL, State
from spielgames.core.verbs import choose, legal, reset, returns

RANDOM = -1  # the level below all rules


@inlined
def choices(s: State, level: int) -> Cards:
    """The actions among which a player of this level chooses uniformly."""
    return legal(s) if level == RANDOM else choose(s, level)


@inlined
def play_on(s: State, levels: np.ndarray, luck: Luck, whim: Luck) -> None:
    """Play to the end, each seat at its level."""
    luck = settle(s, luck)
    while s.turn != TERMINAL:
        whim = forward(whim)
        actions = choices(s, levels[s.turn])
        advance(s, nth(actions, below(whim, count(actions))))
        luck = settle(s, luck)


@linked
def finish(row: np.ndarray, levels: np.ndarray, luck: Luck, out: np.ndarray) -> None:
    """Play the only game of `row` to its end; `out` gets the utilities. (It is an array because a
    record does not keep its array alive.)
    """
    play_on(row[0], levels, luck, forward(luck))
    returns(row[0], out)


@Kernel
def choice_sets(states: np.ndarray, level: int, out: np.ndarray) -> None:
    """The choices of each seat to move; none where no seat is."""
    for i in prange(len(states)):
        out[i] = choices(states[i], level) if states[i].turn >= 0 else NONE


@inlined
def whim_of(seed: int, deal: int, lineups: int, lineup: int) -> Luck:
    """The players' own stream in one of the games that are played with a deal."""
    return stream(seed ^ PLAYERS_SEED, deal * lineups + lineup)


@Kernel
def start_lineups(
    states: np.ndarray, lineups: int, first: int, seed: int, luck: np.ndarray, whims: np.ndarray
) -> None:
    """Start the streams of games that play each deal, from `first` on, with every line-up."""
    for i in prange(len(states)):
        luck[i] = stream(seed, first + i // lineups)
        whims[i] = whim_of(seed, first + i // lineups, lineups, i % lineups)


@Kernel
def play_seated(
    states: np.ndarray, levels: np.ndarray, luck: np.ndarray, whims: np.ndarray
) -> None:
    """Deal and play a game in every row; `levels` are those of its seats, `[rows, seats]`."""
    for i in prange(len(states)):
        reset(states[i])
        play_on(states[i], levels[i], luck[i], whims[i])


@Kernel
def fork_streams(seeds: np.ndarray, index: int, out: np.ndarray) -> None:
    """Fill the stream of that index for each of many seeds."""
    for i in prange(len(seeds)):
        out[i] = stream(seeds[i], index)
