"""Sets of cards as 64-bit integers, with the few operations that every rule is made of.

Each function is plain Python when called from Python (a compiled one would return an `int`, which
Numba mixes with sets into floats) and an instruction or two when called from compiled code.
"""

from collections.abc import Callable, Iterable
from typing import Any, cast

import numpy as np
from numba import types
from numba.extending import overload

from spielgames.core import instructions as cpu
from spielgames.core.inlining import INLINED, inlined

Cards = np.uint64  # a set of card (or action) ids
NONE = np.uint64(0)
ONE = np.uint64(1)
SUIT_SYMBOLS = "♣♦♥♠"
SUIT_LETTERS = "CDHS"

# NumPy's 64-bit integer, in compiled code a plain number; to type checkers an `int` like any other.
int64 = cast("Callable[[Any], int]", np.int64)


def bit(card: int) -> Cards:
    """The set that holds one card."""
    return np.uint64(1 << int(card))


def has(cards: Cards, card: int) -> bool:
    """Whether `card` is in the set."""
    return bool(int(cards) >> int(card) & 1)


def lane(suit: int, ranks: int) -> Cards:
    """All cards of a suit, in a deck numbered `ranks * suit + rank`."""
    return np.uint64(((1 << int(ranks)) - 1) << int(ranks) * int(suit))


def count(cards: Cards) -> int:
    """The number of cards in the set."""
    return int(cards).bit_count()


def lowest(cards: Cards) -> int:
    """The lowest card id of a non-empty set."""
    bits = int(cards)
    return (bits & -bits).bit_length() - 1


def highest(cards: Cards) -> int:
    """The highest card id of a non-empty set."""
    return int(cards).bit_length() - 1


def nth(cards: Cards, k: int) -> int:
    """The k-th lowest card id of the set, counting from 0."""
    bits = int(cards)
    for _ in range(int(k)):
        bits &= bits - 1
    return (bits & -bits).bit_length() - 1


def scaled(luck: np.uint64, n: int) -> int:
    """Scale a 64-bit random number to 0 … n−1 (the high half of the product)."""
    return (int(luck) * int(n)) >> 64


def _compiled(function: Callable) -> Callable:
    """Mark what Numba compiles in place of a plain function above."""
    return overload(function, jit_options=INLINED, strict=False)


@_compiled(bit)
def _bit(card: types.Type) -> Callable:
    return lambda card: ONE << np.uint64(card)


@_compiled(has)
def _has(cards: types.Type, card: types.Type) -> Callable:
    return lambda cards, card: (cards >> np.uint64(card)) & ONE != NONE


@_compiled(lane)
def _lane(suit: types.Type, ranks: types.Type) -> Callable:
    return lambda suit, ranks: ((ONE << np.uint64(ranks)) - ONE) << np.uint64(ranks * suit)


@_compiled(count)
def _count(cards: types.Type) -> Callable:
    return lambda cards: cpu.ctpop(np.uint64(cards))


@_compiled(lowest)
def _lowest(cards: types.Type) -> Callable:
    return lambda cards: cpu.cttz(np.uint64(cards))


@_compiled(highest)
def _highest(cards: types.Type) -> Callable:
    return lambda cards: 63 - cpu.ctlz(np.uint64(cards))


@_compiled(scaled)
def _scaled(luck: types.Type, n: types.Type) -> Callable:
    return lambda luck, n: cpu.mulhi(np.uint64(luck), np.uint64(n))


@_compiled(nth)
def _nth(cards: types.Type, k: types.Type) -> Callable:
    if cpu.HAS_PDEP:
        return lambda cards, k: cpu.cttz(cpu.pdep(ONE << np.uint64(k), np.uint64(cards)))

    def portable(cards: Cards, k: int) -> int:
        for _ in range(k):
            cards = cards & (cards - ONE)
        return cpu.cttz(cards)

    return portable


@inlined
def unless_empty(cards: Cards, otherwise: Cards) -> Cards:
    return cards if cards != NONE else otherwise


def small_deck(suits: int, ranks: int, full_ranks: int) -> int:
    """The highest `ranks` ranks of the last `suits` suits; ids stay those of the full deck."""
    top = ((1 << ranks) - 1) << (full_ranks - ranks)
    return sum(top << (full_ranks * suit) for suit in range(4 - suits, 4))


def members(cards: Cards | int) -> list[int]:
    """The card ids of a set, ascending."""
    bits = int(cards)
    return [card for card in range(bits.bit_length()) if bits >> card & 1]


def make_set(cards: Iterable[int]) -> Cards:
    """The set of the given card ids."""
    return np.uint64(sum(1 << int(card) for card in set(cards)))
