"""Marginals: the probability that each card lies in each hand or pile, as exact numbers.

`core.worlds` draws from the uniform distribution over all that a seat may believe; here its
marginals are counted. Cards of a group are exchangeable, so the probability that one of them lies
in a place is the number of ways to complete the deal with that card there, as a share of all ways.
Where deductions leave impossible worlds, which `core.worlds` draws anew, the numbers are those
before they are rejected; tests compare them with brute force.
"""

import numpy as np
from numba import prange

from spielgames.core.arrays import fill
from spielgames.core.cards import NONE, ONE, Cards, inlined, lowest
from spielgames.core.deductions import find_bans, find_places, find_room, unseen_by
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.record import State
from spielgames.core.shares import (
    FIRST,
    MEMORY,
    SHARES,
    START,
    Shares,
    all_ways,
    ways,
)
from spielgames.core.worlds import MAX_CASES, take_case

GROUPINGS = 1000  # for each case; more than there are pairs of a group and a place


@inlined
def forget(g: Shares) -> None:
    """Forget the numbers of ways that were found for another position."""
    for k in range(MEMORY):
        g.keys[k] = 0


@inlined
def ways_with(g: Shares, k: int, place: int) -> float:
    """The number of ways to place all cards, one of group k's in `place`."""
    if g.room[place] == 0:
        return 0.0
    g.grouping += 1  # numbers of ways are remembered, and these are others
    g.room[place] -= 1
    g.sizes[k] -= 1
    found = ways(g, FIRST, START, g.sizes[1])
    g.sizes[k] += 1
    g.room[place] += 1
    return found


@inlined
def expect_group(g: Shares, k: int, room: np.ndarray, expected: np.ndarray) -> None:
    """Fill how many of group k's cards are expected in each place. Joined places share theirs in
    proportion to their room.
    """
    fill(expected, 0.0)
    total = 0.0
    for place in range(g.places):
        if g.joined[place] == place and g.masks[k] >> place & 1:
            likely = ways_with(g, k, place)
            total += likely
            for other in range(g.places):
                if g.joined[other] == place and room[other] > 0:
                    expected[other] = likely * room[other] / g.room[place]
    for place in range(g.places):
        expected[place] *= g.sizes[k] / total


@inlined
def add_case(
    g: Shares, room: np.ndarray, weight: float, expected: np.ndarray, out: np.ndarray
) -> None:
    """Add the marginals of a case, times a weight. The free cards fill what is left."""
    for place in range(g.places):
        expected[0, place] = room[place]
    for k in range(1, g.n):
        expect_group(g, k, room, expected[k])
        for place in range(g.places):
            expected[0, place] -= expected[k, place]
    for k in range(g.n):
        cards = g.groups[k]
        while cards != NONE:
            card = lowest(cards)
            cards &= cards - ONE
            for place in range(g.places):
                out[place, card] += weight * expected[k, place] / g.sizes[k]


@inlined
def put_known(s: State, unseen: Cards, out: np.ndarray) -> None:
    """Fill 1 where the place of a card is known; 0 elsewhere."""
    for place in range(len(s.hands)):
        fill(out[place], 0.0)
        cards = s.hands[place] & ~unseen
        while cards != NONE:
            out[place, lowest(cards)] = 1.0
            cards &= cards - ONE


@linked
def fill_marginals(
    states: np.ndarray,
    i: int,
    seat: int,
    out: np.ndarray,
    scratch: np.ndarray,
    shares: np.ndarray,
) -> float:
    """Fill the marginals of game i, `[places, cards]`, in a seat's view; return the number of ways
    to place the unseen cards. (`scratch` and `shares` are as in `core.worlds`.)
    """
    s, g = states[i], shares[0]
    forget(g)
    banned = np.zeros(len(s.played), np.uint64)
    room = np.zeros(len(s.hands), np.int64)
    places, allowed = np.zeros(64, np.int64), np.zeros(64, np.int64)
    expected = np.zeros((64, len(s.hands)))
    find_bans(scratch[0], s, seat, banned)
    find_room(s, seat, room)
    find_places(s, seat, banned, room, places)
    unseen, total = unseen_by(s, seat), 0.0
    put_known(s, unseen, out)
    for k in range(MAX_CASES if unseen != NONE else 0):
        weight = take_case(s, seat, k, room, places, allowed, g)
        if weight < 0.0:
            break
        if weight > 0.0:
            weight *= all_ways(g, room)
        if weight > 0.0:
            g.grouping *= GROUPINGS
            total += weight
            add_case(g, room, weight, expected, out)
    while unseen != NONE:
        card = lowest(unseen)
        unseen &= unseen - ONE
        for place in range(len(s.hands)):
            out[place, card] /= total
    return total


@linked
def marginals_of(states: np.ndarray, i: int, seat: int, out: np.ndarray) -> float:
    """`fill_marginals` with its scratch memory."""
    return fill_marginals(states, i, seat, out, states[i : i + 1].copy(), np.zeros(1, SHARES))


@Kernel
def find_marginals(states: np.ndarray, seats: np.ndarray, out: np.ndarray) -> None:
    """Fill the marginals in the view of a seat of each game. `[games, places, cards]`"""
    for i in prange(len(states)):
        marginals_of(states, i, seats[i], out[i])
