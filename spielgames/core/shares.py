"""Sharing out unseen cards among places, so that every possible way is equally likely.

Cards that may go to the same places form a group; group 0 may go anywhere. The number of ways to
place the restricted groups comes from dynamic programming over the room that is left; the free
cards then fill the rest in a multinomial number of ways. No rejection, no bias.
"""

import numpy as np

from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, Cards, bit, count, inlined, int64, lowest
from spielgames.core.game import MAX_PLACES
from spielgames.core.hidden_cards import subset
from spielgames.core.luck import Luck, forward, fraction
from spielgames.core.record import State

GROUPS = 64
MEMORY_BITS = 9
MEMORY = 1 << MEMORY_BITS
SPREAD = np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing
Shares = np.record
FIELDS = [
    ("places", "i8"),
    ("n", "i8"),  # groups
    ("room", "i8", (MAX_PLACES,)),  # open slots; joined places have theirs in the first
    ("joined", "i8", (MAX_PLACES,)),  # the place that stands for this one
    ("shares", "u8", (MAX_PLACES,)),  # what each place gets
    ("masks", "i8", (GROUPS,)),  # the places a group may go to
    ("sizes", "i8", (GROUPS,)),
    ("groups", "u8", (GROUPS,)),
    ("grouping", "i8"),  # a number > 0 for this way of grouping the cards
    ("keys", "i8", (MEMORY,)),  # of the numbers of ways found before
    ("found", "f8", (MEMORY,)),  # those numbers
]
SHARES = np.dtype((np.record, np.dtype(FIELDS)))
FACTORIAL = np.cumprod(np.concatenate([[1.0], np.arange(1.0, 65.0)]))
FIRST, START = int64(1), int64(0)  # literals would make Numba compile `ways` anew for each


@inlined
def group_cards(
    g: Shares, cards: Cards, allowed: np.ndarray, room: np.ndarray, grouping: int
) -> None:
    """Sort cards into groups by `allowed[card]`, the set of places that each may go to."""
    g.grouping = grouping
    g.n = 1
    g.masks[0] = 0
    g.groups[0] = NONE
    for place in range(g.places):
        if room[place] > 0:
            g.masks[0] |= 1 << place
    while cards != NONE:
        card = lowest(cards)
        cards ^= bit(card)
        k = 0
        while k < g.n and g.masks[k] != allowed[card]:
            k += 1
        if k == g.n:
            g.masks[k] = allowed[card]
            g.groups[k] = NONE
            g.n += 1
        g.groups[k] |= bit(card)
    for k in range(g.n):
        g.sizes[k] = count(g.groups[k])


@inlined
def open_places(g: Shares, room: np.ndarray) -> None:
    """Empty all places. Places that every group treats alike are joined: the first of them has the
    room of all.
    """
    for place in range(g.places):
        g.room[place] = 0
        g.joined[place] = place
        for first in range(place - 1, -1, -1):
            if are_alike(g, first, place):
                g.joined[place] = g.joined[first]
        g.room[g.joined[place]] += room[place]


@inlined
def are_alike(g: Shares, place: int, other: int) -> bool:
    alike = True
    for k in range(1, g.n):
        alike = alike and (g.masks[k] >> place ^ g.masks[k] >> other) & 1 == 0
    return alike


@inlined
def binomial(n: int, k: int) -> float:
    return FACTORIAL[n] / (FACTORIAL[k] * FACTORIAL[n - k])


@inlined
def free_ways(g: Shares) -> float:
    """The number of ways in which the free cards fill the remaining room."""
    total = 0
    filled = 1.0
    for place in range(g.places):
        total += g.room[place]
        filled *= FACTORIAL[g.room[place]]
    return FACTORIAL[total] / filled


@inlined
def key_of(g: Shares, k: int) -> int:
    """The key of the number of ways from group k on: it depends on the room that is left."""
    key = g.grouping
    for place in range(g.places):
        key = key * (GROUPS + 1) + g.room[place]
    return key * GROUPS + k


@inlined
def slot_of(key: int) -> int:
    """The slot where a number of ways is remembered until another one needs it."""
    return int64(np.uint64(key) * SPREAD >> np.uint64(64 - MEMORY_BITS))


@compiled
def ways(g: Shares, k: int, place: int, left: int) -> float:
    """The number of ways in which the last `left` cards of group k can go to `place` and later
    places, and all later groups wherever they may. (Numba allows a function to call itself, but not
    through another one.)
    """
    if left == 0:
        return ways(g, k + 1, START, g.sizes[k + 1]) if k + 1 < g.n else free_ways(g)
    if place == g.places:
        return 0.0
    key, slot = 0, 0
    if place == 0:
        key = key_of(g, k)
        slot = slot_of(key)
        if g.keys[slot] == key:
            return g.found[slot]
    total = 0.0
    for x in range(most(g, k, place, left) + 1):
        g.room[place] -= x
        total += binomial(left, x) * ways(g, k, place + 1, left - x)
        g.room[place] += x
    if place == 0:
        g.keys[slot] = key
        g.found[slot] = total
    return total


@inlined
def most(g: Shares, k: int, place: int, left: int) -> int:
    """The number of a group's cards that a place can take."""
    return min(left, g.room[place]) if g.masks[k] >> place & 1 else 0


@inlined
def split_ways(g: Shares, k: int, place: int, left: int, x: int) -> float:
    """Like `ways`, with exactly x of the cards going to `place`."""
    g.room[place] -= x
    rest = ways(g, k, place + 1, left - x)
    g.room[place] += x
    return binomial(left, x) * rest


@inlined
def all_ways(g: Shares, room: np.ndarray) -> float:
    """The number of ways to place all cards, including how joined places share theirs."""
    total = ways(g, FIRST, START, g.sizes[1]) if g.n > 1 else free_ways(g)
    for place in range(g.places):
        total *= FACTORIAL[g.room[place]] / FACTORIAL[room[place]]
    return total


@compiled
def pick_split(g: Shares, k: int, place: int, left: int, luck: Luck) -> int:
    """Draw how many of a group's remaining cards go to `place`."""
    target = fraction(luck) * ways_from(g, k, place, left)
    last = 0
    for x in range(most(g, k, place, left) + 1):
        weight = split_ways(g, k, place, left, x)
        if weight > 0.0:
            last = x
            target -= weight
            if target < 0.0:
                break
    return last


@inlined
def ways_from(g: Shares, k: int, place: int, left: int) -> float:
    total = 0.0
    for x in range(most(g, k, place, left) + 1):
        total += split_ways(g, k, place, left, x)
    return total


@inlined
def share_out(g: Shares, room: np.ndarray, w: State, luck: Luck) -> Luck:
    """Deal the grouped cards into w's hands and piles, using up the room."""
    for place in range(g.places):
        g.shares[place] = NONE
    for k in range(1, g.n):
        luck = share_group(g, k, luck)
    cards = g.groups[0]
    for place in range(g.places):
        chosen, luck = subset(cards, g.room[place], luck)
        cards ^= chosen
        g.shares[place] |= chosen
    for place in range(g.places):  # what joined places got, they share
        chosen, luck = subset(g.shares[g.joined[place]], room[place], luck)
        g.shares[g.joined[place]] ^= chosen
        w.hands[place] |= chosen
    return luck


@inlined
def share_group(g: Shares, k: int, luck: Luck) -> Luck:
    """Deal a restricted group, weighing every split by the ways in which the rest can follow."""
    cards = g.groups[k]
    for place in range(g.places):
        if cards != NONE and g.room[place] > 0 and g.masks[k] >> place & 1:
            luck = forward(luck)
            x = pick_split(g, k, place, count(cards), luck)
            g.room[place] -= x
            chosen, luck = subset(cards, x, luck)
            cards ^= chosen
            g.shares[place] |= chosen
    return luck
