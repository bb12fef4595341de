"""Sheephead's rule-based player: each piece of its advice in a position; its strength."""

import numpy as np
import pytest

from spielgames.core.cards import members
from spielgames.core.players import RANDOM, choice_sets
from spielgames.sheephead.cards import TRUMPS
from spielgames.sheephead.rules import PLAYERS
from tests.lineups import play_levels
from tests.sheephead.table import NAME, PASSES, Table, action

pytestmark = pytest.mark.compiled

STANDARD = 0
STRONG = "QC JK QS JC JD KS"
WEAK = "8D 9D 7C 8S 9H KC"


def choices(table):
    sets = np.zeros(1, np.uint64)
    choice_sets(table.batch.states, STANDARD, sets)
    return set(members(sets[0]))


def chooses(table, words):
    """Whether the player's choices are exactly these."""
    return choices(table) == {action(word) for word in words.split()}


def test_picks_top_trumps_and_passes_small_ones():
    assert chooses(Table(STRONG), "pick")
    assert chooses(Table(WEAK), "pass")


def test_the_last_seat_picks_a_hand_that_the_first_passes():
    middling = "JC JD AD KD 8D 7C"
    assert chooses(Table(middling), "pass")
    assert chooses(Table("", "", "", "", middling).play("pass pass pass pass"), "pick")


def test_buries_points_that_leave_a_void_and_keeps_a_card_to_call_with():
    table = Table("QC JK QS JC TS KH", "", "", "", "", "JD TC").play("pick")
    assert chooses(table, "TC TS")
    assert chooses(table.play("TC"), "TS")
    assert chooses(table.play("TS"), "call:AH")


def test_buries_no_trump():
    table = Table("QC JK QS AD TD 7H", "", "", "", "", "7S 8C").play("pick 8C")
    assert chooses(table, "7S 7H")


def test_calls_the_suit_in_which_the_picker_is_short():
    table = Table("QC JK JC JD 7S 8S", "", "", "", "", "KH TC").play("pick TC JD")
    assert chooses(table, "call:AH")


def test_plays_alone_only_with_overwhelming_trumps():
    table = Table("QC JK QS QH QD JC", "", "", "", "", "7S 8C").play("pick 8C JC")
    assert chooses(table, "alone")
    table = Table("QC JK QS AD 8D 7S", "", "", "", "", "9D 8C").play("pick 8C 9D")
    assert chooses(table, "call:AS")


def test_the_picker_draws_trumps():
    table = Table("KC QC JK QS TD 9H", "AC", "", "", "", "8D 7S").play("pick 7S 9H call:AC")
    assert choices(table) <= set(members(TRUMPS))


def test_a_defender_leads_the_called_suit_to_find_the_partner():
    table = Table("7C JD 8D KS 9S 8H", "QC QS JK KC TH 9D", "AC").play("pass pick TH 9D call:AC")
    assert chooses(table, "7C")


TRICK = (  # seat 0 picks and calls ♣A, which seat 1 has
    "QC KC JK QS QH JC",
    "AC TD 9S 8S 7S 9D",
    "AD TC 8C JD KS TS",
    "KD 9C 8D AS 7H 8H",
    "JS AH TH KH 9H JH",
    "QD 7C",
)


def trick():
    return Table(*TRICK).play("pick 7C JC call:AC")


def test_the_partner_schmears_on_the_picker_and_the_defenders_do_not():
    table = trick().play("QC")
    assert chooses(table, "TD")
    assert chooses(table.play("TD"), "JD")  # not the ace of trumps


def test_the_last_seat_trumps_in_with_the_cheapest_card_that_brings_most():
    """Seat 4 defends and has no clubs: 25 points would go to the partner's ace."""
    hands = ("KC JK QS QH QC 7H", "AC TD 9S 8S 7S 9D", "TC AD JD KS TS AH", "9C 8C 8D AS KH 8H")
    table = Table(*hands, "JS TH QD 9H KD JH", "7C JC")
    assert chooses(table.play("pick 7C JC call:AC KC AC TC 9C"), "KD")


def test_nola_sheds_the_cards_that_take_tricks():
    table = Table("AC AS 7C 7S 8H 9H").play(PASSES)
    assert chooses(table, "AC AS")


def edge(line_ups, deals=4000):
    """The mean utility of the rule-based seats of each line-up."""
    return play_levels(NAME, line_ups, deals, seed=11).mean(0)[line_ups == STANDARD].mean()


def test_beats_random_play():
    one = np.where(np.eye(PLAYERS, dtype=bool), STANDARD, RANDOM).astype(np.int64)
    assert edge(one) > 9
    assert edge(RANDOM - one) > 3


def test_random_cards_bids_buries_and_calls_by_the_rules_and_then_plays_anything():
    first, second = (play_levels(NAME, [[level] * 5], deals=300, seed=6) for level in (0, 1))
    assert first.shape == second.shape and (first != second).any()
    gained = play_levels(NAME, [[0, 1, 1, 1, 1]], deals=2000, seed=7)[:, 0, 0]
    worse = play_levels(NAME, [[0, RANDOM, RANDOM, RANDOM, RANDOM]], deals=2000, seed=7)[:, 0, 0]
    assert 0 < gained.mean() < worse.mean()
