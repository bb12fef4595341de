"""Coinche's two rule-based players: a hand-made position for every line of the paper's appendix."""

import numpy as np
import pytest

from spielgames.coinche.game import COINCHE
from spielgames.core.cards import make_set, members
from spielgames.core.players import RANDOM, choice_sets
from tests.coinche.table import Table, at_trick, cards
from tests.lineups import play_levels

pytestmark = pytest.mark.compiled

STRONG, SIMPLE = (COINCHE.levels.index(name) for name in ("strong", "simple"))


def choices(table, level):
    found = np.zeros(1, np.uint64)
    choice_sets(table.batch.states, level, found)
    return {COINCHE.action_name(table.s, a) for a in members(found[0])}


def calls(auction, hand, level, **params):
    """The calls that the next seat in the auction chooses among with a hand."""
    table = Table(**params).say(auction)
    table.s.hands[table.turn] = make_set(cards(hand))
    return choices(table, level)


def leads(auction, hand):
    """The strong player's leads to the first trick."""
    table = Table([hand, "", "", ""]).say(auction)
    return choices(table, STRONG)


def follows(trick, hand, level, trump="♥"):
    return choices(at_trick(trick.split(), hand.split(), trump, False), level)


@pytest.mark.parametrize(
    ("hand", "simple", "strong"),
    [
        ("JH 9H AH TH 7C 8C 7D 8D", "90♥", "110♥"),
        ("JH 9H AH TH JC 9C 7C 8D", "90♥ 90♣", "110♥"),
        ("JH 9H 7H 7C 8C 7D 8D 9D", "90♥", "90♥"),  # 9D and two more is but an 80
        ("JH 9H AC KC 7D 8D 7S 8S", "90♥", "pass"),  # an ace elsewhere
        ("JH 9H KC QC 7D 8D 7S 8S", "pass", "pass"),
        ("JH 9H 7H JS 9S 7S 7C 8C", "90♥ 90♠", "90♥ 90♠"),
        ("JH 8H 7H 7C 8C 7D 8D TS", "80♥", "80♥"),
        ("9H 8H 7H 7C 8C 7D 8D TS", "80♥", "80♥"),
        ("9H 8H AC 7C 8C 7D 8D TS", "80♥", "pass"),  # a card and an ace elsewhere
        ("9H AH QC 7C 8C 7D 8D TS", "pass", "80♥"),  # with the suit's own ace
        ("9H AC QC 7C 8C 7D 8D TS", "pass", "pass"),  # the nine is alone
        ("AH TH KH QH 7C 8C 7D 8D", "pass", "pass"),
    ],
)
def test_opening(hand, simple, strong):
    for auction in ("", "pass pass"):
        assert calls(auction, hand, SIMPLE) == set(simple.split())
        assert calls(auction, hand, STRONG) == set(strong.split())


@pytest.mark.parametrize(
    ("auction", "hand", "simple", "strong"),
    [
        ("80♣", "JH 8H 7H 7C 8C 7D 8D TS", "90♥", "90♥"),
        ("80♣ pass pass", "JH 9H 7H 7C 8C 7D 8D TS", "100♥", "100♥"),
        ("80♥", "JH 9H AH TH 7C 8C 7D 8D", "100♥", "120♥"),
        ("90♣", "JH 9H AH TH 7C 8C 7D 8D", "pass", "pass"),
        ("80♣ coinche pass", "JH 9H AH TH 7C 8C 7D 8D", "pass", "pass"),
    ],
)
def test_opening_over_the_opponents(auction, hand, simple, strong):
    assert calls(auction, hand, SIMPLE) == {simple}
    assert calls(auction, hand, STRONG) == {strong}


@pytest.mark.parametrize(
    ("auction", "hand", "simple", "strong"),
    [
        ("80♥ pass", "JH 7C 8C 7D 8D 7S 8S QS", "100♥", "100♥"),
        ("80♥ pass", "9H 7C 8C 7D 8D 7S 8S QS", "90♥", "pass"),  # the nine is alone
        ("80♥ pass", "9H 7H 8C 7D 8D 7S 8S QS", "90♥", "90♥"),
        ("80♥ pass", "AH AC AD 7C 8D 7S 8S QS", "100♥", "100♥"),  # two aces elsewhere
        ("90♥ pass", "JH 9H AC AD AS 8D 7S 8S", "150♥", "150♥"),
        ("80♥ pass", "JS 9S AS TS 7C 8C 7D 8D", "90♥", "90♥"),  # the partner's suit is kept
        ("80♥ pass", "7H 8H KC QC 7D 8D 7S 8S", "pass", "pass"),
        ("100♥ pass", "JH 9H AC AD AS 8D 7S 8S", "pass", "pass"),
        ("80♥ 90♠", "JH AC 8C 7D 8D 7S 8S QS", "110♥", "110♥"),
        ("80♥ 100♠", "JH 7C 8C 7D 8D 7S 8S QS", "pass", "pass"),  # 100 is not higher
        ("80♥ coinche", "JH 7C 8C 7D 8D 7S 8S QS", "pass", "pass"),
        ("80♥ pass 90♥ pass", "JH 9H 7H AC 8D 7S 8S QS", "pass", "pass"),  # already told
        ("80♥ pass 90♠ pass", "JH 9H 7H AC 8D 7S 8S QS", "100♠", "100♠"),
    ],
)
def test_answering_the_partner(auction, hand, simple, strong):
    assert calls(auction, hand, SIMPLE) == {simple}
    assert calls(auction, hand, STRONG) == {strong}


def test_bids_of_a_small_ladder():
    """Hearts and spades of 9 10 J Q K A: the ladder's first level is 50; here it has two."""
    small = {"suits": 2, "ranks": 6, "levels": 2}
    assert calls("", "JH 9H QH", STRONG, **small) == {"60♥"}
    assert calls("50♠", "JH 9H QH", STRONG, **small) == {"pass"}
    assert calls("50♠ pass", "9S AH TH", SIMPLE, **small) == {"pass"}
    assert calls("50♠ pass", "9S KH TH", SIMPLE, **small) == {"60♠"}


@pytest.mark.parametrize(
    ("trick", "hand", "expected"),
    [
        ("", "9H AH AC AD TC", "9♥"),  # a trump before all
        ("", "AC AD TC 7S", "A♣ A♦"),
        ("", "KC 9D 8S", "K♣"),
        ("7S", "TS KS AH", "10♠"),  # legal cards only
        ("AS", "TS KS 7S", "10♠"),
        ("7S AS", "9H 7H AC", "9♥"),
    ],
)
def test_simple_plays_the_highest_card(trick, hand, expected):
    assert follows(trick, hand, SIMPLE) == set(expected.split())


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("AH 9H 7H AC", "9♥"),  # the largest trump
        ("AC 7C AD 8D 7D AS", "A♦"),  # an ace, of the longest suit
        ("AC 7C AD 8D TS", "A♣ A♦"),
        ("KC 7C KD 8D 7D TS 9S", "7♣"),  # the shortest suit's lowest
        ("KC 7C KD 7D TS 9S 8S", "7♣ 7♦"),
    ],
)
def test_strong_leads_in_attack(hand, expected):
    for auction in ("80♥ pass pass pass", "pass pass 80♥ pass pass pass"):
        assert leads(auction, hand) == set(expected.split())


@pytest.mark.parametrize(
    ("hand", "expected"),
    [
        ("JH 9H AC 7C 8C AD 8D", "A♦"),  # an ace, of the shortest suit
        ("JH AC 7C AD 8D", "A♣ A♦"),
        ("7H TC KC JD", "J♦"),  # the smallest value
        ("7H TC 8C 7D", "7♦"),  # of no value, the weaker
        ("7H 9H JH", "7♥"),  # the lowest trump
    ],
)
def test_strong_leads_in_defence(hand, expected):
    assert leads("pass 80♥ pass pass pass", hand) == set(expected.split())


@pytest.mark.parametrize(
    ("trick", "hand", "expected"),
    [
        ("KS", "AS TS 7S", "10♠"),  # the smallest that wins
        ("AS", "TS KS 7S", "7♠"),  # the lowest value
        ("TS 7S", "AS KS 8S", "A♠"),  # even over the partner
        ("QH", "JH 9H 7H", "9♥"),  # in trump the nine is high
        ("7S", "JH 9H 7H AC", "7♥"),  # ruffs low
        ("7S QH", "8H 7H TC", "7♥"),  # can't overtrump: 7H has no value, a ten has
        ("7S 9H", "AH KC JC QD", "J♣"),
        ("7S 9H", "AH 7C 8C 7D", "7♣ 7♦"),
    ],
)
def test_strong_follows(trick, hand, expected):
    assert follows(trick, hand, STRONG) == set(expected.split())


def mean_utility(first, second):
    """Of the team of the first level against that of the second, over the same deals twice."""
    out = play_levels("python_coinche", [[first, second] * 2, [second, first] * 2], 2000, seed=1)
    return (out[:, 0, 0] + out[:, 1, 1]).mean() / 2


@pytest.mark.parametrize(
    ("better", "worse", "margin"),
    [(STRONG, RANDOM, 200), (SIMPLE, RANDOM, 200), (STRONG, SIMPLE, 60)],
)
def test_which_player_is_better(better, worse, margin):
    assert mean_utility(better, worse) > margin
