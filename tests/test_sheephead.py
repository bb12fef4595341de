"""Sheephead: golden answers, deals worked out by hand, every rule, call and payment, and worlds."""

import itertools
import json
import re
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from scipy.stats import chisquare

from spielgames.core import cache  # noqa: F401, I001  (first: it decides where machine code is kept)
from spielgames.core.batch import Batch
from spielgames.core.cards import NONE, bit, count, lowest, make_set, members, nth
from spielgames.core.game import initial_state
from spielgames.core.play import advance
from spielgames.core.record import (
    IS_PRIVATE,
    NOBODY,
    TERMINAL,
    event_action,
    set_event_action,
)
from spielgames.core.registry import find
from spielgames.core.replay import replay
from spielgames.core.text import RANKS_8, parse_card
from spielgames.core.verbs import cases, reset
from spielgames.core.worlds import find_bans, find_places, find_room, unseen_by
from spielgames.sheephead import rules, scoring, tensors, text
from spielgames.sheephead.cards import ACES, TRUMPS, points
from spielgames.sheephead.game import SHEEPHEAD
from spielgames.sheephead.rules import BLIND, BURIED, UNDER

NAME = "python_sheephead"
ONE_CARD = NAME + "(hand=1,blind=27)"  # any five cards make a deal of one trick
WORDS = {"pass": 32, "pick": 33, "alone": 34}
WORDS |= {f"call:{c}": 35 + i for i, c in enumerate(("AC", "AS", "AH", "TC", "TS", "TH"))}
WORDS |= {f"unknown:{c}": 41 + i for i, c in enumerate(("AC", "AS", "AH"))}

GOLDEN = json.loads(Path(__file__).with_name("golden.json").read_text())["sheephead_spitz"]
GOLDEN_TRICKS = [(" ".join(case["cards"]), case["winner_index"]) for case in GOLDEN["tricks"]]
ALONE = list(GOLDEN["payments_cents_alone"].values())
WITH_PARTNER = list(GOLDEN["payments_cents_partner"].values())


def card(word: str) -> int:
    return 8 if word == "JK" else parse_card(word, RANKS_8)


def cards(words: str) -> np.uint64:
    return make_set(card(word) for word in words.split())


def action(word: str) -> int:
    return WORDS[word] if word in WORDS else card(word)


@njit
def lay_out(states, places):
    """Deals card c to places[c], through the chance outcomes of the deal."""
    s = states[0]
    reset(s)
    while s.undealt != NONE:
        advance(s, places[lowest(s.undealt)])


class Table:
    """One deal laid out by hand: the seats' hands and the blind; what is not named is filled up."""

    def __init__(self, *places: str, name: str = NAME) -> None:
        game, variant = find(name)
        states = initial_state(game, variant)
        lay_out(states, self.fill(states[0], [cards(p) for p in places]))
        self.batch = Batch.of_states(game, variant, states)

    @staticmethod
    def fill(s, named: list) -> np.ndarray:
        named += [NONE] * (6 - len(named))
        room = [int(s.hand)] * 5 + [int(s.blind)]
        where = np.zeros(32, np.int64)
        spare = set(members(s.deck)) - set(members(np.bitwise_or.reduce(named)))
        for place, chosen in enumerate(named):
            chosen = members(chosen)
            while len(chosen) < room[place]:
                chosen.append(min(spare))
                spare.remove(chosen[-1])
            where[chosen] = place
        return where

    @property
    def s(self):
        return self.batch.states[0]

    def play(self, words: str) -> "Table":
        for word in words.split():
            self.batch.step(np.array([action(word)]))
        return self

    def legal(self) -> set[int]:
        return set(members(self.batch.legal_sets()[0]))

    def may(self, words: str) -> bool:
        """Whether the legal actions are exactly these."""
        return self.legal() == {action(word) for word in words.split()}

    def play_lowest(self, n: int) -> "Table":
        """The next n seats play their lowest legal card."""
        for _ in range(n):
            self.batch.step(np.array([min(self.legal())]))
        return self

    def returns(self) -> list[float]:
        assert self.s.turn == TERMINAL
        return self.batch.returns()[0].tolist()


def one_trick(words: str) -> Table:
    """Seat 0 picks and buries all but his card; the five cards are then played in order."""
    five = words.split()
    table = Table(*five, name=ONE_CARD).play("pick")
    for c in members(table.s.hands[0] & ~cards(five[0])):
        table.batch.step(np.array([c]))
    return table.play("alone").play(words)


def winner(table: Table) -> int:
    return int(np.flatnonzero(table.s.taken)[0])


@pytest.mark.parametrize(("words", "index"), GOLDEN_TRICKS)
def test_golden_tricks(words, index):
    assert winner(one_trick(words)) == index


def test_golden_trump_order():
    order = GOLDEN["trump_order"]
    for k in range(len(order) - 4):
        five = order[k : k + 5]
        for turn in range(5):
            assert winner(one_trick(" ".join(five[turn:] + five[:turn]))) == -turn % 5


@pytest.mark.parametrize("suit", "CSH")
def test_golden_fail_order(suit):
    order = [rank + suit for rank in GOLDEN["fail_order"]]
    assert winner(one_trick(" ".join(reversed(order[:5])))) == 4
    assert winner(one_trick(" ".join([*order[2:], order[1]]))) == 4
    assert winner(one_trick(" ".join([*order[1:5], "8D"]))) == 4


def test_the_deck_has_120_points_and_14_trumps():
    deck = find(NAME)[1].fields["deck"]
    assert points(np.uint64(deck)) == 120
    assert points(cards("AC TC KC QC JC")) == 30
    assert points(cards("JK 9C 8C 7C")) == 0
    assert cards(" ".join(GOLDEN["trump_order"])) == TRUMPS


def subset(n: int, worth: int) -> list[int]:
    """n cards of the full deck worth that many points."""
    found = {(0, 0): []}
    for c in range(32):
        p = int(points(bit(c)))
        found |= {
            (k + 1, total + p): [*chosen, c]
            for (k, total), chosen in list(found.items())
            if (k + 1, total + p) not in found
        }
    return found[n, worth]


def paid(tricks: int, worth: int, alone: bool, name: str = NAME) -> list[float]:
    """What seat 2 (with partner 4) gets for that many tricks and, with the buried, points."""
    game, variant = find(name)
    states = initial_state(game, variant)
    s = states[0]
    s.turn, s.picker, s.partner = TERMINAL, 2, NOBODY if alone else 4
    chosen = subset(5 * tricks + 2, worth)
    s.hands[BURIED] = make_set(chosen[:2])
    s.taken[2 if alone else 4] = make_set(chosen[2:7])
    s.taken[2] |= make_set(chosen[7:])
    s.taken[0] = s.deck & ~make_set(chosen)
    return Batch.of_states(game, variant, states).returns()[0].tolist()


ROWS = [  # tricks and points, row of the payments
    (6, 120, 0),
    (5, 120, 1),
    (3, 91, 1),
    (3, 90, 2),
    (3, 61, 2),
    (3, 60, 3),
    (3, 31, 3),
    (3, 30, 4),
    (2, 2, 4),
    (1, 0, 4),
    (0, 22, 5),
    (0, 0, 5),
]


@pytest.mark.parametrize(("tricks", "worth", "row"), ROWS)
def test_every_payment_row_at_its_bounds(tricks, worth, row):
    picker, other = ALONE[row]
    assert paid(tricks, worth, alone=True) == [other, other, picker, other, other]
    picker, partner, other = WITH_PARTNER[row]
    assert paid(tricks, worth, alone=False) == [other, other, picker, other, partner]


@pytest.mark.parametrize(("tricks", "worth", "row"), ROWS)
def test_doubled_doubles_every_payment(tricks, worth, row):
    for alone in (True, False):
        simple = paid(tricks, worth, alone)
        doubled = paid(tricks, worth, alone, NAME + "(doubled=true)")
        assert doubled == [2 * cents for cents in simple]


@pytest.mark.parametrize(
    ("mine", "worth", "row"),
    [
        ("AC KC QC", 18, 4),
        ("AC KC KD", 19, 3),
        ("AC AD AH QC", 36, 3),
        ("AC AD AH KC", 37, 2),
        ("AC AD AH AS KC QC QD", 54, 2),
        ("AC AD AH AS KC KD QC", 55, 1),
    ],
)
def test_thresholds_scale_with_a_small_deck(mine, worth, row):
    """Q K A: 72 points, so that the bounds are 18, 36 and 54."""
    game, variant = find(NAME + "(ranks=3)")
    states = initial_state(game, variant)
    s = states[0]
    s.turn, s.picker, s.partner = TERMINAL, 0, NOBODY
    s.taken[0] = cards(mine)
    s.taken[1] = s.deck & ~s.taken[0]
    assert points(s.taken[0]) == worth
    assert Batch.of_states(game, variant, states).returns()[0, 0] == ALONE[row][0]


def test_alone_with_the_six_highest_trumps():
    table = Table("QC JK QS QH QD JC", "", "", "", "", "JS JH").play("pick JS JH alone")
    for lead in ("QC", "JK", "QS", "QH", "QD", "JC"):
        table.play(lead).play_lowest(4)
    assert table.returns() == [100, -25, -25, -25, -25]
    assert table.s.taken[0] | table.s.hands[BURIED] == table.s.deck


def test_all_tricks_with_the_called_ace():
    """The partner's ace takes the one trick that the picker loses."""
    table = Table("QC JK QS QH QD KC", "9S 8S 7S 9H 8H 7H", "AC TC 9C TH AH KH", "", "", "JC JS")
    table.play("pick JC JS call:AC")
    assert table.s.partner == 2
    for lead in ("QC", "JK", "QS", "QH", "QD"):
        table.play(lead).play_lowest(4)
    assert table.s.hands[2] == cards("AC")
    table.play("KC").play_lowest(4)
    assert table.s.taken[2] & cards("AC KC") == cards("AC KC")
    assert table.returns() == [30, -15, 15, -15, -15]


def test_no_trick_pays_four_shares_in_spite_of_buried_points():
    """Seat 0 has buried 21 points, but none of his fail cards wins."""
    table = Table("7C 8C 9C 7S 8S 9S", "QC JK KC", "", "", "", "AD TD").play("pick AD TD alone")
    while table.s.turn != TERMINAL:
        table.play_lowest(1)
    assert table.s.taken[0] == NONE
    assert table.returns() == [-120, 30, 30, 30, 30]


def test_is_tied_tells_60_60():
    game, variant = find(NAME)
    states = initial_state(game, variant)
    s = states[0]
    s.turn, s.picker, s.partner = TERMINAL, 2, 4
    for worth, tied in ((59, False), (60, True), (61, False)):
        chosen = subset(17, worth)
        s.hands[BURIED], s.taken[2] = make_set(chosen[:2]), make_set(chosen[2:7])
        s.taken[4] = make_set(chosen[7:])
        assert scoring.is_tied(s) == tied
    s.picker = s.partner = NOBODY
    assert not scoring.is_tied(s)


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
        # A buried ace is his own; a buried card of the suit is not in his hand.
        ("7C 7S QC QS QH QD", "AC 7H", "call:AS alone"),
        # All his fail suits have their ace: an unknown card, for any ace he lacks.
        ("AC 7C QC QS QH QD", "8D 9D", "unknown:AS unknown:AH alone"),
        ("AC AS QC QS QH QD", "7C 9D", "unknown:AH alone"),
        ("7C 8C QC QS QH QD", "AC 9D", "unknown:AS unknown:AH alone"),
        # No fail card in his hand: nothing to lay down.
        ("QC JK QS QH QD JC", "7C 8C", "alone"),
        ("QC JK QS QH QD JC", "AC AS", "alone"),
        # All three aces: a ten he lacks.
        ("AC AS AH QH QD JC", "8D 9D", "call:TC call:TS call:TH alone"),
        ("AC AS TH QH QD TC", "AH 9D", "call:TS alone"),
        ("AC AS TH QH QD TC", "AH TS", "alone"),
        ("QC JK QS QH QD JC", "AC AS", "alone"),
    ],
)
def test_calls(hand, buried, calls):
    table = Table(hand, "", "", "", "", buried).play("pick").play(buried)
    assert table.may(calls)


def test_all_aces_of_which_two_are_buried_call_a_ten_without_a_fail_card():
    table = Table("QC JK QS QH QD AC", "", "", "", "", "AS AH").play("pick AS AH")
    assert table.may("call:TC call:TS call:TH alone")


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


DEAL = (  # seat 0 picks and calls ♣A, which seat 1 has
    "KC QD QH JH AH TH",
    "AC TC QC 7S 8S 9S",
    "7C 8C JC JS TS KS",
    "9C QS JK AS 7H 8H",
    "JD AD TD KD 9H KH",
    "8D 9D",
)
FREE = NAME + "(duties=false)"


def called_ace(name: str = NAME) -> Table:
    return Table(*DEAL, name=name).play("pick 8D 9D call:AC")


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
    """A trump is led; the picker has only his ♣K left and his partner only the called ♣A."""
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


UNKNOWN = (  # seat 0 picks and calls ♠A, which seat 1 has, with an unknown card
    "AC 7C QC QS QH QD",
    "AS TS 8S TH KH 8C",
    "KS 9S 7S 7H TC KC",
    "9C JK JC JS JH JD",
    "AD TD KD AH 8H 9H",
    "8D 9D",
)


def unknown_called(name: str = NAME) -> Table:
    return Table(*UNKNOWN, name=name).play("pick 8D 9D unknown:AS")


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


NOLA = ("AC QC", "KC QH", "KH AH", "AS KS", "QS AD", "KD QD")
PASSES = "pass pass pass pass pass "


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


SMALL = NAME + "(ranks=3)"
VARIANTS = [NAME, FREE, SMALL, NAME + "(suits=2,duties=false)", NAME + "(ranks=2)"]
VARIANTS += [NAME + "(suits=3,ranks=5,doubled=true)", NAME + "(suits=2,ranks=6)"]


def some_actions(batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """Random legal actions; playing alone is rarer than calling."""
    weights = batch.legal_mask() * rng.random((len(batch), SHEEPHEAD.actions))
    weights[:, rules.ALONE] *= 0.2
    return weights.argmax(1)


def random_play(name: str, games: int, seed: int):
    """A batch before each of its moves, and at the end."""
    batch, rng = Batch(name, games, seed), np.random.default_rng(seed)
    while batch.running():
        yield batch
        batch.step(some_actions(batch, rng))
    yield batch


@pytest.mark.parametrize("name", VARIANTS)
def test_random_deals_conserve_cards_points_and_cents(name):
    variant = find(name)[1]
    longest = 0
    for batch in random_play(name, 300, seed=5):
        states = batch.states
        places = np.concatenate([states["hands"], states["played"]], axis=1)
        assert (np.bitwise_or.reduce(places, axis=1) == states["deck"]).all()
        assert (np.bitwise_count(places).sum(1) == np.bitwise_count(states["deck"])).all()
        assert ((batch.legal_sets() != 0) == (batch.actors() >= 0)).all()
        longest = max(longest, int(states["length"].max()))
    assert longest <= variant.max_moves
    returns = batch.returns()
    assert np.abs(returns.sum(1)).max() == 0
    assert returns.min() >= variant.min_utility
    assert returns.max() <= variant.max_utility
    assert (returns != 0).all()
    taken = np.bitwise_or.reduce(states["taken"], axis=1)
    hidden = np.bitwise_or.reduce(states["hands"], axis=1)
    assert (taken ^ hidden == states["deck"]).all()


def test_the_longest_deal_and_the_utility_bounds_are_reached():
    variant = find(NAME)[1]
    table = Table("", "", "", "", "QC AC AS JC JD JH", "8D 9D")
    table.play("pass pass pass pass pick 8D 9D unknown:AH AC")
    while table.s.turn != TERMINAL:
        table.play_lowest(1)
    assert table.s.length == variant.max_moves == 39
    assert len(table.s.events) == 39
    assert (variant.min_utility, variant.max_utility) == (-120, 100)
    doubled = find(NAME + "(doubled=true)")[1]
    assert (doubled.min_utility, doubled.max_utility) == (-240, 200)


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
    """RULES.md once more, by suit names and lists."""
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
        return {34, *(38 + i for i in range(3) if tens[i] & ~own)}
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


@pytest.mark.parametrize(
    ("params", "hand", "blind", "deck"),
    [
        ("", 6, 2, 32),
        ("ranks=7", 5, 3, 28),
        ("ranks=6", 4, 4, 24),
        ("ranks=5", 3, 5, 20),
        ("ranks=4", 3, 1, 16),
        ("ranks=3", 2, 2, 12),
        ("ranks=2", 1, 3, 8),
        ("suits=3,ranks=2", 1, 1, 6),
        ("suits=2", 3, 1, 16),
        ("ranks=3,hand=1", 1, 7, 12),
        ("ranks=3,blind=7", 1, 7, 12),
        ("hand=6,blind=2", 6, 2, 32),
    ],
)
def test_variants_share_out_their_deck(params, hand, blind, deck):
    batch = Batch(f"{NAME}({params})" if params else NAME, games=3, seed=1)
    s = batch.states[0]
    assert [count(s.dealt[p]) for p in range(8)] == [hand] * 5 + [blind, 0, 0]
    assert count(s.deck) == deck
    assert s.deck & ACES == batch.variant.fields["deck"] & ACES


def test_a_small_deck_has_the_highest_ranks():
    assert find(SMALL)[1].fields["deck"] == cards("QC KC AC QD KD AD QH KH AH QS KS AS")
    assert find(NAME + "(suits=3,ranks=2)")[1].fields["deck"] == cards("KD AD KH AH KS AS")


def test_a_small_deck_calls_only_what_it_has():
    """Without tens, who has all aces plays alone; without clubs there is no ♣A to call."""
    table = Table("AC AS", "", "", "", "", "AH QC", name=SMALL).play("pick AH QC")
    assert table.may("alone")
    hands = ("KH", "KS", "AS", "KD", "AD", "AH")
    table = Table(*hands, name=NAME + "(suits=3,ranks=2)").play("pick")
    assert table.play("KH").may("unknown:AS alone")


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("suits=1", "suits=1 is not allowed; it goes from 2 to 4"),
        ("ranks=9", "ranks=9 is not allowed; it goes from 2 to 8"),
        ("suits=2,ranks=2", "do not share out 4 cards among five seats; take more suits or ranks"),
        ("hand=5,blind=2", "hand=5 and blind=2 do not share out 32 cards.*hand=6 with blind=2"),
        ("hand=0", "hand=0 and blind=-1 do not share out 32 cards"),
        ("hand=7", "hand=7 is not allowed; it goes from -1 to 6"),
        ("blind=0,ranks=5", "blind=0 do not share out 20 cards.*hand=3 with blind=5"),
        (
            "ranks=3,blind=3",
            "do not share out 12 cards.*hand=2 with blind=2 or hand=1 with blind=7",
        ),
        ("duties=3", "duties=3 is not allowed; it is true or false"),
        ("doubled=yes", "doubled=yes is not allowed; it is true or false"),
        ("joker=true", "no parameter 'joker'; it has suits, ranks, hand, blind, duties, doubled"),
    ],
)
def test_bad_parameters_are_explained(params, message):
    with pytest.raises(ValueError, match=message):
        find(f"{NAME}({params})")


def test_illegal_actions_are_named():
    with pytest.raises(ValueError, match=re.escape("allowed are pass (32), pick (33)")):
        Table().play("alone")


def test_action_names():
    s = Table().s
    names = [text.action_name(s, a) for a in range(SHEEPHEAD.actions)]
    assert len(set(names)) == SHEEPHEAD.actions
    assert [names[c] for c in (0, 3, 8, 9, 31)] == ["7♣", "10♣", "Jk", "8♦", "A♠"]
    assert names[32:38] == ["pass", "pick", "alone", "call A♣", "call A♠", "call A♥"]
    assert names[38:41] == ["call 10♣", "call 10♠", "call 10♥"]
    assert names[42] == "call A♠ with an unknown card"


def test_public_and_private_words():
    table = Table(*UNKNOWN).play("pick 8D 9D unknown:AS AC 7C 8C")
    assert text.public(table.s) == {
        "passes": 0,
        "picker": 0,
        "call": "call A♠ with an unknown card",
        "trick": ["7♣", "8♣"],
        "points": [0] * 5,
        "tricks": [0] * 5,
    }
    assert text.private(table.s, 0) == {
        "blind": ["8♦", "9♦"],
        "buried": ["8♦", "9♦"],
        "unknown": ["A♣"],
    }
    assert text.private(table.s, 1) == {}
    table.play("TC 9C 8H KS JD 9H AC AS")
    facts = text.public(table.s)
    assert facts["partner"] == 1
    assert facts["points"] == [0, 0, 10, 28, 0]
    assert facts["tricks"] == [0, 0, 1, 1, 0]
    nola = text.public(Table().play(PASSES).s)
    assert nola["nola"] is True
    assert "picker" not in nola
    json.dumps([facts, nola])


def ones(tensor: np.ndarray) -> set[int]:
    return set(np.flatnonzero(tensor).tolist())


def pieces_of(table: Table, seat: int) -> dict[str, np.ndarray]:
    return tensors.PIECES.views(table.batch.observe(np.array([seat]))[0])


def test_observe_shows_the_picker_his_secrets():
    table = unknown_called().play("AC 7C 8C TC 9C 8H KS")
    seen = pieces_of(table, 0)
    assert make_set(ones(seen["hand"])) == cards("QC QS QH QD")
    assert make_set(ones(seen["blind"])) == make_set(ones(seen["buried"])) == cards("8D 9D")
    assert make_set(ones(seen["unknown"])) == cards("AC")
    assert ones(seen["picker"]) == {0}
    assert not seen["partner"].any()
    assert make_set(ones(seen["called"])) == cards("AS")
    assert (seen["alone"], seen["with_unknown"], seen["nola"]) == (0, 1, 0)


def test_observe_shows_others_what_is_public():
    table = unknown_called().play("AC 7C 8C TC 9C 8H KS")
    seen = pieces_of(table, 3)
    for name in ("blind", "buried", "unknown", "partner"):
        assert not seen[name].any()
    assert ones(seen["picker"]) == {2}
    played = [make_set(ones(row)) for row in seen["played"]]
    assert played == [cards(w) for w in ("9C", "8H", "7C", "8C", "TC KS")]
    assert [ones(row) for row in seen["trick"]] == [{card("KS")}, set(), set(), set()]
    # Seat 4 has no club; the picker, two places on, no spade.
    assert [row.tolist() for row in seen["voids"]] == [
        [1, 0, 0, 0],
        [0, 0, 0, 1],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
    ]
    np.testing.assert_allclose(seen["points"], [0, 0, 0, 0, 10 / 120])
    np.testing.assert_allclose(seen["tricks"], [0, 0, 0, 0, 1 / 6])


def test_observe_tells_the_partner_when_he_is_known():
    table = called_ace()
    assert ones(pieces_of(table, 1)["partner"]) == {0}
    assert not any(pieces_of(table, seat)["partner"].any() for seat in (0, 2, 3, 4))
    table.play("KC AC")
    assert [ones(pieces_of(table, seat)["partner"]) for seat in range(5)] == [
        {1},
        {0},
        {4},
        {3},
        {2},
    ]


def test_observe_of_bidding_alone_and_nola():
    table = Table(*NOLA, name=SMALL).play("pass pass")
    assert ones(pieces_of(table, 2)["passed"]) == {3, 4}
    assert ones(pieces_of(table, 2)["picker"]) == {5}
    alone = pieces_of(table.play("pick KH AH alone"), 0)
    assert alone["alone"] == 1
    nola = Table(*NOLA, name=SMALL).play(PASSES + "QC KC KH AS QS QH AH KS")
    seen = pieces_of(nola, 4)
    assert (seen["nola"], ones(seen["passed"])) == (1, {0, 1, 2, 3, 4})
    # Seats 2 and 3 have no club, seat 3 no heart either.
    assert seen["voids"].tolist() == [[0, 0, 0, 0], [0, 0, 0, 0], [1, 0, 0, 0], [1, 0, 1, 0]]
    diamonds = Table("AD", "KC", "QD", "AS", "AH", name=NAME + "(ranks=3,hand=1)").play(PASSES)
    assert pieces_of(diamonds.play("AD KC"), 0)["voids"][0].tolist() == [0, 1, 0, 0]


def thesis(table: Table, seat: int) -> dict[str, list]:
    row = np.zeros(tensors.THESIS_PIECES.size)
    tensors.thesis_features(table.s, seat, row)
    return {name: view.tolist() for name, view in tensors.THESIS_PIECES.views(row).items()}


def test_thesis_features_are_those_of_its_table_1():
    assert tensors.THESIS_PIECES.size == 26
    table = called_ace().play("QD QC JC QS JD")  # seat 1 has the lead
    assert thesis(table, 1) == {
        "seen": [5, 2, 3, 0],
        "has_trump": [1, 1, 1, 1],
        "honours": [1, -1, 1, -1, 1, 1, -1, -1, 1],
        "leader": [1, 0, 0, 0, 0],
        "aces_and_tens": [0, 2 + 8, 0, 0],
    }
    table.play("AC 7C 9C KH KC")  # and keeps it
    assert thesis(table, 3) == {
        "seen": [6, 4, 1, 3],
        "has_trump": [1, 1, 1, 1],
        "honours": [1, 0, 1, -1, 1, 1, -1, -1, 1],
        "leader": [0, 0, 0, 1, 0],
        "aces_and_tens": [0, 1, 2, 0],
    }
    assert thesis(table, 0)["aces_and_tens"] == [0, 1, 0, 2 + 8]
    assert thesis(table, 0)["seen"] == [9, 4, 0, 3]  # ♦8 and ♦9, which he has buried, count as his


def test_thesis_features_know_who_has_no_trump():
    table = called_ace().play("KC AC 7C 9C JD")
    assert thesis(table, 0)["has_trump"] == [1, 1, 1, 1]
    alone = Table("QC JK QS QH QD JC", "7C 8C 9C TC KC AC", "", "", "", "JS JH")
    alone.play("pick JS JH alone QC 7C")
    assert thesis(alone, 4)["has_trump"] == [1, 0, 1, 1]


def test_buried_and_unknown_cards_do_not_show_to_others():
    ways = [
        Table(*UNKNOWN).play("pick").play(bury).play("unknown:AS").play(laid)
        for bury, laid in (("8D 9D", "AC"), ("9D 8D", "AC"), ("8D 9D", "7C"), ("8D QD", "AC"))
    ]
    for seat in range(5):
        rows = np.array([t.batch.infostate(np.array([seat]))[0] for t in ways])
        compact = np.array([t.batch.observe(np.array([seat]))[0] for t in ways])
        differ = (rows != rows[0]).any(1).tolist()
        assert differ == ([False, True, True, True] if seat == 0 else [False] * 4)
        assert (compact != compact[0]).any() == (seat == 0)


@njit
def next_order(p):
    """The next order of a multiset in lexicographic order; whether there is one."""
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
    """For the hands of w: the picker found his lowest cards and buried in ascending order."""
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
    """All that worlds claim to know: per case the places of each card; how many cases."""
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
    """In how many ways the unseen cards could lie."""
    unseen = unseen_by(s, seat)
    sizes = [count(h & unseen) for place, h in enumerate(s.hands) if place != seat]
    ways = 1
    for k, size in zip(itertools.accumulate(sizes), sizes, strict=True):
        for i in range(size):
            ways = ways * (k - i) // (i + 1)
    return ways


def check_proofs(name: str, games: int, seed: int, most: int) -> dict[str, list[int]]:
    """Compares on random deals wherever it is small enough; per kind of call how much."""
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


@njit
def replays(pasts, out, possible):
    for i in range(len(pasts)):
        reset(out[i])
        possible[i] = replay(out[i], pasts[i])


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
    replays(pasts, out, possible)
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
