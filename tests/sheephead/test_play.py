"""The play of Sheephead: following suit, the duties of picker and partner, Nola."""

import pytest

from spielgames.core.cards import NONE, bit, lowest, members
from spielgames.core.record import IS_PRIVATE, NOBODY, event_action
from spielgames.sheephead import rules
from spielgames.sheephead.cards import TRUMPS
from spielgames.sheephead.rules import BLIND, UNDER
from tests.sheephead.table import (
    FREE,
    NAME,
    NOLA,
    ONE_CARD,
    PASSES,
    VARIANTS,
    Table,
    called_ace,
    card,
    cards,
    random_play,
    unknown_called,
    winner,
)


def test_trumps_are_one_suit_to_follow():
    table = called_ace().play("JH")
    assert table.may("QC")
    table.play("QC")
    assert table.may("JC JS")
    table.play("JC")
    assert table.may("QS JK")


def test_void_seats_play_anything():
    table = called_ace().play("AH TC")
    assert table.s.turn == 2
    assert table.may("7C 8C JC JS TS KS")


def test_the_called_card_is_played_when_its_suit_is_led():
    assert called_ace().play("KC").may("AC")
    assert called_ace(FREE).play("KC").may("AC TC")


def test_its_holder_leads_the_called_suit_with_it():
    lead = "QD QC JC QS JD"
    assert called_ace().play(lead).may("AC 7S 8S 9S")
    assert called_ace(FREE).play(lead).may("AC TC 7S 8S 9S")


def test_the_called_card_is_not_discarded_before():
    assert called_ace().play("AH").may("TC QC 7S 8S 9S")
    assert called_ace(FREE).play("AH").may("AC TC QC 7S 8S 9S")


def test_only_cards_are_played_whatever_the_duties():
    """A trump is led; the picker has only ♣K left, the partner only the called ♣A."""
    table = Table("KD", "KC", "AC", "KH", "KS", "AD AH AS", name=NAME + "(ranks=2)")
    table.play("pass pick AD AH AS call:AC KD")
    assert table.may("KC")
    assert table.play("KC").may("AC")
    table.play("AC KH KS")
    assert winner(table) == 0


KEEPER = (  # seat 1 picks and calls ♣A, which seat 2 has
    "AH KH 9H AS KS 8C",
    "KC 9C QD QH JH 7S",
    "AC TC 7H TS JC QC",
    "7C 9S 8H 8S JK QS",
    "TH JS JD AD TD KD",
    "8D 9D",
)


def keeper(name: str = NAME) -> Table:
    return Table(*KEEPER, name=name).play("pass pick 8D 9D call:AC")


def test_the_picker_keeps_his_last_card_of_the_called_suit():
    start = "AH KC 7H 8H TH KH"
    assert keeper().play("AH").may("KC 9C QD QH JH 7S")
    assert keeper().play(start).may("QD QH JH 7S")
    assert keeper(FREE).play(start).may("9C QD QH JH 7S")


def test_the_picker_may_lead_what_he_keeps():
    assert called_ace().may("KC QD QH JH AH TH")
    assert called_ace().play("KC AC 7C 9C KH").s.answered == 1


def test_the_picker_is_free_once_the_called_suit_has_been_led():
    table = keeper().play("8C")
    assert table.may("KC 9C")
    table.play("9C AC 7C TH 7H 8H JD KH")
    assert table.s.turn == 1
    assert table.may("KC QD QH JH 7S")


def test_the_unknown_card_is_any_fail_card_laid_down_in_private():
    table = unknown_called()
    assert table.s.turn == 0
    assert table.s.private == 1
    assert table.may("AC 7C")
    table.play("AC")
    assert table.s.private == 0
    assert table.s.hands[UNDER] == cards("AC")
    assert table.may("7C QC QS QH QD")
    events = [int(e) & IS_PRIVATE > 0 for e in table.s.events[: table.s.length]]
    assert events == [False, True, True, False, True]


@pytest.mark.parametrize("name", [NAME, FREE])
def test_the_unknown_card_is_due_when_the_called_suit_is_led(name):
    table = unknown_called(name).play("AC 7C 8C TC 9C 8H KS JD 9H")
    assert table.s.turn == 0
    assert table.may("AC")
    assert not table.s.public & cards("AC")
    table.play("AC")
    assert table.s.public & cards("AC")
    assert table.s.hands[UNDER] == NONE
    assert table.may("AS" if name == NAME else "AS TS 8S")
    table.play("AS")
    assert table.s.taken[3] & cards("AC AS KS") == cards("AC AS KS")
    assert table.s.turn == 3


def test_the_unknown_card_follows_once_only():
    table = unknown_called().play("AC 7C 8C TC 9C 8H KS JD 9H AC AS JC AD QC TH 7H")
    assert table.s.turn == 0
    assert not table.legal() & {card("AC")}


def test_the_unknown_card_led_last_counts_as_the_called_suit():
    """♣K may not win though ♣A is led before it: spades count, and ♠A takes the trick."""
    table = Table("AC", "KC", "KS", "AS", "AH", "KD AD KH", name=NAME + "(ranks=2)")
    table.play("pick KD AD KH unknown:AS AC")
    assert table.s.hands[0] == NONE
    assert table.may("AC")
    table.play("AC KC KS AS AH")
    assert winner(table) == 3
    assert table.s.voids[1] & cards("AS")
    assert table.returns() == [30, -15, -15, 15, -15]


def test_an_unknown_card_that_nobody_beats_loses_to_the_next_card():
    """Only without duties: all spades are gone when the unknown ♥A is led for them."""
    hands = ("QS AH", "TH 7H", "AS 8H", "KS 9H", "TS KH", "QH JS JH 7S 8S 9S")
    free = Table(*hands, name=NAME + "(suits=2,hand=2,duties=false)")
    free.play("pick QH JS JH 7S 8S 9S unknown:AS AH QS 7H AS KS TS")
    assert free.may("AH")
    free.play("AH TH 8H 9H KH")
    assert free.s.taken[1] == cards("AH TH 8H 9H KH")
    bound = Table(*hands, name=NAME + "(suits=2,hand=2)")
    bound.play("pick QH JS JH 7S 8S 9S unknown:AS AH QS 7H")
    assert bound.may("8H")


@pytest.mark.parametrize(
    ("five", "index"),
    [
        ("8D JK 9C AC QC", 0),
        ("JK 8D 9C AC QC", 1),
        ("TH KH QH AH JH", 3),
        ("TH JH QH KH 9H", 3),
        ("7S QC QH QD JK", 0),
        ("7S 8S 9S TS JS", 4),
    ],
)
def test_nola_has_no_trump_and_natural_ranks(five, index):
    table = Table(*five.split(), name=ONE_CARD).play("pass pass pass pass pass").play(five)
    assert winner(table) == index
    assert table.returns() == [20 if seat == index else -5 for seat in range(5)]


@pytest.mark.parametrize(("doubled", "cents"), [("false", 5), ("true", 10)])
def test_nola_pays_for_the_last_trick_or_all(doubled, cents):
    name = NAME + f"(ranks=3,doubled={doubled})"
    lost = Table(*NOLA, name=name).play(PASSES + "QC KC KH AS QS QH AH KS AD AC")
    assert lost.returns() == [cents, cents, -4 * cents, cents, cents]
    swept = Table(*NOLA, name=name).play(PASSES + "AC KC KH AS QS QC QH AH KS AD")
    assert swept.returns() == [4 * cents, -cents, -cents, -cents, -cents]


def test_nola_follows_natural_suits_and_hides_the_blind():
    table = Table(*NOLA, name=NAME + "(ranks=3)").play(PASSES + "QC")
    assert table.may("KC")
    table.play("KC").play_lowest(8)
    assert table.s.hands[BLIND] == cards("KD QD")
    assert table.s.public == table.s.deck & ~cards("KD QD")
    assert table.s.picker == NOBODY


def suit_name(c: int, nola: bool) -> str:
    return "T" if not nola and bit(c) & TRUMPS else "CDHS"[c // 8]


def led_before(s, nola: bool) -> list[str]:
    """The suits led so far, this trick's last."""
    played = int(s.public).bit_count()
    events = [event_action(e) for e in s.events[: s.length]]
    laid = events[s.length - played - 1] if s.call >= rules.CALL_UNKNOWN else -1
    called = suit_name(lowest(s.called), nola) if s.called else ""
    leads = events[s.length - played :: 5]
    return [called if c == laid else suit_name(c, nola) for c in leads]


def expected_plays(s, duties: bool) -> set[int]:
    """The rules of following suit once more, by suit names and lists."""
    nola = s.picker == NOBODY
    hand = members(s.hands[s.turn])
    unknown = members(s.hands[UNDER]) if s.turn == s.picker else []
    called = lowest(s.called) if s.called else None
    suit = suit_name(called, nola) if s.called else None
    leads = led_before(s, nola)
    if s.in_trick == 0:
        if duties and called in hand:
            hand = [c for c in hand if c == called or suit_name(c, nola) != suit]
        return set(hand or unknown)
    if unknown and (leads[-1] == suit or not hand):
        return set(unknown)
    same = [c for c in hand if suit_name(c, nola) == leads[-1]]
    if same:
        return {called} if duties and called in same else set(same)
    kept = [c for c in hand if suit_name(c, nola) == suit]
    if duties and called in hand:
        hand = [c for c in hand if c != called] or hand
    elif duties and s.turn == s.picker and suit not in leads and len(kept) == 1:
        hand = [c for c in hand if c not in kept] or hand
    return set(hand)


@pytest.mark.parametrize("name", VARIANTS)
def test_plays_agree_with_a_second_reading_of_the_rules(name):
    duties = "duties=false" not in name
    seen = 0
    for batch in random_play(name, 40, seed=11):
        for s, legal in zip(batch.states, batch.legal_sets(), strict=True):
            if s.phase == rules.PLAYING and s.turn >= 0:
                assert set(members(legal)) == expected_plays(s, duties)
                seen += 1
    assert seen > 100
