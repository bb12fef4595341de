"""The rules of Hearts, told in deals."""

import pytest

from spielgames.core.cards import members
from tests.hearts.table import MIXED, SOLO, Table
from tests.table import cards

# Seat 1 takes the first trick of MIXED with ♣A, or seat 2 takes it with ♣K.
ACE_TAKES = "JC AC KC KS"
KING_TAKES = "JC QC KC KS"
# Seat 1 takes everything; seats 1 and 2 share the points, and the other two take no trick.
MOON = f"{KING_TAKES}  JD AH KD AD  KH AS QH JH  AC QD JS QS"
SHARED = f"{KING_TAKES}  AS JS QS KH  JD QH KD AD  AC QD AH JH"


def hands(table):
    return [set(members(hand)) for hand in table.s.hands]


@pytest.mark.parametrize(
    ("direction", "receivers"), [("left", "1230"), ("right", "3012"), ("across", "2301")]
)
def test_each_seat_passes_cards_in_the_direction_of_the_deal(direction, receivers):
    table = Table(MIXED, direction).play("JH AD JD AH")
    for card, receiver in zip(["JH", "AD", "JD", "AH"], map(int, receivers), strict=True):
        assert cards(card) <= hands(table)[receiver]
        assert cards(card) == set(members(table.s.gained[receiver]))


def test_no_card_arrives_before_all_are_chosen():
    table = Table(MIXED, "left").play("JC AC AS")
    assert table.turn == 3 and not any(table.s.gained)
    table.play("AH")
    assert hands(table)[1] == cards("QC AD KH JC") and table.turn == 1  # ♣J leads, where it now is


def test_the_cards_to_be_passed_are_chosen_one_by_one():
    table = Table(MIXED, "left", pass_count=2)
    assert table.legal == cards(MIXED[0])
    table.play("QS")
    assert table.turn == 0 and table.legal == cards("JC KD JH")


def test_the_lowest_club_is_led_first():
    assert Table(MIXED).turn == 0 and Table(MIXED).legal == cards("JC")
    assert Table(SOLO).legal == cards("JC")
    assert Table(SOLO, can_lead_any_club=True).legal == cards("AC KC QC JC")


def test_whoever_can_follow_suit_must():
    table = Table(MIXED).play("JC")
    assert table.legal == cards("QC AC")
    assert table.play("QC").legal == cards("KC")


def test_whoever_cannot_follow_suit_may_play_anything():
    assert Table(MIXED).play(f"{KING_TAKES} JD").legal == cards("QH AH JS")


def test_the_highest_card_of_the_suit_led_takes_a_trick_and_leads():
    assert Table(MIXED).play(KING_TAKES).turn == 2
    assert Table(MIXED).play(ACE_TAKES).turn == 1


def test_no_points_in_the_first_trick():
    assert Table(MIXED).play("JC QC KC").legal == cards("KS JS")
    free = Table(MIXED, no_pts_on_first_trick=False)
    assert free.play("JC QC KC").legal == cards("QH AH KS JS")


def test_unless_nothing_else_is_left():
    table = Table(SOLO).play("JC JD")
    assert table.legal == cards(SOLO[2])
    assert table.play("JH").legal == cards("AS KS JS")


def test_hearts_are_not_led_before_they_are_broken():
    assert Table(MIXED).play(ACE_TAKES).legal == cards("QC AD")
    assert Table(MIXED, must_break_hearts=False).play(ACE_TAKES).legal == cards("QC AD KH")


def test_a_heart_breaks_hearts():
    assert Table(MIXED).play(f"{KING_TAKES}  JD AH KD AD").legal == cards("AC KH")


def test_the_queen_of_spades_breaks_hearts_as_well():
    thrown = f"{ACE_TAKES}  QC AS JS QS"
    assert Table(MIXED).play(thrown).legal == cards("AD KH")
    assert Table(MIXED, qs_breaks_hearts=False).play(thrown).legal == cards("AD")


WITHOUT_CLUBS = ["JD KS JH", "AD QS KH", "QD AS QH", "KD JS AH"]


def test_without_clubs_the_lowest_card_that_is_not_a_heart_leads():
    assert Table(WITHOUT_CLUBS).legal == cards("JD")


def test_beside_the_queen_of_spades_hearts_are_led_by_a_flag_only():
    first = "JD AD QD KD"
    assert Table(WITHOUT_CLUBS).play(first).legal == cards("QS")
    flagged = Table(WITHOUT_CLUBS, can_lead_hearts_instead_of_qs=True)
    assert flagged.play(first).legal == cards("QS KH")


def test_whoever_has_only_hearts_may_lead_them():
    flags = {"qs_breaks_hearts": False, "no_pts_on_first_trick": False}
    deal = ["JC KS JD QD", "AC KH AH JH", "QC AS AD QH", "KC QS JS KD"]
    assert Table(deal, **flags).play("JC AC QC KC").legal == cards("KH AH JH")


def test_each_seat_counts_its_hearts_and_the_queen_of_spades():
    table = Table(MIXED).play(SHARED)
    assert table.over and table.points == [0, 3, 14, 0]


def test_the_utility_is_the_mean_of_the_others_points_less_ones_own():
    assert Table(MIXED).play(SHARED).result == [17, 17 - 12, 17 - 56, 17]


def test_all_points_are_a_moon_and_count_for_the_others():
    table = Table(MIXED).play(MOON)
    assert table.points == [0, 17, 0, 0]
    assert table.result == [-17, 51, -17, -17]


def test_a_seat_without_a_trick_counts_5_less_by_a_flag():
    bonus = {"avoid_all_tricks_bonus": True}
    assert Table(MIXED, **bonus).play(SHARED).result == [7 + 20, 7 - 12, 7 - 56, 7 + 20]
    assert Table(MIXED, **bonus).play(MOON).result == [-17, 51, -17, -17]  # not beside a moon


def test_the_jack_of_diamonds_counts_10_less_by_a_flag():
    bonus = {"jd_bonus": True}
    assert Table(MIXED, **bonus).play(SHARED).result == [7, 7 - 4 * -7, 7 - 56, 7]
    assert Table(MIXED, **bonus).play(MOON).result == [-27, 81, -27, -27]  # and beside a moon
