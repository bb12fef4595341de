"""Hokm: the paper's worked deal, the scores, the naming of trump."""

import numpy as np
import pyspiel
import pytest

from spielgames import Batch
from spielgames.agents import make_agent
from spielgames.contest import final_states, pair_lineups
from spielgames.core.cards import make_set
from spielgames.core.words import RANKS_13, parse_card
from spielgames.hokm import rules
from spielgames.hokm.game import HOKM
from tests.golden import golden
from tests.trees import random_actions

TRACE = golden("hokm")["trace"]


def cards(words: list[str]) -> np.uint64:
    return make_set(ids(words))


def ids(words: list[str]) -> list[int]:
    return [parse_card(word, RANKS_13) for word in words]


def deal_hands(state, hands: list[np.uint64], preview: np.uint64) -> None:
    """Chance places every card: first who sees it before trump is named, then whose it is."""
    while state.is_chance_node():
        card = np.uint64(state.row["undealt"][0] & (~state.row["undealt"][0] + np.uint64(1)))
        if state.row["trump"][0] == rules.NO_TRUMP_YET:
            state.apply_action(rules.PREVIEW if card & preview else rules.STOCK)
        else:
            state.apply_action(next(seat for seat in range(4) if hands[seat] & card))


def test_the_papers_worked_deal():
    hands = [cards(TRACE["hands"][str(seat)]) for seat in range(4)]
    preview = cards(["6D", "KD", "5S", "3C", "3H"])
    state = pyspiel.load_game("python_hokm").new_initial_state()
    deal_hands(state, hands, preview)
    state.apply_action(rules.NAME + "CDHS".index(TRACE["trump"]))
    deal_hands(state, hands, preview)
    for trick in TRACE["tricks"]:
        assert state.current_player() == trick["leader"]
        for card in ids(trick["cards_in_play_order"]):
            assert card in state.legal_actions()
            state.apply_action(card)
        assert state.row["winning"][0] == trick["winner"]
    assert state.is_terminal()
    assert state.row["tricks"][0].tolist() == [TRACE["team0_tricks"], TRACE["team1_tricks"]]
    assert state.returns() == [2.0, TRACE["reward_last_step_loser"], 2.0, -2.0]


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
    assert rules.longest_suit(cards(preview.split())) == "CDHS".index(suit)


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


def test_follow_suit_or_play_anything():
    state = np.zeros(1, rules.HOKM_STATE)
    state["trump"], state["in_trick"], state["turn"] = 3, 1, 1
    state["trick"][0, 0] = parse_card("5H", RANKS_13)
    state["hands"][0, 1] = cards(["2H", "AH", "KS"])
    assert rules.legal(state[0]) == cards(["2H", "AH"])
    state["hands"][0, 1] = cards(["2C", "KS"])
    assert rules.legal(state[0]) == cards(["2C", "KS"])


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
