"""Sheephead's worlds: every possible past is drawn equally often, and looks the same."""

import itertools

import numpy as np
import pytest
from scipy.stats import chisquare

from spielgames.core.batch import Batch
from spielgames.core.cards import bit, count, make_set, members
from spielgames.core.record import NOBODY, set_event_action
from spielgames.sheephead import rules
from spielgames.sheephead.rules import BLIND, BURIED
from spielgames.testing.positions import replay_all
from tests.sheephead.table import NAME, Table, random_play

pytestmark = pytest.mark.compiled


def every_past(table: Table, seat: int) -> np.ndarray:
    """All (deal, hidden actions) that look the same to a seat that did not pick, by trying every
    deal and burying. With one card each, the picker's last card is what may become unknown."""
    s, visible = table.s, table.batch.infostate(np.array([seat]))
    hidden = set(members(s.deck & ~s.dealt[seat]))
    others = [p for p in range(5) if p != seat]
    pasts = []
    for four in itertools.permutations(sorted(hidden), 4):
        dealt = dict(zip(others, four, strict=True))
        blind = hidden - set(four)
        found = blind | {dealt[int(s.picker)]} if s.picker != NOBODY else set()
        for buried in itertools.permutations(sorted(found), count(s.hands[BURIED])):
            past = table.batch.states.copy()
            for place, c in dealt.items():
                past[0].dealt[place] = bit(c)
            past[0].dealt[BLIND] = make_set(blind)
            for t, c in enumerate(buried, int(s.picker) + 1):
                set_event_action(past[0], t, c)
            if s.call >= rules.CALL_UNKNOWN and s.phase == rules.PLAYING:
                (laid,) = found - set(buried)
                set_event_action(past[0], int(s.picker) + 2 + int(s.blind), laid)
            pasts.append(past)
    pasts = np.concatenate(pasts)
    out, possible = pasts.copy(), np.zeros(len(pasts), bool)
    replay_all(out, pasts, possible)
    batch = Batch.of_states(table.batch.game, table.batch.variant, out)
    same = (batch.infostate(np.full(len(out), seat)) == visible).all(1)
    return out[possible & same]


def fingerprints(states: np.ndarray) -> np.ndarray:
    """A number per past: where the cards were dealt, and all that happened."""
    n = int(states["length"][0])
    rows = np.concatenate([states["dealt"], states["events"][:, :n].astype(np.uint64)], axis=1)
    return rows @ np.random.default_rng(0).integers(1 << 62, size=rows.shape[1], dtype=np.uint64)


BURIES = ("KS", "KC", "AC", "KH", "AS", "AD KD AH")
CALLS = ("KD", "KC", "AC", "KH", "KS", "AD AH AS")
LAYS = ("KS", "KC", "AS", "AD", "KH", "AC KD AH")


@pytest.mark.parametrize(
    ("hands", "start", "seats"),
    [
        (BURIES, "pass pass", (2,)),
        (BURIES, "pass pick AD KD", (2,)),  # two of three are buried
        (CALLS, "pass pick AD AH AS call:AC", (0, 2)),
        (LAYS, "pass pick AC KD AH unknown:AS", (0, 2)),  # nothing has been laid down yet
        (LAYS, "pass pick AC KD AH unknown:AS KC KS", (3,)),
        (LAYS, "pass pick AC KD AH unknown:AS KC KS KC", (3,)),
        (BURIES, "pass pick AD KD AH alone KS", (2,)),
        (BURIES, "pass pass pass pass pass KS KC", (3,)),
    ],
)
def test_worlds_are_uniform_over_all_pasts(hands, start, seats):
    """ranks=2: every past that a seat can't exclude is sampled, and as often as any other."""
    table = Table(*hands, name=NAME + "(ranks=2)").play(start)
    for seat in seats:
        pasts = np.sort(fingerprints(every_past(table, seat)))
        assert len(np.unique(pasts)) == len(pasts) > 10
        worlds = table.batch.worlds(np.array([seat]), 20 * len(pasts), seed=seat).states
        found, often = np.unique(fingerprints(worlds), return_counts=True)
        assert np.isin(found, pasts).all()
        frequencies = np.zeros(len(pasts))
        frequencies[np.searchsorted(pasts, found)] = often
        assert chisquare(frequencies).pvalue > 1e-3


def test_worlds_look_the_same_and_never_miss():
    rng = np.random.default_rng(2)
    for batch in random_play(NAME, 60, seed=8):
        seats = rng.integers(0, 5, 60)
        worlds, twice = batch.worlds(seats, 2, seed=4), np.repeat(seats, 2)
        assert (worlds.observe(twice) == np.repeat(batch.observe(seats), 2, 0)).all()
        assert (worlds.infostate(twice) == np.repeat(batch.infostate(seats), 2, 0)).all()
        mine = np.repeat(batch.actors() == seats, 2)
        assert (worlds.legal_sets() == np.repeat(batch.legal_sets(), 2))[mine].all()
