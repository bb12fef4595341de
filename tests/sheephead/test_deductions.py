"""What Sheephead's worlds deduce is exact: every assignment of cards is tried."""

import itertools

import numpy as np
import pytest
from numba import njit

from spielgames.core.cards import NONE, bit, count, lowest, nth
from spielgames.core.deductions import find_bans, find_places, find_room, unseen_by
from spielgames.core.record import set_event_action
from spielgames.core.replay import replay
from spielgames.core.verbs import cases, reset
from tests.sheephead.table import NAME, SMALL, VARIANTS, random_play

pytestmark = pytest.mark.compiled


@njit
def next_order(p):
    """Find the next order of a multiset in lexicographic order; return whether there is one."""
    i = len(p) - 2
    while i >= 0 and p[i] >= p[i + 1]:
        i -= 1
    if i < 0:
        return False
    j = len(p) - 1
    while p[j] <= p[i]:
        j -= 1
    p[i], p[j] = p[j], p[i]
    p[i + 1 :] = p[i + 1 :][::-1].copy()
    return True


@njit
def plainest_past(s, seat, w):
    """For the hands of w: the picker found the lowest cards and buried in ascending order."""
    for q in range(5):
        w.dealt[q] = w.hands[q] | s.played[q]
    w.dealt[5] = w.hands[5]
    if s.picker == seat:
        w.dealt[seat], w.dealt[5] = s.dealt[seat], s.dealt[5]
    elif s.picker != 15:
        buried = w.hands[6]
        w.dealt[s.picker] |= buried | w.hands[7]
        for t in range(count(buried)):
            set_event_action(w, s.picker + 1 + t, nth(buried, t))
        if w.hands[7] != NONE:
            set_event_action(w, s.picker + 2 + s.blind, lowest(w.hands[7]))
        for _ in range(s.blind):
            found = bit(lowest(w.dealt[s.picker]))
            w.dealt[s.picker] ^= found
            w.dealt[5] |= found


@njit
def read_proofs(s, seat, scratch, allowed, weights):
    """Read what worlds claim to know: per case, the places of each card; return how many cases."""
    banned, room = np.zeros(5, np.uint64), np.zeros(8, np.int64)
    places = np.zeros(64, np.int64)
    find_bans(scratch, s, seat, banned)
    find_room(s, seat, room)
    find_places(s, seat, banned, room, places)
    n = 0
    while True:
        allowed[n] = places
        weights[n] = cases(s, seat, n, allowed[n])
        if weights[n] < 0:
            return n
        n += 1


@njit
def claims(ids, places, n, allowed, weights):
    """The summed weight of the cases that an assignment of the unseen cards belongs to."""
    total = 0.0
    for k in range(n):
        inside = weights[k] > 0
        for i in range(len(ids)):
            inside = inside and (allowed[k, ids[i]] >> places[i] & 1) != 0
        total += weights[k] if inside else 0.0
    return total


@njit
def compare_proofs(states, seat, copies):
    """Tries every assignment of the unseen cards: how many there are, how many of them the rules
    allow, and for how many `claims` is wrong."""
    s, w, r = states[0], copies[0], copies[1]
    allowed, weights = np.zeros((64, 64), np.int64), np.zeros(64)
    n = read_proofs(s, seat, copies[2], allowed, weights)  # which relaxes the duties of that copy
    unseen = unseen_by(s, seat)
    ids = np.array([nth(unseen, i) for i in range(count(unseen))])
    places = np.zeros(len(ids), np.int64)
    at = 0
    for place in range(8):
        for _ in range(count(s.hands[place] & unseen) if place != seat else 0):
            places[at] = place
            at += 1
    total, possible, wrong = 0, 0, 0
    while True:
        for place in range(8):
            w.hands[place] = s.hands[place] & ~unseen
        for i in range(len(ids)):
            w.hands[places[i]] |= bit(ids[i])
        plainest_past(s, seat, w)
        reset(r)
        fits = replay(r, w)
        total += 1
        possible += fits
        wrong += claims(ids, places, n, allowed, weights) != (1.0 if fits else 0.0)
        if not next_order(places):
            return total, possible, wrong


def assignments(s, seat: int) -> float:
    """The number of ways in which the unseen cards could lie."""
    unseen = unseen_by(s, seat)
    sizes = [count(h & unseen) for place, h in enumerate(s.hands) if place != seat]
    ways = 1
    for k, size in zip(itertools.accumulate(sizes), sizes, strict=True):
        for i in range(size):
            ways = ways * (k - i) // (i + 1)
    return ways


def check_proofs(name: str, games: int, seed: int, most: int) -> dict[str, list[int]]:
    """Compare on random deals wherever it is small enough; return how much, per kind of call."""
    rng, tried = np.random.default_rng(seed), {}
    for game in range(games):
        for batch in random_play(name, 1, seed=seed + game):
            s, seat = batch.states[0], int(rng.integers(5))
            if assignments(s, seat) <= most and rng.random() < 0.5:
                total, possible, wrong = compare_proofs(
                    batch.states, seat, np.repeat(batch.states, 3)
                )
                assert possible > 0
                assert wrong == 0, (name, seed + game, s.length, seat)
                kind = ("none", "alone", "ace", "ten", "unknown")[max(0, (int(s.call) - 31) // 3)]
                sums = tried.setdefault(kind, [0, 0, 0])
                sums[:] = [sums[0] + 1, sums[1] + total, sums[2] + possible]
    return tried


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        (NAME + "(ranks=2)", {"ace", "unknown"}),
        (SMALL, {"ace", "unknown"}),
        (NAME + "(ranks=3,duties=false)", {"ace", "unknown"}),
        (NAME + "(suits=2,ranks=6)", {"ace", "ten", "unknown"}),
        (NAME + "(suits=2,hand=2)", {"ace", "ten", "unknown"}),
        (NAME, {"ace"}),
    ],
)
def test_deductions_are_exact(name, kinds):
    """Every assignment that the rules allow is claimed by exactly one case, and no other is."""
    tried = check_proofs(name, games=120, seed=17, most=4000)
    for kind in kinds:
        some, total, possible = tried[kind]
        assert some >= 3
        assert possible < total  # something was deduced


@pytest.mark.slow
@pytest.mark.parametrize("name", [*VARIANTS, NAME + "(ranks=3,hand=1)", NAME + "(ranks=5)"])
def test_deductions_are_exact_in_many_deals(name):
    assert check_proofs(name, games=500, seed=1000, most=60_000)
