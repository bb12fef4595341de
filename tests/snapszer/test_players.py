"""Snapszer's rule-based player: each piece of its advice in a position; its strength."""

import numpy as np
import pytest

from spielgames.agents import RuleAgent
from spielgames.contest import final_states
from spielgames.core.cards import members
from spielgames.core.players import RANDOM, choice_sets
from spielgames.core.record import TERMINAL
from spielgames.snapszer import words
from spielgames.snapszer.players import EXPERT, QUICK, STANDARD
from tests.lineups import play_levels
from tests.snapszer.table import SCHNAPSEN, Table, advance_one
from tests.snapszer.test_endgames import GOLDEN, after, golden_table, minimax

pytestmark = pytest.mark.compiled

ALL = (STANDARD, QUICK, EXPERT)
EXHAUSTED = [c for c in GOLDEN if "p1" in c and "closed_by" not in c]


def chosen(table, level=STANDARD):
    """What the player would do, as words."""
    sets = np.zeros(1, np.uint64)
    choice_sets(table.states, level, sets)
    return {words.action_name(table.s, a) for a in members(sets[0])}


def in_open(first, second, points=(0, 0), upcard="Q♠", **fields):
    """With five hidden cards in the talon; spades are trumps."""
    table = Table(fields.pop("name", "python_snapszer"))
    used = set(f"{first} {second} {upcard}".split())
    spare = [r + s for s in "♣♦♥♠" for r in ("J", "Q", "K", "10", "A") if r + s not in used]
    return table.endgame(first, second, "S", list(points), 0, " ".join(spare[:5]), upcard, **fields)


@pytest.mark.parametrize("level", ALL)
def test_declares_the_trump_marriage_first(level):
    table = in_open("Q♦ K♦ K♠ Q♠ J♥", "A♥ 10♥ J♣ Q♣ K♣", upcard="J♠")
    assert chosen(table, level) == {"marry ♠"}
    assert chosen(table.play("marry♠"), level) <= {"Q♠", "K♠"}


def test_declares_a_plain_marriage():
    table = in_open("Q♦ K♦ J♠ A♣ J♥", "A♥ 10♥ J♣ Q♣ K♣")
    assert chosen(table) == {"marry ♦"}


def test_exchanges_the_trump_jack():
    table = in_open("J♠ K♦ A♥ J♣ Q♥", "10♥ K♥ J♦ Q♣ K♣", upcard="A♠", name=SCHNAPSEN)
    assert chosen(table) == {"exchange"}


def test_closes_when_the_trumps_from_the_top_make_sixty_six():
    table = in_open("A♠ 10♠ K♠ A♥ A♣", "K♥ J♥ J♦ Q♦ J♣", points=(20, 10))
    assert chosen(table) == {"close"}


def test_does_not_close_a_hand_without_winners():
    table = in_open("J♦ Q♥ K♣ Q♦ J♥", "A♠ 10♠ A♥ A♣ K♥", points=(40, 10))
    assert "close" not in chosen(table)


def test_leads_a_worthless_card_and_keeps_trumps_and_aces():
    table = in_open("A♠ 10♥ A♦ J♣ K♠", "10♠ A♥ Q♥ 10♣ J♦")
    assert chosen(table) == {"J♣"}


def test_trumps_a_ten_with_a_small_trump():
    table = in_open("10♥ J♣ Q♣ K♦ A♦", "J♠ A♣ Q♦ K♣ J♦").play("10♥")
    assert chosen(table) == {"J♠"}


def test_takes_a_jack_with_the_ten_of_its_suit():
    table = in_open("J♥ J♣ Q♣ K♦ A♦", "10♥ A♠ Q♦ K♣ J♦").play("J♥")
    assert chosen(table) == {"10♥"}


def test_does_not_waste_a_trump_on_a_jack():
    table = in_open("J♥ J♣ Q♣ K♦ A♦", "K♠ A♠ J♦ K♣ 10♦").play("J♥")
    assert chosen(table) == {"J♦"}


def test_does_not_split_a_marriage_to_take_little():
    table = in_open("J♦ J♣ Q♣ K♥ A♥", "K♦ Q♦ A♠ J♥ 10♣").play("J♦")
    assert chosen(table) == {"J♥"}


@pytest.mark.parametrize("level", ALL)
def test_takes_the_trick_that_makes_sixty_six(level):
    table = in_open("10♥ J♣ Q♣ K♦ A♦", "A♠ J♦ Q♦ K♣ J♥", points=(20, 45)).play("10♥")
    assert chosen(table, level) == {"A♠"}


@pytest.mark.parametrize("case", EXHAUSTED, ids=lambda c: c["id"])
def test_plays_golden_endgames_to_their_value(case):
    """From the first to the last card, no choice loses any of what minimax promises."""
    states = golden_table(case, case["p1"]).states
    while states[0].turn != TERMINAL:
        sets = np.zeros(1, np.uint64)
        choice_sets(states, STANDARD, sets)
        for a in members(sets[0]):
            assert minimax(after(states, a)) == case["value_gp_p0"]
        advance_one(states, members(sets[0])[0])


def edge(name, line_up, deals=4000):
    """The mean utility of the first of two levels, in both seats of the same deals."""
    out = play_levels(name, [line_up, line_up[::-1]], deals, seed=11)
    return (out[:, 0, 0] + out[:, 1, 1]).mean() / 2


@pytest.mark.parametrize("name", ["python_snapszer", SCHNAPSEN])
def test_beats_random_play(name):
    assert edge(name, [STANDARD, RANDOM]) > 1.5
    assert edge(name, [QUICK, RANDOM]) > 1.4


def test_perfect_endgames_pay():
    assert edge("python_snapszer", [STANDARD, QUICK]) > 0.05


def test_the_expert_closes_more_often_and_gains():
    lineups = np.array([[EXPERT, STANDARD], [STANDARD, EXPERT]])
    agents = [RuleAgent("python_snapszer", level) for level in range(3)]
    (finals,) = final_states(agents, lineups, 2000, seed=12)
    expert = np.tile([0, 1], 2000)
    closes, others = finals["closer"] == expert, finals["closer"] == 1 - expert
    assert closes.sum() > 2 * others.sum()
    assert (
        np.where(finals["winner"] == expert, finals["worth"], -finals["worth"])[closes].mean() > 1
    )
    assert edge("python_snapszer", [EXPERT, STANDARD]) > 0.12


def test_the_expert_closes_before_it_declares_a_marriage():
    table = in_open("A♠ 10♠ K♥ Q♥ A♣", "J♥ J♦ Q♦ J♣ 10♥", points=(20, 10))
    assert chosen(table, EXPERT) == {"close"}
