"""Before the play of Sheephead: bidding, burying, and calling a partner."""

import pytest

from spielgames.core.cards import NONE, members
from spielgames.core.record import IS_PRIVATE
from spielgames.sheephead import rules
from spielgames.sheephead.rules import BLIND, BURIED, UNDER
from tests.sheephead.table import NAME, SMALL, VARIANTS, Table, cards, random_play


def test_bidding_goes_round_from_seat_0():
    table = Table()
    for seat in range(4):
        assert table.s.turn == seat
        assert table.may("pass pick")
        table.play("pass")
    table.play("pick")
    assert table.s.picker == table.s.turn == 4
    assert table.s.gained[4] == table.s.dealt[BLIND]
    assert table.s.hands[4] == table.s.dealt[4] | table.s.dealt[BLIND]
    assert table.s.hands[BLIND] == NONE


def test_any_two_cards_are_buried_in_private():
    table = Table("AC TC QC JK 7H 8D", "", "", "", "", "AS AH").play("pick")
    assert table.may("AC TC QC JK 7H 8D AS AH")
    table.play("JK")
    assert table.may("AC TC QC 7H 8D AS AH")
    table.play("AC")
    assert table.s.hands[BURIED] == cards("JK AC")
    assert [int(e) & IS_PRIVATE > 0 for e in table.s.events[:3]] == [False, True, True]
    table.play("alone")
    assert table.s.turn == 0
    assert table.s.private == 0


@pytest.mark.parametrize(
    ("hand", "buried", "calls"),
    [
        ("7C 8D 9D TD KD JD", "7S 7H", "call:AC alone"),
        ("7C 7S 7H TD KD JD", "8D 9D", "call:AC call:AS call:AH alone"),
        ("7C AC 7S 7H KD JD", "8D 9D", "call:AS call:AH alone"),
        # A buried ace is the picker's own; a buried card of the suit is not in the hand.
        ("7C 7S QC QS QH QD", "AC 7H", "call:AS alone"),
        # The ace of each fail suit in hand is there: an unknown card, for any ace that is lacking.
        ("AC 7C QC QS QH QD", "8D 9D", "unknown:AS unknown:AH alone"),
        ("AC AS QC QS QH QD", "7C 9D", "unknown:AH alone"),
        ("7C 8C QC QS QH QD", "AC 9D", "unknown:AS unknown:AH alone"),
        # No fail card in hand: nothing to lay down.
        ("QC JK QS QH QD JC", "7C 8C", "alone"),
        ("QC JK QS QH QD JC", "AC AS", "alone"),
        # All three aces: a ten that is lacking, in a suit of which there is a card.
        ("AC AS AH QH QD JC", "8D 9D", "call:TC call:TS call:TH alone"),
        ("AC AS TH QH QD TC", "AH 9D", "call:TS alone"),
        ("AC AS TH QH QD TC", "AH TS", "alone"),
        ("QC JK QS QH QD JC", "AC AS", "alone"),
    ],
)
def test_calls(hand, buried, calls):
    table = Table(hand, "", "", "", "", buried).play("pick").play(buried)
    assert table.may(calls)


@pytest.mark.parametrize(
    ("hand", "buried", "calls"),
    [
        ("QC JK QS QH QD AC", "AS AH", "call:TC alone"),
        ("AC AH QC TC 7H 9D", "AS 7S", "call:TH alone"),
        ("AC AH QC TC TH 9D", "AS 7S", "alone"),
    ],
)
def test_a_ten_is_called_only_in_a_suit_of_which_a_card_is_kept(hand, buried, calls):
    assert Table(hand, "", "", "", "", buried).play("pick").play(buried).may(calls)


@pytest.mark.parametrize(
    ("word", "called", "suit"),
    [("call:AC", "AC", "C"), ("call:AS", "AS", "S"), ("call:AH", "AH", "H")],
)
def test_a_call_finds_its_hidden_partner(word, called, suit):
    table = Table("7C 7S 7H TD KD JD", "AH", "AC", "AS", "", "8D 9D").play("pick 8D 9D").play(word)
    assert table.s.called == cards(called)
    assert table.s.suit == cards(" ".join(rank + suit for rank in "ATK987"))
    assert table.s.partner == {"AH": 1, "AC": 2, "AS": 3}[called]
    assert table.s.turn == 0


def test_a_called_ten():
    table = Table("AC AS AH QH QD JC", "TH", "TC", "TS", "", "8D 9D").play("pick 8D 9D call:TS")
    assert table.s.called == cards("TS")
    assert table.s.partner == 3
    assert table.s.hands[UNDER] == NONE


def test_a_small_deck_calls_only_what_it_has():
    """Without tens, a picker with all aces plays alone; without clubs there is no ♣A to call."""
    table = Table("AC AS", "", "", "", "", "AH QC", name=SMALL).play("pick AH QC")
    assert table.may("alone")
    hands = ("KH", "KS", "AS", "KD", "AD", "AH")
    table = Table(*hands, name=NAME + "(suits=3,ranks=2)").play("pick")
    assert table.play("KH").may("unknown:AS alone")


def expected_calls(s) -> set[int]:
    hand = s.hands[s.turn]
    own = hand | s.hands[BURIED]
    suits = "CSH"
    lanes = [cards(" ".join(rank + suit for rank in "ATK987")) for suit in suits]
    aces, tens = ([cards(rank + suit) & s.deck for suit in suits] for rank in "AT")
    wanted = [i for i in range(3) if aces[i] & ~own]
    regular = [35 + i for i in wanted if hand & lanes[i]]
    if regular:
        return {34, *regular}
    if not wanted:
        return {34, *(38 + i for i in range(3) if tens[i] & ~own and hand & lanes[i])}
    return {34, *(41 + i for i in wanted)} if hand & (lanes[0] | lanes[1] | lanes[2]) else {34}


@pytest.mark.parametrize("name", VARIANTS)
def test_calls_agree_with_a_second_reading_of_the_rules(name):
    kinds = set()
    for batch in random_play(name, 400, seed=3):
        for s, legal in zip(batch.states, batch.legal_sets(), strict=True):
            if s.phase == rules.CALLING:
                assert set(members(legal)) == expected_calls(s)
                kinds |= {(a - 32) // 3 for a in members(legal)}
    assert {0, 1, 3} <= kinds  # alone, an ace, an ace with an unknown card
