"""Sampled worlds: complete deals that the seat to move cannot tell from the true one."""

from typing import NamedTuple

import numpy as np
from numba import prange

from spielgames.core.cards import int64
from spielgames.core.infostate import fill_fingerprints
from spielgames.core.loops import Kernel
from spielgames.core.luck import PLAYERS_SEED, stream
from spielgames.core.worlds import sample_one

FIRST = int64(0)  # a literal would make Numba compile what it is given to once more
BLOCK_SHIFT = 32  # where a seed has the number of the block


class Worlds(NamedTuple):
    """The worlds of some positions; a world of weight 0 does not exist."""

    states: np.ndarray  # [games, worlds]
    weights: np.ndarray  # [games, worlds], with sum 1 for each game
    strange: np.ndarray  # [games, worlds] the set of seats that play at random there
    luck: np.ndarray  # [games, worlds] the stream of luck in which every action meets the world
    complete: np.ndarray  # [games] whether these are all worlds there are


@Kernel
def start_luck(seeds: np.ndarray, luck: np.ndarray) -> None:
    for i in prange(len(seeds)):
        for j in range(luck.shape[1]):
            luck[i, j] = stream(seeds[i] ^ PLAYERS_SEED, j)


@Kernel
def draw_all(states: np.ndarray, seeds: np.ndarray, worlds: np.ndarray, tries: np.ndarray) -> None:
    for i in prange(len(states)):
        seat, n = int64(states[i].turn), worlds.shape[1]
        tries[i] = sample_one(states[i : i + 1], FIRST, seat, n, seeds[i], worlds[i])


def seeds_of(states: np.ndarray, seed: int, block: int) -> np.ndarray:
    """The seed of each position's worlds. It follows from what the mover has seen, so that a search
    acts alike in positions that it cannot tell apart; every block of worlds has another one.
    """
    codes, seats = np.empty(len(states), np.uint64), states["turn"].astype(np.int64)
    fill_fingerprints(states, seats, seed ^ block << BLOCK_SHIFT, codes)
    return (codes >> np.uint64(1)).astype(np.int64)  # never negative


def equal_worlds(worlds: np.ndarray, seeds: np.ndarray) -> Worlds:
    """Worlds of equal weight in which everybody plays as usual."""
    weights, luck = np.full(worlds.shape, 1 / worlds.shape[1]), np.empty(worlds.shape, np.uint64)
    start_luck(seeds, luck)
    complete = np.zeros(len(worlds), bool)
    return Worlds(worlds, weights, np.zeros(worlds.shape, np.uint64), luck, complete)


def draw_worlds(states: np.ndarray, count: int, seeds: np.ndarray) -> Worlds:
    """Worlds drawn uniformly from all pasts that the movers cannot tell apart."""
    worlds, tries = np.zeros((len(states), count), states.dtype), np.empty(len(states), np.int64)
    draw_all(states, seeds, worlds, tries)
    if len(tries) and tries.min() < 0:
        raise RuntimeError(f"no consistent world found for game {int(tries.argmin())}")
    return equal_worlds(worlds, seeds)
