"""Best responses and NashConv against hand-made answers, all pure strategies, and OpenSpiel."""

from itertools import product

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability

from solvers.exact.best_response import best_response, gains, nash_conv
from solvers.exact.profiles import ProfilePolicy, load_tree, normalised, uniform
from solvers.exact.sequence_form import expected_values, flatten

COMPARED = [
    "kuhn_poker",
    "kuhn_poker(players=3)",
    "leduc_poker",
    "python_coinche(suits=1,ranks=4,levels=1,capot=false)",
    "python_hokm(suits=2,ranks=2)",
    "python_snapszer(suits=2,ranks=3,hand=1,rules=schnapsen)",
]


def random_profile(tree, seed=5):
    rng = np.random.default_rng(seed)
    return [normalised(plex, rng.random(plex.sequences)) for plex in tree.seats]


def kuhn_profile(tree, bets):
    """A profile from the probability of a bet at each information state."""
    profile = uniform(tree)
    for plex, strategy in zip(tree.seats, profile, strict=True):
        for key, first in zip(plex.key, plex.first, strict=False):
            strategy[first : first + 2] = 1 - bets[key], bets[key]
    return profile


def kuhn_equilibrium(tree, alpha):
    """Kuhn's (1950) own: a family for the first seat, a single one for the second."""
    first = {"0": alpha, "0pb": 0, "1": 0, "1pb": alpha + 1 / 3, "2": 3 * alpha, "2pb": 1}
    second = {"0p": 1 / 3, "0b": 0, "1p": 0, "1b": 1 / 3, "2p": 1, "2b": 1}
    return kuhn_profile(tree, first | second)


@pytest.mark.parametrize("alpha", [0, 0.2, 1 / 3])
def test_kuhns_equilibria_cannot_be_exploited(alpha):
    tree = load_tree("kuhn_poker")
    profile = kuhn_equilibrium(tree, alpha)
    assert nash_conv(tree, profile) == pytest.approx(0, abs=1e-12)
    assert expected_values(flatten(tree), profile) == pytest.approx([-1 / 18, 1 / 18])


def test_the_best_answer_to_a_seat_that_always_passes_is_to_bet():
    """Every bet wins the ante; so does every deal for the second seat."""
    tree = load_tree("kuhn_poker")
    profile = kuhn_profile(tree, dict.fromkeys([*tree.seats[0].key, *tree.seats[1].key], 0))
    for seat in (0, 1):
        assert best_response(tree, profile, seat).value == pytest.approx(1)
    assert expected_values(flatten(tree), profile) == pytest.approx([0, 0])


def test_no_pure_strategy_is_better():
    tree = load_tree("kuhn_poker")
    profile = random_profile(tree)
    form = flatten(tree)
    for seat, plex in enumerate(tree.seats):
        reached = []
        for choice in product([0.0, 1.0], repeat=plex.sets):
            tried = [1.0] + [p for bet in choice for p in (1 - bet, bet)]
            changed = [*profile[:seat], np.array(tried), *profile[seat + 1 :]]
            reached.append(expected_values(form, changed)[seat])
        assert best_response(tree, profile, seat).value == pytest.approx(max(reached))


def test_of_equally_good_actions_the_first_is_taken():
    """Where an opponent who never bets has bet, all actions earn nothing."""
    tree = load_tree("kuhn_poker")
    plex = tree.seats[0]
    profile = kuhn_profile(tree, dict.fromkeys([*plex.key, *tree.seats[1].key], 0))
    strategy = best_response(tree, profile, 0).strategy
    first = [at for key, at in zip(plex.key, plex.first, strict=False) if key.endswith("pb")]
    assert [strategy[at : at + 2].tolist() for at in first] == 3 * [[1, 0]]


@pytest.mark.parametrize("name", ["leduc_poker", "python_hokm(suits=2,ranks=4)"])
def test_the_strategy_is_pure_and_earns_its_value(name):
    tree = load_tree(name)
    profile, form = random_profile(tree), flatten(tree)
    for seat, plex in enumerate(tree.seats):
        answer = best_response(form, profile, seat)
        assert set(answer.strategy) <= {0, 1}
        np.testing.assert_array_equal(answer.strategy, normalised(plex, answer.strategy))
        changed = [*profile[:seat], answer.strategy, *profile[seat + 1 :]]
        assert expected_values(form, changed)[seat] == pytest.approx(answer.value)
        assert gains(form, profile)[seat] >= 0


@pytest.mark.parametrize("name", COMPARED)
def test_nash_conv_is_openspiels(name):
    tree = load_tree(name)
    profile = random_profile(tree)
    theirs = exploitability.nash_conv(pyspiel.load_game(name), ProfilePolicy(tree, profile))
    assert nash_conv(tree, profile) == pytest.approx(theirs, abs=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [
        "python_hearts(suits=2,ranks=4,pass=hold)",
        "python_sheephead(suits=3,ranks=2)",
        "python_snapszer(suits=2,ranks=3,hand=2)",
    ],
)
def test_nash_conv_is_openspiels_on_larger_variants(name):
    test_nash_conv_is_openspiels(name)
