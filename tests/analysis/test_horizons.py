"""How well rollouts with a horizon agree with those to the end."""

import numpy as np
import pytest

from analysis.horizons import agreements, gains, rows_of
from solvers.alphazero.teacher import Guide
from solvers.environments.card_game import Records
from solvers.networks.network import make_network
from solvers.networks.settings import MlpSettings
from solvers.search.beliefs import TrueHands, Uniform


@pytest.fixture(scope="module")
def env():
    return Records("python_hokm(suits=2,ranks=4)")


def guide_of(env, belief):
    network = make_network(MlpSettings(hidden=8, layers=1, critic=True), env.shape, seed=1)
    return Guide(env, network, belief, scale=1.0, precision="float32")


def test_a_horizon_that_no_deal_reaches_agrees_as_well_as_other_worlds(env):
    guide = guide_of(env, Uniform())
    found = list(agreements(guide, (100, 0), worlds=8, deals=30, every=2, seed=3))
    assert [one.decisions for one in found] == list(range(1, 2 * len(found), 2))
    for one in found:
        assert one.correlations[0] == pytest.approx(one.correlations[1])
        assert 0 < one.correlations[0] <= 1
    assert rows_of(found, (100, 0))[0][3:] == ["horizon 100", "to the end"]


def test_gains_are_over_the_mean_of_the_position(env):
    guide = guide_of(env, TrueHands())
    positions = env.deal(0, 30, seed=3)
    sizes = np.bitwise_count(positions.sets)
    parts = np.split(gains(guide, positions, 2, 0, 1), np.cumsum(sizes)[:-1])
    assert all(abs(part.sum()) < 1e-5 for part in parts)
