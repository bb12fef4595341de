"""The rules of Hokm, told in deals; the worked deal of the source article."""

import numpy as np
import pytest

from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.contest import final_states, pair_lineups
from spielgames.core.cards import make_set, members
from spielgames.hokm import rules
from spielgames.hokm.game import HOKM
from spielgames.testing.positions import random_actions
from tests.golden import golden
from tests.hokm.table import EVEN, MIXED, SOLO, Table
from tests.table import cards, ids

TRACE = golden("hokm")["trace"]
(AD,) = ids("AD")


def test_the_worked_deal_of_the_source_article():
    hands = [" ".join(TRACE["hands"][str(seat)]) for seat in range(4)]
    table = Table(hands, seen="6D KD 5S 3C 3H", ranks=13).name(TRACE["trump"])
    for trick in TRACE["tricks"]:
        assert table.turn == trick["leader"]
        table.play(" ".join(trick["cards_in_play_order"]))
        assert table.s.winning == trick["winner"]
    assert table.over
    assert table.tricks == [TRACE["team0_tricks"], TRACE["team1_tricks"]]
    assert table.result == 2 == -TRACE["reward_last_step_loser"]


def test_the_hakem_names_trump_from_the_preview():
    table = Table(MIXED, seen="AH JD")
    assert hands(table) == [cards("AH JD"), set(), set(), set()]
    assert table.turn == 0 and table.legal == {rules.NAME + suit for suit in range(4)}
    table.name("H")
    assert hands(table) == [cards(hand) for hand in MIXED]
    assert table.turn == 0  # the Hakem leads, too


def test_whoever_can_follow_suit_must():
    table = Table(MIXED).name("H").play("AC KC QC JC  JD")
    assert table.legal == {AD}
    table.play("AD QD KD  QH")
    assert table.legal == cards("AS KS")  # seat 2 has neither hearts nor anything else
    table.play("KS QS")
    assert table.legal == cards("AH KH")


def test_whoever_cannot_follow_suit_may_play_anything():
    table = Table(EVEN).name("H").play("AH JH")
    assert table.legal == cards("KC QC KD QD")
    assert Table(MIXED).name("S").play("AH QH").legal == cards("AS KS QD QC")  # trump or not


def test_the_highest_card_of_the_suit_led_takes_a_trick_and_leads():
    table = Table(MIXED).name("H").play("AC KC QC JC")
    assert table.turn == 0
    table.play("JD AD QD KD")
    assert table.turn == 1 and table.tricks == [1, 1]


def test_the_highest_trump_takes_a_trick():
    assert Table(MIXED).name("S").play("AH QH KS QS").turn == 2
    assert Table(MIXED).name("S").play("AH QH QD JS").turn == 3
    assert Table(SOLO).name("D").play("AH AS JD AC").turn == 2


def test_the_deal_ends_when_the_majority_of_the_tricks_is_won():
    table = Table(SOLO).name("H").play("AH AS AD AC  KH KS KD KC")
    assert not table.over
    table.play("QH QS QD QC")
    assert table.over and table.tricks == [3, 0]
    assert hands(table) == [cards(card) for card in ("JH", "JS", "JD", "JC")]


def test_a_deal_is_worth_1():
    table = Table(MIXED).name("H").play("AC KC QC JC  JD AD QD KD  QH KS QS KH  AH JH AS JS")
    assert table.tricks == [3, 1] and table.result == 1


def test_kot_is_worth_2_and_3_against_the_hakem():
    kot = Table(SOLO).name("H").play("AH AS AD AC  KH KS KD KC  QH QS QD QC")
    assert kot.tricks == [3, 0] and kot.result == 2
    against = Table(SOLO).name("S").play("AH JS AD AC  AS JD JC JH  KS QD QC QH")
    assert against.tricks == [0, 3] and against.result == -3


def test_an_even_number_of_tricks_may_be_shared_in_a_draw():
    table = Table(EVEN).name("H").play("AH JH QC AS  KH QH QD KS  JC AC KC QS  AD KD JS JD")
    assert table.over and table.tricks == [2, 2] and table.result == 0


def hands(table):
    return [set(members(hand)) for hand in table.s.hands[:4]]


@pytest.mark.parametrize(
    ("tricks", "expected"),
    [((7, 3), 1), ((7, 0), 2), ((0, 7), -3), ((6, 7), -1), ((7, 6), 1)],
)
def test_scores(tricks, expected):
    state = np.zeros(1, rules.HOKM_STATE)
    state["tricks"] = tricks
    out = np.zeros(4)
    rules.returns(state[0], out)
    assert out.tolist() == [expected, -expected, expected, -expected]


@pytest.mark.parametrize(
    ("preview", "suit"),
    [
        ("2C 3C 4C AD AH", "C"),
        ("2C 3C AD KD 5S", "D"),
        ("KC 2C KD 3D AS", "D"),
        ("AC 2D 3D 2H 3S", "D"),
        ("QS JS QH JH 2C", "H"),
    ],
)
def test_the_fixed_rule_names_the_longest_suit_ties_by_higher_ranks(preview, suit):
    assert rules.longest_suit(make_set(ids(preview))) == "CDHS".index(suit)


def test_under_the_fixed_rule_the_hakem_has_one_choice():
    batch = Batch("python_hokm(trump=heuristic)", 50, seed=1)
    assert (np.bitwise_count(batch.legal_sets()) == 1).all()
    named = batch.legal_mask().argmax(1) - rules.NAME
    assert named.tolist() == [rules.longest_suit(hand) for hand in batch.states["hands"][:, 0]]


def test_only_the_hakem_has_cards_before_trump_is_named():
    states = Batch("python_hokm(preview=4)", 5, seed=1).states
    assert np.bitwise_count(states["hands"]).tolist() == [[4, 0, 0, 0, 0, 48]] * 5


def test_the_rest_is_dealt_evenly_after_trump_is_named():
    n = 4000
    batch = Batch("python_hokm", n, seed=3)
    preview = batch.states["hands"][:, 0].copy()
    batch.step(np.full(n, rules.NAME))
    hands = batch.states["hands"][:, :4]
    assert (np.bitwise_count(hands) == 13).all()
    assert (hands[:, 0] & preview == preview).all()
    for card in range(52):
        share = (hands >> np.uint64(card) & np.uint64(1)).mean(0)
        assert (np.abs(share - 0.25) < 5 * np.sqrt(0.25 * 0.75 / n)).all()


def test_even_tricks_in_a_small_variant_can_end_in_a_draw():
    batch = Batch("python_hokm(suits=2,ranks=4)", 400, seed=1)
    rng = np.random.default_rng(1)
    while batch.running():
        batch.step(random_actions(batch, rng))
    drawn = (batch.states["tricks"] == 1).all(1)
    assert drawn.any()
    assert (batch.returns()[drawn] == 0).all()
    assert (batch.returns()[~drawn] != 0).all()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("suits=3,ranks=3", "4 seats cannot share"),
        ("preview=14", "preview=14 is not allowed; it ranges from 1 to 13"),
        ("preview=0", "preview=0 is not allowed; it ranges from 1 to 13"),
        ("trump=spades", "trump=spades is not allowed; it is one of choose, heuristic"),
    ],
)
def test_a_bad_parameter_says_what_is_allowed(params, message):
    with pytest.raises(ValueError) as error:
        Batch(f"python_hokm({params})", 1)
    assert message in str(error.value)


def test_the_margin_is_in_tricks_and_says_who_has_won():
    agents = [make_agent(kind, "python_hokm") for kind in ("random", "rules")]
    for finals in final_states(agents, pair_lineups(HOKM), 50, seed=1):
        for final in finals:
            utilities = np.zeros(4)
            rules.returns(final, utilities)
            margins = [rules.margin(final, seat) for seat in range(4)]
            np.testing.assert_array_equal(np.sign(margins), np.sign(utilities))
            tricks = final["tricks"]
            assert margins[0] == margins[2] == tricks[0] - tricks[1] == -margins[1] == -margins[3]
