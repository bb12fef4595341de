"""What is played is the game, by the players at the table; what is kept are the learners' moves."""

import numpy as np
import pytest

from solvers.environments.environment import Positions
from solvers.environments.load import load_environment
from solvers.exact.judge import Judge
from solvers.exact.profiles import load_tree, profile_of
from solvers.exact.sequence_form import expected_values, flatten
from solvers.networks.decisions import probabilities
from solvers.networks.network import make_network, predict
from solvers.networks.settings import MlpSettings
from solvers.ppo.rollout import Table, play, together
from spielgames.agents import make_agent

pytestmark = pytest.mark.usefixtures("one_thread")

HOKM = "python_hokm(suits=2,ranks=4,trump=heuristic)"
HEARTS = "python_hearts(suits=2,ranks=4,pass=hold)"
SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=2)"


def network_of(env, seed):
    return make_network(MlpSettings(hidden=16, layers=2), env.shape, seed)


@pytest.mark.parametrize("name", ["kuhn_poker", SNAPSZER])
def test_utilities_are_those_of_the_tree(name):
    env, tree = load_environment(name), load_tree(name)
    networks = [network_of(env, seed) for seed in (1, 2)]
    exact = expected_values(flatten(tree), Judge(env, tree).policy(networks))
    found = play(env, Table(tuple(networks), 60_000), networks, first=0, seed=3).utilities
    error = found.std(axis=0) / np.sqrt(len(found))
    assert (np.abs(found.mean(axis=0) - exact) < 4 * error).all()
    assert (np.abs(exact) > 4 * error).any()


def test_compiled_players_and_others_may_sit_at_the_table():
    env, tree = load_environment(SNAPSZER), load_tree(SNAPSZER)
    mine, rules = network_of(env, 1), make_agent("rules", SNAPSZER)
    profile = [Judge(env, tree).policy([mine, None])[0], profile_of(rules, tree)[1]]
    exact = expected_values(flatten(tree), profile)
    found = play(env, Table((mine, rules), 4000), [mine], first=0, seed=3)
    error = found.utilities.std(axis=0) / np.sqrt(4000)
    assert (np.abs(found.utilities.mean(axis=0) - exact) < 4 * error).all()
    assert (found.positions.actors == 0).all()
    assert found.asked == len(found.actions)  # compiled players are not asked
    against_random = play(env, Table((mine, None), 3), [mine], first=0, seed=3)
    assert against_random.asked == len(against_random.actions)


def test_learners_may_have_nothing_to_decide():
    """With hands of two cards, following suit may leave no choice at all."""
    env = load_environment(HEARTS)
    mine, rules = network_of(env, 1), make_agent("rules", HEARTS)
    table = Table((mine, rules, rules, rules), 1)
    found = [play(env, table, [mine], first, seed=1) for first in range(20)]
    assert {len(one.actions) for one in found} == {0, 1}
    joined = together(found)
    assert len(joined.actions) == sum(len(one.actions) for one in found)
    assert joined.utilities.shape == (20, 4)


def test_what_is_kept_of_a_decision():
    env = load_environment(HOKM)
    mine, other = network_of(env, 1), network_of(env, 2)
    found = play(env, Table((mine, other, mine, other), 50), [mine], first=0, seed=3)
    assert set(found.positions.actors) == {0, 2}
    assert found.asked > len(found.actions)
    outputs = predict(mine, env.encode(found.positions))
    strategy = probabilities(found.positions.sets, outputs)
    chosen = strategy[np.arange(len(found.actions)), found.actions]
    np.testing.assert_allclose(found.chances, chosen, rtol=1e-4)
    assert (chosen > 0).all()
    assert (env.returns(Positions(found.ends, *found.positions[1:])) == found.utilities).all()


def test_learners_may_be_compiled_players():
    """Theirs are the decisions that a model takes after."""
    env, rules = load_environment(HOKM), make_agent("rules", HOKM)
    found = play(env, Table((rules,) * 4, 50), [rules], first=0, seed=3)
    assert set(found.positions.actors) == {0, 1, 2, 3}
    strategy = rules.probabilities(found.positions.states)
    assert (found.chances == strategy[np.arange(len(found.actions)), found.actions]).all()
    assert (found.chances > 0).all()


def test_decisions_of_a_deal_are_in_order_and_lead_to_its_end():
    env = load_environment(HOKM)
    mine = network_of(env, 1)
    found = play(env, Table((mine,) * 4, 30), [mine], first=0, seed=3)
    for deal in range(30):
        rows = np.flatnonzero(found.deals == deal)
        states = found.positions.states[rows]
        assert (np.diff(states["length"]) > 0).all()
        end, action = found.ends[deal], found.actions[rows]
        assert (end["dealt"] == states[0]["dealt"]).all()
        played = end["events"][states["length"]] & 63
        assert (played == action).all()


def test_how_deals_are_grouped_does_not_matter():
    env = load_environment(HOKM)
    mine = network_of(env, 1)
    whole = play(env, Table((mine,) * 4, 24), [mine], first=5, seed=3)
    parts = [play(env, Table((mine,) * 4, 12), [mine], first, seed=3) for first in (5, 17)]
    joined = together(parts)
    assert (joined.utilities == whole.utilities).all()
    assert (joined.ends == whole.ends).all()
    order = [np.argsort(d.deals, kind="stable") for d in (whole, joined)]
    for a, b in zip(whole[1:4], joined[1:4], strict=True):
        np.testing.assert_allclose(a[order[0]], b[order[1]], rtol=1e-5)
    states = [d.positions.states[rows] for d, rows in zip((whole, joined), order, strict=True)]
    assert (states[0] == states[1]).all()
    assert joined.asked == whole.asked
