"""Snapszer's worlds: every hidden past is drawn equally often, and none in vain."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from spielgames.core import worlds
from spielgames.core.batch import Batch
from spielgames.core.cards import make_set, members
from spielgames.core.record import NOBODY
from spielgames.snapszer.game import SNAPSZER
from spielgames.snapszer.record import TALON, UPCARD, trump_jack
from spielgames.testing.positions import replay_all
from tests.snapszer.table import Table, play_randomly

pytestmark = pytest.mark.compiled


def draws_of(s, q):
    """The events that brought q a hidden card."""
    return [t for t in range(s.length) if s.events[t] >> 12 & 1 and s.events[t] >> 8 & 15 == q]


def hidden_pasts(states, seat):
    """Every way in which the opponent's dealt cards and draws can have been, tried one by one."""
    s, q = states[0], 1 - seat
    unseen = [c for c in members(s.deck) if not (int(s.dealt[seat]) | int(s.gained[seat])) >> c & 1]
    draws = draws_of(s, q)
    hand = len(members(s.dealt[q]))
    pasts = []
    for dealt in itertools.combinations(unseen, hand):
        rest = [c for c in unseen if c not in dealt]
        for drawn in itertools.permutations(rest, len(draws)):
            past = states.copy()
            past[0].dealt[q] = make_set(dealt)
            past[0].dealt[TALON] = s.deck & ~(s.dealt[seat] | make_set(dealt) | s.dealt[UPCARD])
            past[0].events[draws] = s.events[draws] & ~np.uint16(255) | np.uint16(drawn)
            pasts.append(past)
    return possible(np.concatenate(pasts), states, seat)


def possible(pasts, states, seat):
    """Those which, played again through the rules, show the seat what it has seen."""
    good = np.zeros(len(pasts), bool)
    again = pasts.copy()
    replay_all(again, pasts, good)
    game, variant = SNAPSZER, Table().variant
    tensors = Batch.of_states(game, variant, again).infostate(np.array(seat))
    wanted = Batch.of_states(game, variant, states.copy()).infostate(np.array(seat))
    good &= (tensors == wanted).all(1) & (again["turn"] == states[0].turn)
    return again[good]


def key(s):
    return s.dealt.tobytes() + s.events[: s.length].tobytes()


def kind(s, seat):
    """The kind of the opponent's past: what makes it interesting."""
    jack = int(trump_jack(s))
    late = s.lacked[1 - seat] > 0 and not int(s.dealt[seat] | s.gained[seat]) >> jack & 1
    if late and int(s.public) >> jack & 1:
        return "exchanged late" if s.exchanger == 1 - seat else "late jack played"
    if late and s.hands[TALON]:
        since = [t for t in draws_of(s, 1 - seat) if t >= s.lacked[1 - seat]]
        return "jack late or in the talon" if since else "jack in the talon"
    if late:
        return "jack late"
    if s.married[1 - seat] and s.length > 6:
        return "marriage"
    if s.closer != NOBODY:
        return "closed"
    return "exchanged" if s.exchanger == 1 - seat else "plain"


def positions(name, seed, each=8):
    """Some positions of each kind out of random deals, with the seats to move."""
    batch = Batch(name, games=400, seed=seed)
    found = Counter()
    for _ in play_randomly(batch, seed, close=0.3):
        for i in np.flatnonzero((batch.actors() >= 0) & (batch.states["length"] > 2)):
            seat = int(batch.actors()[i])
            what = kind(batch.states[i], seat)
            found[what] += 1
            if found[what] <= each:
                yield what, batch.states[i : i + 1].copy(), seat


@pytest.mark.parametrize(
    ("name", "kinds"),
    [
        (
            "python_snapszer(suits=3,ranks=4,hand=2)",
            {"late jack played", "jack late or in the talon", "exchanged late", "exchanged"},
        ),
        ("python_snapszer(suits=3,ranks=4,hand=2,rules=schnapsen)", {"exchanged"}),
        ("python_snapszer(suits=2,hand=2)", {"late jack played", "jack late", "marriage"}),
        ("python_snapszer(suits=2,hand=3)", {"jack late", "marriage"}),
    ],
)
def test_worlds_are_uniform_over_all_hidden_pasts(name, kinds):
    """Against enumeration; and no world is drawn in vain, so the deductions are complete."""
    seen_kinds = set()
    for what, states, seat in positions(name, seed=11):
        seen_kinds.add(what)
        pasts = {key(past) for past in hidden_pasts(states, seat)}
        n = 50 * len(pasts)
        out, tries = np.zeros(n, states.dtype), np.zeros(1, np.int64)
        worlds.sample_all(states, np.array([seat]), n, 5, out, tries)
        assert tries[0] == n
        found = Counter(key(w) for w in out)
        assert set(found) <= pasts
        surplus = sum((found[past] - 50) ** 2 / 50 for past in pasts) - (len(pasts) - 1)
        assert surplus <= 5 * math.sqrt(2 * len(pasts)) + 5
    assert seen_kinds >= kinds | {"plain", "closed"}
