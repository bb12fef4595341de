"""Cards as places among those still in play, for searches with open hands: the eight is as good as
the ten once the nine is gone.
"""

import numpy as np
from numba import types
from numba.extending import overload

from spielgames.core import instructions as cpu
from spielgames.core.cards import NONE, ONE, Cards, count, inlined, lane
from spielgames.core.inlining import INLINED
from spielgames.core.record import State

# Odd random numbers: a sum of their multiples is a hash.
_M1 = np.uint64(0x9FB21C651E98DF25)
_M2 = np.uint64(0xD6E8FEB86659FD93)
_M3 = np.uint64(0xE7037ED1A0B428DB)
_M4 = np.uint64(0xA0761D6478BD642F)


def squeeze(cards: Cards, among: Cards) -> Cards:
    """The places of cards within a set, as a set: the lowest card of `among` has place 0."""
    places = [k for k, card in enumerate(_members(among)) if int(cards) >> card & 1]
    return np.uint64(sum(1 << k for k in places))


def stretch(places: Cards, among: Cards) -> Cards:
    """The cards that have these places within a set."""
    cards = [card for k, card in enumerate(_members(among)) if int(places) >> k & 1]
    return np.uint64(sum(1 << card for card in cards))


def _members(cards: Cards) -> list[int]:
    return [card for card in range(64) if int(cards) >> card & 1]


@overload(squeeze, jit_options=INLINED, strict=False)
def _squeeze(cards: types.Type, among: types.Type) -> object:
    if cpu.HAS_PDEP:
        return lambda cards, among: cpu.pext(np.uint64(cards), np.uint64(among))

    def portable(cards: Cards, among: Cards) -> Cards:
        places, place = NONE, ONE
        while among != NONE:
            card = among & (~among + ONE)
            if cards & card != NONE:
                places |= place
            place <<= ONE
            among ^= card
        return places

    return portable


@overload(stretch, jit_options=INLINED, strict=False)
def _stretch(places: types.Type, among: types.Type) -> object:
    if cpu.HAS_PDEP:
        return lambda places, among: cpu.pdep(np.uint64(places), np.uint64(among))

    def portable(places: Cards, among: Cards) -> Cards:
        cards = NONE
        while places != NONE:
            card = among & (~among + ONE)
            if places & ONE != NONE:
                cards |= card
            places >>= ONE
            among ^= card
        return cards

    return portable


@inlined
def in_hands(s: State) -> Cards:
    """The cards that the seats still hold."""
    cards = NONE
    for seat in range(len(s.played)):
        cards |= s.hands[seat]
    return cards


@inlined
def lowest_of_suits(cards: Cards, ranks: int) -> Cards:
    found = NONE
    for suit in range(4):
        same = cards & lane(suit, ranks)
        found |= same & (~same + ONE)
    return found


@inlined
def lowest_of_sequences(actions: Cards, alive: Cards, ranks: int, apart: Cards) -> Cards:
    """The lowest card of each sequence, among the cards in play (`alive`), of one suit. A sequence
    does not go on across cards that are `apart`.
    """
    odd = squeeze(apart, alive)
    first = squeeze(lowest_of_suits(alive, ranks), alive) | odd | odd << ONE
    places = squeeze(actions, alive)
    return stretch(places & ~(places << ONE & ~first), alive)


@inlined
def hands_key(s: State, alive: Cards, ranks: int, rest: int) -> np.uint64:
    """A hash of who holds which cards, told as places in their suits; and of a number. (Of four
    hands; the fourth has what the others have not.)
    """
    key = np.uint64(rest)
    for suit in range(4):
        key = key << np.uint64(4) | np.uint64(count(alive & lane(suit, ranks)))
    return (
        key * _M1
        + squeeze(s.hands[0], alive) * _M2
        + squeeze(s.hands[1], alive) * _M3
        + squeeze(s.hands[2], alive) * _M4
    )
