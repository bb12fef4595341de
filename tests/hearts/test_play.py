"""Hearts against OpenSpiel's C++ game, move for move; golden payoffs, voids and parameters."""

import random

import numpy as np
import pyspiel
import pytest

import spielgames  # noqa: F401
from spielgames.core.cards import make_set
from spielgames.core.words import RANKS_13, parse_card
from spielgames.hearts import rules
from spielgames.hearts.rules import HEARTS_STATE
from spielgames.hearts.scoring import returns
from spielgames.testing.positions import random_actions
from tests.golden import golden

FLAG_SETS = [
    {},
    {"can_lead_any_club": True, "qs_breaks_hearts": False},
    {"no_pts_on_first_trick": False, "must_break_hearts": False},
    {"can_lead_hearts_instead_of_qs": True, "qs_breaks_hearts": False},
    {"jd_bonus": True},
    {"avoid_all_tricks_bonus": True},
    {"jd_bonus": True, "avoid_all_tricks_bonus": True, "can_lead_any_club": True},
]
# In C++ a card is 4·rank + suit, and directions are: hold, left, across, right.
CPP_DIRECTION = {0: 3, 1: 0, 2: 2, 3: 1}


def to_ours(cpp_card: int) -> int:
    return 13 * (cpp_card % 4) + cpp_card // 4


def to_cpp(card: int) -> int:
    return 4 * (card % 13) + card // 13


def deal_both(ours, cpp, rng):
    """The same random deal in both games; C++ picks the direction first, ours last."""
    direction = rng.randrange(4)
    cpp.apply_action(direction)
    holder = {}
    for k in range(52):
        card = rng.choice(cpp.legal_actions())
        cpp.apply_action(card)
        holder[to_ours(card)] = k % 4
    while len(ours.legal_actions()) and ours.row["undealt"][0]:
        ours.apply_action(holder[int(ours.row["undealt"][0]).bit_length() and lowest(ours)])
    ours.apply_action(CPP_DIRECTION[direction])


def lowest(state) -> int:
    cards = int(state.row["undealt"][0])
    return (cards & -cards).bit_length() - 1


def points_in_cpp(returns_cpp: list[float]) -> np.ndarray:
    """C++ gives 26 minus the points."""
    return 26.0 - np.array(returns_cpp)


@pytest.mark.parametrize("flags", FLAG_SETS, ids=lambda f: ",".join(f) or "default")
def test_agrees_with_cpp_hearts_on_random_deals(flags, deals=50):
    ours_game = pyspiel.load_game("python_hearts", flags)
    cpp_game = pyspiel.load_game("hearts", flags)
    rng = random.Random(5)
    for _ in range(deals):
        ours, cpp = ours_game.new_initial_state(), cpp_game.new_initial_state()
        deal_both(ours, cpp, rng)
        while not cpp.is_terminal():
            assert ours.current_player() == cpp.current_player()
            legal = ours.legal_actions()
            assert sorted(map(to_cpp, legal)) == cpp.legal_actions()
            action = rng.choice(legal)
            ours.apply_action(action)
            cpp.apply_action(to_cpp(action))
        assert ours.is_terminal()
        points = points_in_cpp(cpp.returns())
        expected = (points.sum() - 4 * points) / 3
        np.testing.assert_allclose(ours.returns(), expected)


@pytest.mark.compiled
@pytest.mark.parametrize("flags", FLAG_SETS, ids=lambda f: ",".join(f) or "default")
def test_agrees_with_cpp_hearts_on_many_random_deals(flags):
    test_agrees_with_cpp_hearts_on_random_deals(flags, deals=300 if flags else 2000)


GOLDEN = golden("hearts")


def finished(points: list[int]) -> np.ndarray:
    state = np.zeros(1, HEARTS_STATE)
    state["deck"] = (1 << 52) - 1
    state["points"] = points
    state["jack_taker"] = -1
    return state


@pytest.mark.parametrize("case", GOLDEN["payoff"])
def test_golden_payoffs(case):
    """The moon case is given by its points after the moon: 0 for the shooter."""
    score = case["score"]
    taken = score if sum(score) == 26 else [26 if p == 0 else 0 for p in score]
    out = np.zeros(4)
    returns(finished(taken)[0], out)
    np.testing.assert_allclose(out, case["payoff"], atol=1e-4)


def cards(words: str) -> np.uint64:
    return make_set(parse_card(word, RANKS_13) for word in words.split())


BREAK, FOR_QUEEN = rules.MUST_BREAK, rules.MUST_BREAK | rules.HEARTS_FOR_QUEEN


@pytest.mark.parametrize(
    ("options", "broken", "trick", "gone", "shown"),
    [
        (BREAK, 0, "5H", "", "CDS"),
        (BREAK, 1, "5H", "", ""),
        (0, 0, "5H", "", ""),
        (BREAK, 0, "QS", "", ""),
        (FOR_QUEEN, 0, "5H", "", "CD"),  # may still have the queen of spades
        (FOR_QUEEN, 0, "5H", "QS", "CDS"),
        (BREAK, 0, "2C 5H", "", "C"),
        (BREAK, 0, "2H 5H", "", ""),
    ],
)
def test_what_a_play_shows_not_to_be_held(options, broken, trick, gone, shown):
    assert voids_after(options, broken, trick, gone, tricks=1) == shown


@pytest.mark.parametrize(
    ("options", "trick", "shown"),
    [
        (rules.NO_POINTS_FIRST, "2C 5H", "CD"),
        (rules.NO_POINTS_FIRST, "2C QS", "CDS"),
        (rules.NO_POINTS_FIRST, "2C 5D", "C"),
        (rules.NO_POINTS_FIRST, "2S QS", ""),
        (0, "2C 5H", "C"),
    ],
)
def test_points_in_the_first_trick_show_that_there_is_nothing_else(options, trick, shown):
    assert voids_after(options, 0, trick, "", tricks=0) == shown


def voids_after(options, broken, trick, gone, tricks):
    """The suits that the seat which plays last, with a hand of that card, shows not to have."""
    states = finished([0, 0, 0, 0])
    s, last = states[0], trick.split()[-1]
    s.options, s.broken, s.tricks[0] = options, broken, tricks
    s.public = cards(gone)
    for word in trick.split():
        s.hands[s.turn] = cards(word)
        if word == last:
            s.voids[:] = 0
            seat = int(s.turn)
        rules.apply(s, parse_card(word, RANKS_13))
    return "".join(suit for i, suit in enumerate("CDHS") if s.voids[seat] >> i & 1)


@pytest.mark.parametrize("flags", [*FLAG_SETS, {"must_break_hearts": False}], ids=str)
def test_a_shown_void_is_a_void(flags):
    """In many short deals, where hearts are often led unbroken."""
    given = ",".join(["ranks=4", "pass=hold", *(f"{k}={v}" for k, v in flags.items())]).lower()
    batch, rng = spielgames.Batch(f"python_hearts({given})", 500, seed=1), np.random.default_rng(1)
    several = 0
    while batch.running():
        s = batch.states
        for suit in range(4):
            void = s["voids"] >> suit & 1 == 1
            assert (s["hands"] >> np.uint64(13 * suit) & np.uint64(8191) == 0)[void].all()
        several += (np.bitwise_count(s["voids"]) >= 3).sum()
        batch.step(random_actions(batch, rng))
    assert several


def test_a_card_to_be_passed_leaves_the_hand_at_once():
    batch = spielgames.Batch("python_hearts(pass=left)", 1, seed=1)
    view = batch.game.pieces.views
    hand = np.flatnonzero(view(batch.observe(0)[0])["hand"])
    batch.step(hand[:1])
    after = view(batch.observe(0)[0])
    assert np.flatnonzero(after["hand"]).tolist() == hand[1:].tolist()
    assert np.flatnonzero(after["passed"]).tolist() == hand[:1].tolist()


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({"suits": 5}, "suits=5 is not allowed; it ranges from 2 to 4"),
        ({"pass": "up"}, "pass=up is not allowed; it is one of left, right, across, hold, any"),
        ({"ranks": 5, "suits": 2}, "4 seats cannot share"),
        ({"ranks": 4, "suits": 2}, "pass_count=3 is not allowed with hands of 2"),
        (
            {"can_lead_any_club": "true", "suits": 3, "ranks": 4},
            "can_lead_any_club=true is not allowed with suits=3, which has no clubs",
        ),
        ({"colour": 1}, "python_hearts has no parameter 'colour'; it has suits"),
    ],
)
def test_a_bad_parameter_says_what_is_allowed(params, message):
    with pytest.raises((ValueError, RuntimeError), match=None) as error:
        spielgames.Batch(
            "python_hearts(" + ",".join(f"{k}={v}" for k, v in params.items()) + ")", 1
        )
    assert message in str(error.value)
