"""From what networks say to what players do."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solvers.environments.card_game import Records
from solvers.environments.environment import Positions
from solvers.networks.decisions import best_actions, decide, match_advantages, probabilities
from solvers.networks.network import make_network, predict
from solvers.networks.settings import MlpSettings
from spielgames.agents import make_agent
from tests.solvers.environments.test_environments import random_play, running

pytestmark = pytest.mark.usefixtures("one_thread")

HOKM = "python_hokm(suits=2,ranks=4)"


@st.composite
def said(draw):
    """What a network says at a position, and the legal actions; ties are common."""
    n = draw(st.integers(2, 8))
    any_number = st.floats(-1e6, 1e6, width=32, allow_subnormal=False)
    numbers = st.one_of(st.sampled_from([0.0, 1.0, -1.0, 0.25]), any_number)
    outputs = draw(st.lists(numbers, min_size=n, max_size=n))
    legal = draw(st.sets(st.integers(0, n - 1), min_size=2, max_size=n))
    return np.array(outputs, np.float32), sorted(legal)


def asked(function, outputs, legal):
    sets = np.array([sum(1 << a for a in legal)], np.uint64)
    out = function(sets, outputs[None])
    assert out.dtype == np.float32
    rest = np.delete(out[0], legal)
    assert not rest.any()
    assert out.sum() == pytest.approx(1, abs=1e-6)
    return out[0][legal].astype(float)


def evenly_best(values):
    best = values == values.max()
    return best / best.sum()


@given(said())
def test_regret_matching(case):
    outputs, legal = case
    values = outputs[legal].astype(float)
    above = np.maximum(values, 0)
    expected = above / above.sum() if above.sum() > 0 else evenly_best(values)
    np.testing.assert_allclose(asked(match_advantages, outputs, legal), expected, atol=1e-6)


@given(said())
@example((np.array([0.01, 0.02, 1e6], np.float32), [0, 1]))  # an illegal one does not matter
@example((np.array([1e6, 0.01, 0.02], np.float32), [1, 2]))
def test_best_actions(case):
    outputs, legal = case
    expected = evenly_best(outputs[legal])
    np.testing.assert_allclose(asked(best_actions, outputs, legal), expected, atol=1e-6)


@given(said())
def test_probabilities_are_a_softmax(case):
    outputs, legal = case
    weights = np.exp(outputs[legal].astype(float) - outputs[legal].max())
    found = asked(probabilities, outputs, legal)
    np.testing.assert_allclose(found, weights / weights.sum(), atol=1e-6)


@pytest.mark.parametrize("function", [match_advantages, best_actions, probabilities])
def test_many_rows_are_as_one_by_one(function):
    random = np.random.default_rng(1)
    sets = random.integers(1, 2**10, 2000).astype(np.uint64)
    outputs = random.normal(size=(2000, 10)).astype(np.float32)
    together = function(sets, outputs)
    for i in range(0, 2000, 53):
        assert (function(sets[i : i + 1], outputs[i : i + 1]) == together[i]).all()


def network_of(env, seed):
    return make_network(MlpSettings(hidden=16, layers=2), env.shape, seed)


@pytest.fixture
def positions():
    """Some of each seat."""
    parts = map(running, random_play(Records(HOKM), 60)[:6])
    found = Positions(*map(np.concatenate, zip(*parts, strict=True)))
    assert set(found.actors) == set(range(4))
    return found


def test_every_seat_is_asked_what_it_does(positions):
    env = Records(HOKM)
    shared, alone = network_of(env, 1), network_of(env, 2)
    rules = make_agent("rules", HOKM)
    decided = decide(env, [shared, rules, shared, alone], positions, match_advantages)
    encodings = env.encode(positions)
    assert (decided.encodings == encodings).all()
    for seats, network in (([0, 2], shared), ([3], alone)):
        rows = np.isin(positions.actors, seats)
        outputs = predict(network, encodings[rows])
        np.testing.assert_allclose(decided.outputs[rows], outputs, atol=1e-5)
        expected = match_advantages(positions.sets[rows], decided.outputs[rows])
        assert (decided.strategy[rows] == expected).all()
    rows = positions.actors == 1
    assert not decided.outputs[rows].any()
    expected = rules.probabilities(positions.states[rows])
    assert (decided.strategy[rows] == expected).all()


def test_who_knows_nothing_plays_evenly(positions):
    env = Records(HOKM)
    random = make_agent("random", HOKM).probabilities(positions.states)
    np.testing.assert_allclose(
        decide(env, [None] * 4, positions, match_advantages).strategy, random, rtol=1e-6
    )
    mixed = decide(env, [network_of(env, 1), None, None, None], positions, match_advantages)
    others = positions.actors != 0
    np.testing.assert_allclose(mixed.strategy[others], random[others], rtol=1e-6)
    assert not np.allclose(mixed.strategy[~others], random[~others])


def test_one_network_for_all_seats(positions):
    env = Records(HOKM)
    network = network_of(env, 1)
    decided = decide(env, [network] * 4, positions, match_advantages)
    np.testing.assert_allclose(decided.outputs, predict(network, env.encode(positions)), atol=1e-6)


def test_one_agent_for_all_seats(positions):
    rules = make_agent("rules", HOKM)
    decided = decide(Records(HOKM), [rules] * 4, positions, match_advantages)
    assert (decided.strategy == rules.probabilities(positions.states)).all()
