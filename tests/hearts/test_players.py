"""Hearts' rule-based player: a hand-made position for every piece of advice, and its strength."""

import numpy as np
import pytest

from spielgames.core.cards import make_set, members
from spielgames.core.game import initial_state
from spielgames.core.players import RANDOM, choice_sets
from spielgames.core.registry import find
from spielgames.core.words import RANKS_13, card_name
from spielgames.hearts import rules
from tests.lineups import play_levels
from tests.table import ids

pytestmark = pytest.mark.compiled

QUEEN_GONE = "QS"


def choices(state):
    found = np.zeros(1, np.uint64)
    choice_sets(state, 0, found)
    return [card_name(a, RANKS_13) for a in members(found[0])]


def position(hand, trick="", gone="", voids=(), points=(0, 0, 0, 0), game="python_hearts"):
    """Seat 0 is on turn in the second trick or later and holds `hand`; `trick` is the trick so
    far, `gone` was played before, `voids` are (seat, suit letter)."""
    state = initial_state(*find(game))
    rules.reset(state[0])
    s = state[0]
    s.undealt = 0
    s.tricks[1] = 1
    table = ids(trick)
    for k in range(len(table)):
        s.turn = (k - len(table)) % 4
        s.hands[s.turn] = make_set([table[k]])
        rules.play_card(s, table[k])
    s.turn = 0
    s.hands[0] = make_set(ids(hand))
    s.played[1] |= make_set(ids(gone))
    for seat, letter in voids:
        s.voids[seat] |= 1 << "CDHS".index(letter)
    s.points[:] = points
    return state


def choose(*args, **facts):
    (chosen,) = choices(position(*args, **facts))
    return chosen


def passes(hand):
    """The cards that seat 0 passes."""
    state = position(hand, game="python_hearts(pass=left)")
    s = state[0]
    s.passing = 1
    for _ in range(s.pass_count):
        s.passed[0] |= make_set(ids(" ".join(choices(state)).translate(LETTERS)))
    return {card_name(a, RANKS_13) for a in members(s.passed[0])}


LETTERS = str.maketrans("♣♦♥♠", "CDHS")


def test_passes_the_short_queen_and_high_cards_of_short_suits():
    assert passes("2C 3C 5C 7C 9C AD 2H 3H 4H 5H 6H QS 3S") >= {"Q♠", "A♦"}


def test_keeps_a_queen_that_is_well_guarded():
    assert passes("2C 3C QC AC 2D 8D KD 2S 4S 6S 8S 9S QS").isdisjoint({"Q♠", "2♠", "9♠"})


def test_passes_spades_above_the_queen_from_a_short_suit():
    assert passes("2C 3C 5C 7C 2D 3D 5D 7D 2H 3H 4H AS KS") >= {"A♠", "K♠"}


def test_ducks_as_high_as_possible():
    assert choose("2H 8H KH 3C", trick="5H 9H", gone="2D QS") == "8♥"


def test_last_player_sheds_his_highest_card_where_no_points_lie():
    assert choose("2C 7C KC 5D", trick="5C 8C 9C") == "K♣"


def test_last_player_ducks_points():
    assert choose("2C 6C KC 5D", trick="5C 8C QS") == "6♣"


def test_last_player_who_must_take_takes_with_his_highest():
    assert choose("9C KC 5D", trick="5C 8C 4H", gone="QS") == "K♣"


@pytest.mark.parametrize("trick", ["KS", "4S AS", "2S 3S KS"])
def test_drops_the_queen_under_a_higher_spade(trick):
    assert choose("2S QS 4C", trick=trick) == "Q♠"


@pytest.mark.parametrize("trick", ["4S", "4S 5S", "4S 5S 6S"])
def test_never_takes_the_queen_with_the_queen(trick):
    assert choose("2S QS 4C", trick=trick) == "2♠"


def test_plays_the_ace_of_spades_last_but_not_early():
    assert choose("2S AS 4C", trick="4S 5S 6S") == "A♠"
    assert choose("2S AS 4C", trick="4S") == "2♠"


def test_throws_the_queen_on_the_first_occasion():
    assert choose("QS 4S AH KD", trick="5C 8C") == "Q♠"


def test_throws_spades_above_the_queen_while_she_is_out():
    assert choose("AS 4D 3H 2H", trick="5C 8C") == "A♠"


def test_throws_high_hearts_when_the_queen_is_gone():
    assert choose("AH 2H 3D 2S", trick="5C 8C", gone=QUEEN_GONE) == "A♥"


def test_leads_spades_to_force_the_queen_out():
    assert choose("5S JS 5D KD 8C KC") in ("5♠", "J♠")


@pytest.mark.parametrize("high", ["QS", "KS", "AS"])
def test_leads_no_spades_beside_a_dangerous_one(high):
    assert choose(f"3S {high} 3C 4D") in ("3♣", "4♦")


def test_leads_no_suit_in_which_all_others_are_void():
    voids = [(seat, "C") for seat in (1, 2, 3)]
    assert choose("2C 3D", gone="QS 4C 5C", voids=voids) == "3♦"


def test_leads_low_hearts_once_they_are_broken():
    state = position("2H AH", gone="QS 3H 4H", points=(1, 1, 0, 0))
    state["broken"] = 1
    assert choices(state) == ["2♥"]


SHOOTER = (0, 6, 0, 0)
SHARED = (1, 5, 0, 0)


@pytest.mark.parametrize(("points", "card"), [(SHOOTER, "K♣"), (SHARED, "2♣")])
def test_takes_a_heart_to_stop_a_moon(points, card):
    assert choose("2C KC 5D", trick="9C 4C 3H", points=points, gone=QUEEN_GONE) == card


@pytest.mark.parametrize(("points", "card"), [(SHOOTER, "8♦"), (SHARED, "K♥")])
def test_gives_the_shooter_no_hearts(points, card):
    assert choose("KH 8D", trick="AC 4C 5C", points=points, gone=QUEEN_GONE) == card


STRONG = "KS AS JH QH KH AH AD"


def test_shoots_the_moon_with_a_hand_that_wins_everything():
    state = position(STRONG, points=(15, 0, 0, 0), gone="QS 2H 3H")
    state["broken"] = 1
    assert choices(state)[0] in ("A♥", "A♦", "A♠", "K♠", "K♥", "Q♥", "J♥")
    assert choose(STRONG, trick="2D 3D 4H", points=(15, 0, 0, 0), gone="QS 2H 3H") == "A♦"
    assert choose(STRONG, trick="2H 3H 4H", points=(13, 0, 0, 0), gone="QS") == "J♥"


def test_does_not_shoot_when_others_have_points():
    assert choose(STRONG + " 2D", trick="3D 4D 5H", points=(15, 1, 0, 0), gone="QS") == "2♦"


@pytest.mark.parametrize(("flag", "card"), [("true", "K♦"), ("false", "2♦")])
def test_takes_the_jack_of_diamonds_where_it_counts(flag, card):
    game = f"python_hearts(jd_bonus={flag})"
    assert choose("2D KD 5C", trick="5D JD 3H", gone="QS", game=game) == card


def test_beats_random_players():
    """Both pairs of opposite seats, and one rule-based player among random ones."""
    lineups = [[0, RANDOM] * 2, [RANDOM, 0] * 2, [0, RANDOM, RANDOM, RANDOM]]
    out = play_levels("python_hearts", lineups, 2000, seed=2024)
    pairs = (out[:, 0, 0::2] + out[:, 1, 1::2]).mean(axis=1) / 2
    assert pairs.mean() > 4.5
    assert out[:, 2, 0].mean() > 5
