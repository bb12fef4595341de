"""Trees in sequence form: they hold the whole game, and nothing else."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import expected_game_score

from solvers.exact.profiles import (
    ProfilePolicy,
    load_tree,
    normalised,
    profile_of,
    profile_of_policy,
    uniform,
)
from spielgames.adapters import AgentPolicy
from spielgames.agents import make_agent
from spielgames.core import tree as trees
from spielgames.core.foreign import unroll_foreign
from spielgames.core.infostate import fill_fingerprints
from spielgames.core.tree import TooLarge, decisions, expected_leaves, unroll_game
from spielgames.testing.histories import check_tree
from tests.variants import WALKED


def reaches(tree, profile):
    """How likely each seat plays towards each leaf. `[leaves, players]`"""
    out = np.ones(tree.leaves.shape)
    for seat, (plex, strategy) in enumerate(zip(tree.seats, profile, strict=True)):
        reach = np.ones(plex.sequences)
        for i in range(plex.sets):
            own = slice(plex.first[i], plex.first[i + 1])
            reach[own] = reach[plex.parent[i]] * strategy[own]
        out[:, seat] = reach[tree.leaves[:, seat]]
    return out


def value(tree, profile):
    weight = tree.chance * reaches(tree, profile).prod(axis=1)
    assert weight.sum() == pytest.approx(1)
    return weight @ tree.payoffs[tree.payoff]


def random_profile(tree, seed):
    rng = np.random.default_rng(seed)
    return [normalised(plex, rng.random(plex.sequences)) for plex in tree.seats]


def exact_value(name, policy):
    state = pyspiel.load_game(name).new_initial_state()
    return expected_game_score.policy_value(state, [policy] * state.num_players())


@pytest.mark.parametrize("name", WALKED)
def test_a_tree_has_the_leaves_and_information_sets_of_the_walk(name):
    check_tree(name)


@pytest.mark.parametrize("name", [*WALKED[2:], "kuhn_poker(players=3)", "leduc_poker"])
def test_any_profile_is_worth_what_openspiel_says(name):
    tree = load_tree(name)
    for profile in (uniform(tree), random_profile(tree, 3)):
        exact = exact_value(name, ProfilePolicy(tree, profile))
        np.testing.assert_allclose(value(tree, profile), exact, atol=1e-9)


@pytest.mark.parametrize("name", WALKED[:1] + WALKED[4:])
def test_an_agent_as_a_profile_does_what_the_agent_does(name):
    tree, agent = load_tree(name), make_agent("rules", name)
    profile = profile_of(agent, tree)
    np.testing.assert_allclose(
        value(tree, profile), exact_value(name, AgentPolicy(agent)), atol=1e-6
    )


def test_a_profile_goes_through_openspiel_and_back():
    for name in ("kuhn_poker", "python_snapszer(suits=2,ranks=3,hand=2)"):
        tree = load_tree(name)
        profile = random_profile(tree, 4)
        back = profile_of_policy(ProfilePolicy(tree, profile), tree)
        for there, again in zip(profile, back, strict=True):
            np.testing.assert_array_equal(there, again)


def test_openspiels_uniform_policy_is_the_uniform_profile():
    tree = load_tree("leduc_poker")
    policy = openspiel_policy.UniformRandomPolicy(pyspiel.load_game("leduc_poker"))
    for ours, theirs in zip(uniform(tree), profile_of_policy(policy, tree), strict=True):
        np.testing.assert_allclose(ours, theirs)


def test_known_sizes():
    for name, leaves, sets in (
        ("kuhn_poker", 30, [6, 6]),
        ("leduc_poker", 5520, [468, 468]),
        ("kuhn_poker(players=3)", 312, [16, 16, 16]),
    ):
        tree = unroll_foreign(name)
        assert len(tree.leaves) == leaves
        assert [plex.sets for plex in tree.seats] == sets


def test_information_sets_come_before_what_follows_from_them():
    for plex in load_tree("python_hearts(suits=2,ranks=4,pass=left,pass_count=1)").seats:
        assert (plex.parent < plex.first[:-1]).all() and plex.first[0] == 1
        assert (np.diff(plex.first) >= 2).all() and plex.first[-1] == plex.sequences


def test_decisions_come_in_the_order_of_the_tree():
    name = "python_snapszer(suits=2,ranks=4,hand=2)"
    tree = unroll_game(name)
    states = np.concatenate([part.copy() for part in decisions(name)])
    keys = np.empty(len(states), np.uint64)
    fill_fingerprints(states, states["turn"], 0, keys)
    for seat, plex in enumerate(tree.seats):
        np.testing.assert_array_equal(keys[states["turn"] == seat], plex.key)


def test_portions_make_no_difference(monkeypatch):
    name = "python_hokm(suits=2,ranks=4)"
    whole = unroll_game(name)
    monkeypatch.setattr(trees, "PORTION", 1 << 9)
    parts = unroll_game(name)
    np.testing.assert_array_equal(whole.leaves, parts.leaves)
    np.testing.assert_array_equal(whole.payoffs[whole.payoff], parts.payoffs[parts.payoff])
    assert sum(map(len, decisions(name))) == sum(plex.sets for plex in whole.seats)


def test_a_large_game_is_refused_with_its_size():
    with pytest.raises(
        TooLarge, match=r"python_hearts has about .*e\+\d\d leaves, too many for 1 GB"
    ):
        unroll_game("python_hearts")
    with pytest.raises(TooLarge, match="allow more memory, or choose a smaller variant"):
        unroll_game("python_hokm(suits=2,ranks=4)", memory=100_000)


def test_the_estimate_is_near_the_truth():
    name = "python_coinche(suits=2,ranks=4,levels=1,capot=false)"
    assert expected_leaves(name) == pytest.approx(782_040, rel=0.05)


def test_simultaneous_games_are_refused():
    with pytest.raises(ValueError, match="matrix_rps is not sequential"):
        load_tree("matrix_rps")


def test_a_large_game_of_openspiels_is_refused():
    with pytest.raises(TooLarge, match=r"leduc_poker\(\) has more than 2000 leaves; allow more"):
        load_tree("leduc_poker", memory=1_000_000)


@pytest.mark.slow
def test_millions_of_leaves_fit_into_the_memory_given():
    tree = load_tree("python_hearts(suits=3,ranks=4,pass=hold)", memory=1 << 30)
    assert tree.leaves.shape == (7_551_360, 4)
    np.testing.assert_allclose(value(tree, uniform(tree)).sum(), 0, atol=1e-9)
