"""Sets of cards as 64-bit integers, with the few operations that every rule is made of.

Each function is plain Python when called from Python (where a compiled one would give back an
`int`, which Numba then mixes with sets into floats) and an instruction or two when called from
compiled code.
"""

from collections.abc import Callable, Iterable

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


def bit(card: int) -> Cards:
    """The set holding one card."""
    return np.uint64(1 << int(card))


def has(cards: Cards, card: int) -> bool:
    """Whether `card` is in the set."""
    return bool(int(cards) >> int(card) & 1)


def lane(suit: int, ranks: int) -> Cards:
    """All cards of a suit, in a deck numbered `ranks * suit + rank`."""
    return np.uint64(((1 << int(ranks)) - 1) << int(ranks) * int(suit))


def count(cards: Cards) -> int:
    """How many cards the set holds."""
    return int(cards).bit_count()


def lowest(cards: Cards) -> int:
    """The lowest card id of a non-empty set."""
    cards = int(cards)
    return (cards & -cards).bit_length() - 1


def highest(cards: Cards) -> int:
    """The highest card id of a non-empty set."""
    return int(cards).bit_length() - 1


def nth(cards: Cards, k: int) -> int:
    """The k-th lowest card id of the set, counting from 0."""
    cards = int(cards)
    for _ in range(int(k)):
        cards &= cards - 1
    return (cards & -cards).bit_length() - 1


def scaled(luck: np.uint64, n: int) -> int:
    """A 64-bit random number scaled to 0 … n-1 (the high half of the product)."""
    return (int(luck) * int(n)) >> 64


def _compiled(function: Callable) -> Callable:
    """Marks what Numba compiles instead of a plain function above."""
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


def members(cards: Cards) -> list[int]:
    """The card ids of a set, ascending."""
    cards = int(cards)
    return [card for card in range(cards.bit_length()) if cards >> card & 1]


def make_set(cards: Iterable[int]) -> Cards:
    """The set of the given card ids."""
    return np.uint64(sum(1 << int(card) for card in set(cards)))
