"""Sharing unseen cards out among places, every possible way equally likely.

Cards that may go to the same places form a group; group 0 is free to go anywhere. The number of
ways to place the restricted groups comes from dynamic programming over the room that is left; the
free cards then fill what remains in a multinomial number of ways. No rejection, no bias.
"""

import numpy as np
from numba import njit

from spielgames.core.cards import NONE, Cards, bit, count, inlined, lowest, nth
from spielgames.core.luck import Luck, below, forward, mix
from spielgames.core.record import State

PLACES = 12
GROUPS = 64
Shares = np.record
SHARES = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("places", "i8"),
                ("n", "i8"),  # groups
                ("room", "i8", (PLACES,)),  # open slots of each place
                ("radix", "i8", (PLACES,)),  # numbers the rooms of the places that are restricted
                ("masks", "i8", (GROUPS,)),  # the places a group may go to
                ("sizes", "i8", (GROUPS,)),
                ("groups", "u8", (GROUPS,)),
            ]
        ),
    )
)
FACTORIAL = np.cumprod(np.concatenate([[1.0], np.arange(1.0, 65.0)]))
UNIT = 2.0**-64
FIRST, START = np.int64(1), np.int64(0)  # literals would make Numba compile `ways` anew for each


@inlined
def group_cards(g: Shares, cards: Cards, allowed: np.ndarray) -> None:
    """Sorts cards into groups by `allowed[card]`, the set of places each may go to."""
    g.n = 1
    g.masks[0] = 0
    g.groups[0] = NONE
    for place in range(g.places):
        if g.room[place] > 0:
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
def new_memo(g: Shares) -> np.ndarray:
    """An empty memo for `ways`: a cell per group and per room of the restricted places."""
    shared = 0
    for k in range(1, g.n):
        shared |= g.masks[k]
    size = 1
    for place in range(g.places):
        restricted = shared >> place & 1
        g.radix[place] = size if restricted else 0
        size *= g.room[place] + 1 if restricted else 1
    return np.full(size * g.n if g.n > 1 else 0, -1.0)


@inlined
def choices(n: int, k: int) -> float:
    return FACTORIAL[n] / (FACTORIAL[k] * FACTORIAL[n - k])


@inlined
def free_ways(g: Shares) -> float:
    """In how many ways the free cards fill the remaining room."""
    total = 0
    filled = 1.0
    for place in range(g.places):
        total += g.room[place]
        filled *= FACTORIAL[g.room[place]]
    return FACTORIAL[total] / filled


@inlined
def memo_cell(g: Shares, k: int) -> int:
    cell = 0
    for place in range(g.places):
        cell += g.room[place] * g.radix[place]
    return cell * g.n + k


@njit(cache=True)
def ways(g: Shares, k: int, place: int, left: int, memo: np.ndarray) -> float:
    """In how many ways the last `left` cards of group k can go to `place` and later places, and all
    later groups anywhere they may. (Numba allows a function to call itself, but not through
    another.)
    """
    if left == 0:
        return ways(g, k + 1, START, g.sizes[k + 1], memo) if k + 1 < g.n else free_ways(g)
    if place == g.places:
        return 0.0
    cell = memo_cell(g, k) if place == 0 else -1
    if cell >= 0 and memo[cell] >= 0.0:
        return memo[cell]
    total = 0.0
    for x in range(most(g, k, place, left) + 1):
        g.room[place] -= x
        total += choices(left, x) * ways(g, k, place + 1, left - x, memo)
        g.room[place] += x
    if cell >= 0:
        memo[cell] = total
    return total


@inlined
def most(g: Shares, k: int, place: int, left: int) -> int:
    """How many of a group's cards a place can take."""
    return min(left, g.room[place]) if g.masks[k] >> place & 1 else 0


@inlined
def split_ways(g: Shares, k: int, place: int, left: int, x: int, memo: np.ndarray) -> float:
    """As `ways`, with exactly x of the cards going to `place`."""
    g.room[place] -= x
    rest = ways(g, k, place + 1, left - x, memo)
    g.room[place] += x
    return choices(left, x) * rest


@inlined
def all_ways(g: Shares, memo: np.ndarray) -> float:
    """In how many ways all cards can be placed."""
    return ways(g, FIRST, START, g.sizes[1], memo) if g.n > 1 else free_ways(g)


@inlined
def fraction(luck: Luck) -> float:
    """A uniform number in [0, 1)."""
    return np.float64(mix(luck)) * UNIT


@njit(cache=True)
def pick_split(g: Shares, k: int, place: int, left: int, memo: np.ndarray, luck: Luck) -> int:
    """How many of a group's remaining cards go to `place`."""
    target = fraction(luck) * ways_from(g, k, place, left, memo)
    last = 0
    for x in range(most(g, k, place, left) + 1):
        weight = split_ways(g, k, place, left, x, memo)
        if weight > 0.0:
            last = x
            target -= weight
            if target < 0.0:
                break
    return last


@inlined
def ways_from(g: Shares, k: int, place: int, left: int, memo: np.ndarray) -> float:
    total = 0.0
    for x in range(most(g, k, place, left) + 1):
        total += split_ways(g, k, place, left, x, memo)
    return total


@inlined
def put(w: State, place: int, cards: Cards, x: int, luck: Luck) -> tuple[Cards, Luck]:
    """Moves x random cards of a set to a place; the others, and the stream's new position."""
    if x == count(cards):
        w.hands[place] |= cards
        return NONE, luck
    for _ in range(x):
        luck = forward(luck)
        card = bit(nth(cards, below(luck, count(cards))))
        cards ^= card
        w.hands[place] |= card
    return cards, luck


@inlined
def share_out(g: Shares, memo: np.ndarray, w: State, luck: Luck) -> Luck:
    """Deals the grouped cards into w's hands and piles, using up the room."""
    for k in range(1, g.n):
        cards = g.groups[k]
        for place in range(g.places):
            left = count(cards)
            if left > 0 and g.masks[k] >> place & 1:
                luck = forward(luck)
                x = pick_split(g, k, place, left, memo, luck)
                g.room[place] -= x
                cards, luck = put(w, place, cards, x, luck)
    cards = g.groups[0]
    for place in range(g.places):
        cards, luck = put(w, place, cards, g.room[place], luck)
    return luck
