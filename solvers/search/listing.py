"""All deals that a mover can believe in, one by one.

As in `core.worlds`, plays rule out cards, what is proven beyond that comes in weighted cases, and
`retrace` invents the past of every deal. Here the deals of each case are listed instead of drawn.
"""

import numpy as np
from numba import prange

from spielgames.core.cards import NONE, Cards, bit, inlined, int64, lowest
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import forward, stream
from spielgames.core.verbs import cases
from spielgames.core.worlds import (
    MAX_CASES,
    copy,
    dream,
    find_bans,
    find_places,
    find_room,
    forget_unseen,
    unseen_by,
)

TRIES = 64  # pasts invented for a deal before it is taken to be impossible
TOO_MANY = -1


@linked
def list_case(
    position: np.ndarray,
    weight: float,
    room: np.ndarray,
    allowed: np.ndarray,
    scratch: np.ndarray,
    seed: int,
    found: int,
    worlds: np.ndarray,
    weights: np.ndarray,
) -> int:
    """Append the deals of one case, found so far: `found`. Depth first, card by card: card d of
    `cards` lies at `places[d]`, −1 if it has not been placed yet.
    """
    s, seat = position[0], int64(position[0].turn)
    cards, places = np.zeros(64, np.int64), np.zeros(65, np.int64)
    n = members_of(unseen_by(s, seat), cards)
    depth, places[0] = 0, -1
    while depth >= 0:
        if depth == n:
            if found == len(worlds):
                return TOO_MANY
            weights[found] = weight
            found += complete(position, scratch, cards, places, n, seed, found, worlds)
            depth -= 1
            continue
        if places[depth] >= 0:
            room[places[depth]] += 1
        places[depth] = next_place(places[depth], allowed[cards[depth]], room)
        if places[depth] < 0:
            depth -= 1
            continue
        room[places[depth]] -= 1
        depth += 1
        places[depth] = -1
    return found


@inlined
def members_of(cards: Cards, out: np.ndarray) -> int:
    n = 0
    while cards != NONE:
        out[n] = lowest(cards)
        cards ^= bit(out[n])
        n += 1
    return n


@inlined
def next_place(place: int, allowed: int, room: np.ndarray) -> int:
    """The next place that may take a card, or −1."""
    for following in range(place + 1, len(room)):
        if allowed >> following & 1 and room[following] > 0:
            return following
    return -1


@inlined
def complete(
    position: np.ndarray,
    scratch: np.ndarray,
    cards: np.ndarray,
    places: np.ndarray,
    n: int,
    seed: int,
    at: int,
    worlds: np.ndarray,
) -> int:
    """Make world `at` of the cards as placed; 1 if it is possible."""
    s, seat, luck = position[0], int64(position[0].turn), stream(seed, at)
    for _ in range(TRIES):
        worlds[at] = s
        forget_unseen(s, seat, worlds[at])
        for d in range(n):
            worlds[at].hands[places[d]] |= bit(cards[d])
        luck = forward(luck)
        if dream(s, seat, worlds[at], scratch[0], luck):
            return 1
    return 0


@linked
def list_one(
    position: np.ndarray, scratch: np.ndarray, seed: int, worlds: np.ndarray, weights: np.ndarray
) -> int:
    """List the deals of one position; the number of deals, or TOO_MANY."""
    s, seat, found = position[0], int64(position[0].turn), 0
    banned, room = np.zeros(len(s.played), np.uint64), np.zeros(len(s.hands), np.int64)
    places, allowed = np.zeros(64, np.int64), np.zeros(64, np.int64)
    find_bans(scratch[0], s, seat, banned)
    find_room(s, seat, room)
    find_places(s, seat, banned, room, places)
    for k in range(MAX_CASES):
        copy(places, allowed)
        weight = cases(s, seat, k, allowed)
        if weight < 0.0:
            return found
        if weight > 0.0:
            found = list_case(
                position, weight, room, allowed, scratch, seed, found, worlds, weights
            )
        if found == TOO_MANY:
            return TOO_MANY
    return found


@Kernel
def list_all(
    states: np.ndarray,
    seeds: np.ndarray,
    worlds: np.ndarray,
    weights: np.ndarray,
    found: np.ndarray,
) -> None:
    """Fill the worlds of each position with all possible deals, if they fit, and their weights."""
    for i in prange(len(states)):
        own = states[i : i + 1]
        found[i] = list_one(own, own.copy(), seeds[i], worlds[i], weights[i])
