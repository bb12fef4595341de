import numba
import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import expected_game_score

from solvers.exact import sequence_form as passes
from solvers.exact.profiles import ProfilePolicy, load_tree, normalised, uniform
from solvers.exact.sequence_form import expected_values, flatten, leaf_values, reach_down

NAMES = ["kuhn_poker", "kuhn_poker(players=3)", "leduc_poker", "python_hokm(suits=2,ranks=2)"]


def random_profile(tree, seed):
    rng = np.random.default_rng(seed)
    return [normalised(plex, rng.random(plex.sequences)) for plex in tree.seats]


@pytest.mark.parametrize("name", NAMES)
def test_expected_values_equal_openspiels(name):
    tree = load_tree(name)
    profile = random_profile(tree, 1)
    start = pyspiel.load_game(name).new_initial_state()
    seats = [ProfilePolicy(tree, profile)] * tree.players
    expected = expected_game_score.policy_value(start, seats)
    assert np.allclose(expected_values(flatten(tree), profile), expected, atol=1e-12)


def test_uniform_profile_is_openspiels():
    tree = load_tree("leduc_poker")
    game = pyspiel.load_game("leduc_poker")
    seats = [policy.UniformRandomPolicy(game)] * 2
    expected = expected_game_score.policy_value(game.new_initial_state(), seats)
    assert np.allclose(expected_values(flatten(tree), uniform(tree)), expected, atol=1e-12)


def test_every_seat_holds_every_leaf_under_its_own_sequence():
    tree = load_tree("kuhn_poker(players=3)")
    form = flatten(tree)
    for seat in range(3):
        for sequence in range(tree.seats[seat].sequences):
            rows = slice(*form.rows[form.origin[seat] + sequence :][:2])
            mine = tree.leaves[:, seat] == sequence
            utilities = tree.payoffs[tree.payoff[mine], seat]
            assert np.array_equal(form.weight[rows], tree.chance[mine] * utilities)
            others = np.delete(tree.leaves[mine] + form.origin[:-1], seat, 1)
            assert np.array_equal(form.others[rows], others)


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_do_not_change_a_bit(threads):
    tree = load_tree("python_hokm(suits=2,ranks=4)")
    form = flatten(tree)
    strategy, reach = np.concatenate(random_profile(tree, 2)), np.empty(form.sequences)
    one, many = np.zeros((2, form.sequences))
    available = numba.get_num_threads()
    numba.set_num_threads(min(threads, available))
    for seat in range(4):
        reach_down(form, seat, strategy, reach)
    for seat in range(4):
        leaf_values(form, seat, reach, one)  # a small tree: serially
        passes.sum_blocks(form, *form.origin[seat : seat + 2], reach, many)
    numba.set_num_threads(available)
    assert one.any()
    assert np.array_equal(one, many)
