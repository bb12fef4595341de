"""Randomness as plain numbers: splitmix64 (Steele, Lea and Flood 2014).

A stream is one 64-bit number; its k-th output depends on (seed, index, k) alone, so results never
depend on threads, workers or the order in which games are advanced.
"""

from typing import Any

import numpy as np

from spielgames.core.cards import inlined, scaled

Luck = np.uint64  # a position in a random stream
GAMMA = np.uint64(0x9E3779B97F4A7C15)
UNIT = 2.0**-64

# The salts that turn given randomness into other randomness. Every result depends on them.
# For other seeds, `seed ^ …`:
PLAYERS_SEED = 0x5DEECE66D  # the players' own choices, apart from the cards
SWAPS_SEED = 0x5A4B  # the moves from world to world in `solvers.search`
STRANGERS_SEED = 0x57A6  # who is a stranger there
# For other streams of a learner's position, `stream(luck, …)`:
CHOICE_STREAM = 0x7A3E  # the action drawn
EXPANSION_STREAM = 0x7A3F  # whether sampling expands the position
FORESIGHT_STREAM = 0x7A40  # looking ahead

_M1 = np.uint64(0xBF58476D1CE4E5B9)
_M2 = np.uint64(0x94D049BB133111EB)


@inlined
def mix(z: Luck | np.ndarray) -> Any:
    """Scramble a stream position into an independent 64-bit output."""
    z = (z ^ (z >> np.uint64(30))) * _M1
    z = (z ^ (z >> np.uint64(27))) * _M2
    return z ^ (z >> np.uint64(31))


@inlined
def stream(seed: int | Luck, index: int | Luck) -> Luck:
    """The start of stream `index` of a seed."""
    return mix(mix(np.uint64(seed) + GAMMA) + np.uint64(index) * GAMMA)


@inlined
def forward(luck: Luck) -> Luck:
    """The next position of a stream."""
    return luck + GAMMA


@inlined
def below(luck: Luck, n: int) -> int:
    """A uniform number in 0 … n-1 from one stream position (bias below n/2^64)."""
    return scaled(mix(luck), n)


@inlined
def fraction(luck: Luck) -> float:
    """A uniform number in [0, 1) from one stream position."""
    return np.float64(mix(luck)) * UNIT
