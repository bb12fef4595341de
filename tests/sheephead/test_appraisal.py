"""Tables 1 to 3 of Brau (2011), as learners with a belief state see them."""

import numpy as np
import pytest

from solvers.environments.card_game import Records
from solvers.pomdp.views import beliefs_of, clues_of, features_of, merits_of, stages_of
from spielgames.sheephead import tensors
from spielgames.sheephead.appraisal import APPRAISAL, FEATURES, MERITS
from spielgames.sheephead.clues import CLUES
from spielgames.sheephead.game import SHEEPHEAD
from tests.sheephead.table import NAME, NOLA, PASSES, SMALL, Table, action, called_ace, card

pytestmark = pytest.mark.compiled


def beliefs(table, seat):
    return beliefs_of(table.batch.states, np.array([seat]), SHEEPHEAD)


def features(table, seat):
    row = features_of(table.batch.states, np.array([seat]), beliefs(table, seat), FEATURES.size)[0]
    return {name: view.tolist() for name, view in FEATURES.views(row).items()}


def clues(table, seat):
    return clues_of(table.batch.states, beliefs(table, seat), CLUES.size)[0]


def merit(table, word):
    return MERITS[merits_of(table.batch.states, SHEEPHEAD.actions)[0, action(word)]]


def test_the_first_features_are_those_of_table_1_scaled():
    table = called_ace().play("QD QC JC QS JD")
    row = np.zeros(tensors.THESIS_PIECES.size)
    tensors.thesis_features(table.s, 1, row)
    scale = np.ones(26)
    scale[:4], scale[-4:] = 6, 8
    found = features_of(table.batch.states, np.array([1]), beliefs(table, 1), FEATURES.size)[0]
    np.testing.assert_allclose(found[:26] * scale, row)
    env = Records(NAME, encoding="paper")
    np.testing.assert_allclose(env.observe(table.batch.states, np.array([1]))[0], found[:26])
    assert env.width == 26


def test_other_features_tell_the_side_as_far_as_the_seat_knows():
    """Seat 0 has picked and called ♣A, which seat 1 has; seat 1 leads the second trick."""
    table = called_ace().play("QD QC JC QS JD")
    assert [features(table, seat)["role"].index(1) for seat in range(5)] == [0, 1, 2, 2, 2]
    assert features(table, 1)["friends"] == [0, 0, 0, 1]
    assert features(table, 1)["balance"] == [pytest.approx((3 + 3 + 2 + 3 + 2) / 120)]
    assert features(table, 2)["balance"] == [pytest.approx(13 / 120 * (2 * 2 / 3 - 1))]
    assert sum(features(table, 0)["trumps"]) == pytest.approx((14 - 7) / 6)  # 5 played, 2 buried


def test_clues_are_expected_cards_and_probabilities():
    """Seat 1 follows to ♦Q; seat 3 knows its own cards, and that four trumps are gone."""
    table = called_ace().play("QD")
    held, row = beliefs(table, 3)[0, 1], clues(table, 3)
    led = CLUES.views(row)["led"]
    stronger = [card(word) for word in ["QC", "JK", "QS", "QH"]]
    assert led[0, 1] * 6 == pytest.approx(held[stronger].sum())
    assert (led[1:] == 0).all()
    assert CLUES.views(row)["holds"][0] == pytest.approx(held[card("QC")])
    assert CLUES.views(row)["leader"] == [1]  # seat 0 is the last after seat 1


def test_merits_are_those_of_table_3():
    assert len(MERITS) == 48 and MERITS[25] == "♦9"
    table = called_ace()
    assert merit(table, "KC") == "stronger ♣"  # it is led
    table.play("KC")
    assert merit(table, "AC") == "♣A"
    table.play("AC")
    assert merit(table, "7C") == merit(table, "8C") == "weaker ♣"


def test_bids_calls_and_nola_have_merits_of_their_own():
    table = Table("KC QD QH JH AH TH", "", "", "", "", "8D 9D")
    assert (merit(table, "pass"), merit(table, "pick")) == ("pass", "pick")
    table.play("pick")
    assert (merit(table, "8D"), merit(table, "AH")) == ("bury low trump", "bury ace or ten of ♥")
    assert merit(table.play("8D 9D"), "call:AC") == "call an ace"
    nola = Table(*NOLA, name=SMALL)
    stages = [nola.play(word) and stages_of(nola.batch.states)[0] for word in PASSES.split()]
    assert [APPRAISAL.stages[k] for k in stages] == ["bidding"] * 4 + ["nola"]
    assert merit(nola, "AC") == "Nola: stronger ♣"
    assert merit(nola.play("QC"), "KC") == "Nola: stronger ♣"
