"""Worlds: what a seat may believe, drawn exactly uniformly from all pasts it cannot tell apart.

1. The seat deduces where the unseen cards cannot be (`core.deductions`).
2. The unseen cards are shared out among hands and piles (`core.shares`).
3. The game's `retrace` invents the hidden past, and the deal is replayed by the rules. A world in
   which a move was illegal, or which looks different to the seat, is drawn anew: deductions only
   make that rare and do not decide what is right.
"""

import numpy as np
from numba import prange

from spielgames.core.arrays import copy
from spielgames.core.cards import inlined
from spielgames.core.deductions import find_bans, find_places, find_room, unseen_by
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import Luck, forward, fraction, stream
from spielgames.core.record import State
from spielgames.core.replay import replay
from spielgames.core.shares import (
    SHARES,
    Shares,
    all_ways,
    group_cards,
    open_places,
    share_out,
)
from spielgames.core.verbs import cases, reset, retrace

MAX_CASES = 64
MAX_TRIES = 100_000


@inlined
def take_case(
    s: State,
    seat: int,
    k: int,
    room: np.ndarray,
    places: np.ndarray,
    allowed: np.ndarray,
    g: Shares,
) -> float:
    """Group the cards as in the k-th case of what is proven; return the weight of the case, < 0
    past the last.
    """
    copy(places, allowed)
    weight = cases(s, seat, k, allowed)
    if weight > 0.0:
        g.places = len(s.hands)
        group_cards(g, unseen_by(s, seat), allowed, room, k + 1)
        open_places(g, room)
    return weight


@inlined
def weigh_cases(
    s: State,
    seat: int,
    room: np.ndarray,
    places: np.ndarray,
    allowed: np.ndarray,
    g: Shares,
    weights: np.ndarray,
) -> int:
    """Fill the number of pasts in each case, as running sums; return the number of cases."""
    total = 0.0
    for k in range(MAX_CASES):
        weight = take_case(s, seat, k, room, places, allowed, g)
        if weight < 0.0:
            return k
        if weight > 0.0:
            total += weight * all_ways(g, room)
        weights[k] = total
    return MAX_CASES


@inlined
def pick_case(weights: np.ndarray, n: int, luck: Luck) -> int:
    target = fraction(luck) * weights[n - 1]
    k = 0
    while k < n - 1 and weights[k] <= target:
        k += 1
    return k


@inlined
def looks_same(w: State, s: State, seat: int) -> bool:
    """Whether the replayed world looks to the seat like what it has seen."""
    same = w.turn == s.turn and w.length == s.length and w.public == s.public
    for q in range(len(s.played)):
        same = same and w.played[q] == s.played[q]
    return same and w.hands[seat] == s.hands[seat] and w.gained[seat] == s.gained[seat]


@inlined
def dream(s: State, seat: int, w: State, past: State, luck: Luck) -> bool:
    """Complete world `w`, whose hands are shared out; return whether it is possible. `past` is
    scratch.
    """
    retrace(s, seat, w, luck)
    copy_past(past, w)
    reset(w)
    return replay(w, past) and looks_same(w, s, seat)


@inlined
def copy_past(past: State, w: State) -> None:
    for place in range(len(w.dealt)):
        past.dealt[place] = w.dealt[place]
    past.length = w.length
    for t in range(w.length):
        past.events[t] = w.events[t]


@inlined
def forget_unseen(s: State, seat: int, w: State) -> None:
    """Leave in the hands and piles of `w` only the cards that the seat knows to be there."""
    unseen = unseen_by(s, seat)
    for place in range(len(s.hands)):
        w.hands[place] = s.hands[place] & ~unseen


@linked
def sample_for(
    states: np.ndarray,
    i: int,
    seat: int,
    n: int,
    seed: int,
    out: np.ndarray,
    scratch: np.ndarray,
    shares: np.ndarray,
) -> int:
    """Fill rows n·i … n·i+n−1 of `out` with worlds of game i; return how many draws that took.

    `scratch` (a copy of the game) and `shares` are arguments because a record does not keep its
    array alive: Numba may free a local array as soon as its record is taken.
    """
    s, past, g = states[i], scratch[0], shares[0]
    banned = np.zeros(len(s.played), np.uint64)
    room = np.zeros(len(s.hands), np.int64)
    places = np.zeros(64, np.int64)
    allowed = np.zeros(64, np.int64)
    weights = np.zeros(MAX_CASES)
    find_bans(past, s, seat, banned)
    find_room(s, seat, room)
    find_places(s, seat, banned, room, places)
    n_cases = weigh_cases(s, seat, room, places, allowed, g, weights)
    current = -1
    tries = 0
    for j in range(n * i, n * i + n):
        luck = stream(seed, j)
        possible = False
        while not possible:
            if tries > MAX_TRIES * n:
                return -1
            tries += 1
            luck = forward(luck)
            k = pick_case(weights, n_cases, luck)
            if k != current:
                take_case(s, seat, k, room, places, allowed, g)
                current = k
            open_places(g, room)
            out[j] = s
            forget_unseen(s, seat, out[j])
            luck = share_out(g, room, out[j], luck)
            possible = dream(s, seat, out[j], past, luck)
    return tries


@linked
def sample_one(states: np.ndarray, i: int, seat: int, n: int, seed: int, out: np.ndarray) -> int:
    """`sample_for` with its scratch memory."""
    shares = np.zeros(1, SHARES)
    return sample_for(states, i, seat, n, seed, out, states[i : i + 1].copy(), shares)


@Kernel
def sample_all(
    states: np.ndarray, seats: np.ndarray, n: int, seed: int, out: np.ndarray, tries: np.ndarray
) -> None:
    for i in prange(len(states)):
        tries[i] = sample_one(states, i, seats[i], n, seed, out)


def sample_worlds(states: np.ndarray, seats: np.ndarray, n: int, seed: int) -> np.ndarray:
    """Sample n worlds of every game, for one seat each."""
    if n < 1:
        raise ValueError(f"count={n} is not allowed; it must be at least 1")
    if (states["undealt"] != 0).any():
        raise ValueError("a game that is still being dealt has no worlds; resolve chance first")
    out = np.zeros(n * len(states), states.dtype)
    tries = np.empty(len(states), np.int64)
    sample_all(states, seats, n, seed, out, tries)
    if tries.min() < 0:
        raise RuntimeError(f"no consistent world found for game {int(tries.argmin())}")
    return out
