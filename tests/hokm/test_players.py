"""Hokm's rule-based player: a hand-made position for every piece of advice, and its strength."""

import numpy as np
import pytest

from spielgames.core.cards import make_set, members
from spielgames.core.game import initial_state
from spielgames.core.players import RANDOM, choice_sets
from spielgames.core.registry import find
from spielgames.hokm import players, rules
from spielgames.hokm.game import HOKM
from tests.lineups import play_levels
from tests.table import ids

pytestmark = pytest.mark.compiled


def choices(state, level=players.STANDARD):
    found = np.zeros(1, np.uint64)
    choice_sets(state, level, found)
    return {HOKM.action_name(state[0], a) for a in members(found[0])}


def position(hand, trick="", gone="", voids=()):
    """Spades are trump. Seat 0 is on turn and holds `hand`; `trick` is the trick so far, `gone`
    was played before, `voids` are (seat, suit letter)."""
    state = initial_state(HOKM, find("python_hokm")[1])
    rules.reset(state[0])
    s = state[0]
    s.undealt, s.trump = 0, 3
    table = ids(trick)
    for k in range(len(table)):
        s.turn = (k - len(table)) % 4
        s.hands[s.turn] = make_set([table[k]])
        rules.play_card(s, table[k])
    s.turn = 0
    s.hands[0] = make_set(ids(hand))
    s.public |= make_set(ids(gone))
    for seat, letter in voids:
        s.voids[seat] |= 1 << "CDHS".index(letter)
    return state


def choose(*args, **facts):
    (chosen,) = choices(position(*args, **facts))
    return chosen


@pytest.mark.parametrize(
    ("preview", "named"),
    [("2C 3C 4C AD AH", "♣"), ("KC 2C KD 3D AS", "♦"), ("QS JS QH JH 2C", "♥")],
)
def test_names_the_longest_suit_then_the_higher(preview, named):
    state = position(preview)
    state["trump"] = rules.NO_TRUMP_YET
    assert choices(state) == {f"trump {named}"}


@pytest.mark.parametrize(
    ("hand", "trick", "chosen"),
    [
        ("AS KH KC 2D", "", "K♥"),  # leads the highest plain card
        ("AS 2S", "", "A♠"),
        ("KH QH 2H", "JH", "K♥"),  # wins high
        ("KH QH 2H", "TH JH 3H", "K♥"),  # even from the partner
        ("KH QH 2H", "JH AH", "2♥"),  # cannot win
        ("5S 3S 9C", "JH", "5♠"),  # ruffs
        ("5S 9C 4D", "JH 8S", "4♦"),  # cannot overruff
    ],
)
def test_the_basic_player(hand, trick, chosen):
    assert choices(position(hand, trick), players.BASIC) == {chosen}


NO_SPADES = [(1, "S"), (3, "S")]  # the opponents have no trump


@pytest.mark.parametrize(
    ("hand", "facts", "led"),
    [
        ("AS 2S AH 2C", {}, "A♠"),  # draw trumps with the highest
        ("KS 2S QH 2C", {"gone": "AS"}, "K♠"),
        ("KS 2S AH 2C", {}, "A♥"),  # not with another: cash
        ("AS 2S AH 2C", {"voids": NO_SPADES}, "A♥"),  # nothing to draw
        ("KS QH 2C", {"gone": "AH KH"}, "Q♥"),  # promoted by what is gone
        ("KS AH 2C", {"voids": [(1, "H")]}, "2♣"),  # they would ruff the ace
        ("KS AH 2C", {"voids": [(1, "H"), *NO_SPADES]}, "A♥"),
        ("KS KH 2C", {"voids": [(1, "H"), (3, "H"), *NO_SPADES]}, "K♥"),  # only the partner has AH
        ("KS QD 4D 3H", {"voids": [(2, "D")]}, "Q♦"),  # the partner ruffs
        ("KS QD 4D 3H", {"voids": [(2, "D"), (2, "S")]}, "3♥"),  # they can't
        ("KS QD 4D 9H", {}, "4♦"),  # low, where fewest are out
        ("KS QD 4D 9H", {"voids": [(1, "D")]}, "9♥"),
        ("KS 2S 9H", {"voids": [(1, "H")]}, "9♥"),  # trumps last
        ("KS 2S", {}, "2♠"),
    ],
)
def test_leads(hand, facts, led):
    assert choose(hand, **facts) == led


@pytest.mark.parametrize(
    ("hand", "trick", "facts", "played"),
    [
        # Fourth hand
        ("AH TH 3H", "2H 9H 8H", {}, "3♥"),  # the partner's trick
        ("AH TH 3H", "2H 4H 8H", {}, "10♥"),  # as cheaply as possible
        ("9H 3H", "2H 4H TH", {}, "3♥"),
        ("KS 2S 3C", "2H 4H TH", {}, "2♠"),  # ruffs low
        ("KS 2S 3C", "2H 4H 3S", {}, "K♠"),  # overruffs
        ("4S 2S 3C", "2H 4H 5S", {}, "3♣"),  # wastes no trump under a higher one
        ("KS 2S 3C", "2H AH TH", {}, "3♣"),
        # Third hand
        ("KH 3H", "AH 4H", {}, "3♥"),  # the partner's ace is sure
        ("2S 3C", "AH 4H", {}, "3♣"),
        ("9S 3C", "AH 4H", {"voids": [(1, "H")]}, "9♠"),  # they may ruff it low
        ("2S 3C", "AH 4H", {"voids": [(1, "H")]}, "3♣"),  # a two doesn't hinder them
        ("2S 3C", "KH 4H", {}, "2♠"),  # the ace may follow
        ("2S 3C", "KH 4H", {"gone": "AH"}, "3♣"),
        ("AH KH 3H", "2H 9H", {}, "K♥"),  # as good as the ace
        ("QH TH 3H", "2H 9H", {}, "Q♥"),  # as high as possible
        ("QH JH 3H", "2H 9H", {}, "J♥"),  # its equal
        ("QH TH 3H", "2H 9H", {"voids": [(1, "H"), (1, "S")]}, "10♥"),  # no threat left
        ("QH 3H", "JH 9H", {}, "3♥"),  # adds nothing to the partner's jack
        ("KS 3S 2C", "2H 9H", {"voids": [(1, "H")]}, "K♠"),  # they may overruff
        # Second hand
        ("AH 3H", "9H", {}, "A♥"),  # sure
        ("KH 3H", "9H", {}, "3♥"),  # low
        ("KH 3H", "9H", {"gone": "AH"}, "K♥"),
        ("QS 3S 2C", "9H", {}, "3♠"),
        ("QS 3S 2C", "9H", {"voids": [(1, "H")]}, "2♣"),  # they may overruff
    ],
)
def test_follows(hand, trick, facts, played):
    assert choose(hand, trick, **facts) == played


@pytest.mark.parametrize(
    ("hand", "played"),
    [
        ("2S 9C 4D", "4♦"),  # low, no trump
        ("9S 4S", "4♠"),  # nothing else
        ("KC 3C 5D", "5♦"),  # 3C guards the king
        ("KC 3C 2C 5D", "2♣"),  # one guard is enough
        ("AC 3C 5D", "3♣"),  # an ace needs none
        ("8C TD", "10♦"),  # a winner, of which all higher ones are gone
    ],
)
def test_discards(hand, played):
    gone = "9C TC JC QC KC AC" if hand == "8C TD" else ""
    assert choose(hand, "2H AH TH", gone=gone) == played


def play(name, deals, level=players.STANDARD):
    """Utilities of the rules in either pair of seats against random, `[deals, 2]`."""
    out = play_levels(name, [[level, RANDOM] * 2, [RANDOM, level] * 2], deals, seed=1)
    return np.stack([out[:, 0, 0], out[:, 1, 1]], 1)


def test_beats_random_in_most_deals():
    utilities = play("python_hokm", 3000)
    assert utilities.mean() > 0.85 and (utilities > 0).mean() > 0.82


def test_the_basic_player_is_as_strong_as_that_of_the_paper():
    won = (play("python_hokm(trump=heuristic)", 3000, players.BASIC) > 0).mean()
    assert 0.7 < won < 0.8  # "over 70 %"


@pytest.mark.parametrize(
    "params", ["trump=heuristic", "preview=13", "suits=3,ranks=8", "suits=2,ranks=4"]
)
def test_beats_random_in_variants(params):
    assert play(f"python_hokm({params})", 2000).mean() > 0.05
