import numpy as np
import pytest

from solvers.pomdp.approximator import make_approximator
from solvers.pomdp.batch_em import fit
from solvers.pomdp.models import copy_model
from solvers.pomdp.settings import Forgetting, NgnetSettings
from tests.solvers.pomdp.data import two_experts

NAMES = "weight", "x", "yy", "xy", "inverse", "log_det", "experts", "variance"


def fitted(**settings):
    """Three units that know some data, and one of the data."""
    x, y = two_experts(300, seed=1)
    chosen = {"units": 3, "noise": 0.01, "output_noise": 0.01, "produce": 100.0} | settings
    net = make_approximator(NgnetSettings(**chosen), 2, 2, seed=1)
    fit(net, x, y, steps=3, seed=1)
    return net, x[:1], y[:1]


def change_units(net, x, y):
    """Show it a sample that counts for next to nothing."""
    net.update(x, y, weight=[1e-13])


def sums(units):
    """All [[f]], summed over the units in use."""
    used = slice(units.size[0])
    names = "weight", "x", "yy", "xy", "share", "owed"
    squares = np.linalg.inv(units.inverse[used]).sum(axis=0)
    return [squares, *(getattr(units, name)[used].sum(axis=0) for name in names)]


def start(**settings):
    return make_approximator(NgnetSettings(**{"units": 3} | settings), 2, 1, seed=1)


def test_the_first_sample_becomes_a_unit():
    net = start(width=0.5, output_width=0.2)
    assert net.predict([[1.0, 2.0]]) == 0
    net.update([[1.0, 2.0]], [[7.0]])
    units = net.model
    moments = np.linalg.inv(units.inverse[0])
    np.testing.assert_allclose(moments, [[1.25, 2, 1], [2, 4.25, 2], [1, 2, 1]])
    assert units.log_det[0] == pytest.approx(np.linalg.slogdet(moments)[1])
    assert (units.size[0], units.variance[0]) == (1, pytest.approx(0.04))
    np.testing.assert_allclose(net.predict([[1.0, 2.0], [9.0, 9.0]]), 7)


def test_a_far_sample_becomes_a_unit_as_wide_as_the_gap():
    net = start(produce=3.0, overlap=0.5)
    net.update([[0.0, 0.0], [8.0, 0.0]], [[1.0], [4.0]])
    units = net.model
    assert units.size[0] == 2
    gap, error = 8**2 / 2, 9
    np.testing.assert_allclose(units.inverse[1, 0, 0], 1 / (0.25 * gap))
    assert units.variance[1] == pytest.approx(error)
    assert net.predict([[8.0, 0.0]])[0, 0] > 3.5


def test_a_unit_that_remains_without_data_is_deleted_in_time():
    net = start(delete=0.1, divide=9.0, forgetting=Forgetting(first=0.9, last=0.99, halving=10))
    net.update(np.zeros((500, 2)), np.ones((500, 1)))
    net.update([[50.0, 50.0]], [[1.0]])
    net.update(np.zeros((50, 2)), np.ones((50, 1)))
    assert net.model.size[0] == 2
    net.update(np.zeros((500, 2)), np.ones((500, 1)))
    assert net.model.size[0] == 1
    np.testing.assert_allclose(net.model.x[0], 0, atol=1e-9)


def test_near_samples_make_no_unit():
    net = start(produce=3.0)
    net.update([[0.0, 0.0], [1.0, 0.0], [0.0, -1.0]], [[1.0], [1.5], [0.5]])
    assert net.model.size[0] == 1


def test_there_are_no_more_units_than_allowed():
    net = start(units=2, produce=0.0)
    net.update(np.random.default_rng(1).normal(size=(50, 2)), np.zeros((50, 1)))
    assert net.model.size[0] == 2


def test_division_conserves_all_sums():
    net, x, y = fitted(divide=0.15, patience=10.0)
    net.model.size[0] = 1
    before = copy_model(net.model)
    change_units(net, x, y)
    units = net.model
    assert units.size[0] == 2
    for found, wanted in zip(sums(units), sums(before), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-9, atol=1e-12)
    for i in range(2):
        np.testing.assert_allclose(units.experts[i], before.experts[0])
        np.testing.assert_allclose(units.experts[i], units.inverse[i] @ units.xy[i])
        assert units.log_det[i] == pytest.approx(-np.linalg.slogdet(units.inverse[i])[1])
        assert units.weight[i] == pytest.approx(before.weight[0] / 2)
        explained = (units.experts[i] * units.xy[i]).sum()
        variance = (units.yy[i] - explained) / units.weight[i] / 2
        assert variance == pytest.approx(before.variance[0])


def test_units_are_divided_along_their_widest_axis():
    net, x, y = fitted(divide=0.15, patience=10.0)
    net.model.size[0] = 1
    moments = np.linalg.inv(net.model.inverse[0]) / net.model.weight[0]
    mean = moments[2, :2]
    variances, axes = np.linalg.eigh(moments[:2, :2] - np.outer(mean, mean))
    change_units(net, x, y)
    steps = net.model.x[:2] / net.model.weight[:2, None] - mean
    np.testing.assert_allclose(
        np.abs(steps @ axes), np.sqrt([[0, 0.75 * variances[1]]] * 2), atol=1e-9
    )
    np.testing.assert_allclose(steps[0], -steps[1])


@pytest.mark.parametrize("settings", [{"patience": 1000.0}, {"divide": 10.0}, {"units": 1}])
def test_units_without_need_data_or_room_are_not_divided(settings):
    net, x, y = fitted(**{"divide": 0.01, "patience": 10.0} | settings)
    net.model.size[0] = 1
    change_units(net, x, y)
    assert net.model.size[0] == 1


def test_deletion_leaves_the_other_units_as_they_are():
    net, x, y = fitted(delete=0.1)
    before = copy_model(net.model)
    net.model.share[1] = 0.05
    change_units(net, x, y)
    assert net.model.size[0] == 2
    for name in NAMES:
        found, wanted = getattr(net.model, name)[:2], getattr(before, name)[[0, 2]]
        np.testing.assert_allclose(found, wanted, rtol=1e-9, err_msg=name)


def test_the_last_unit_is_never_deleted():
    net, x, y = fitted(delete=1.0)
    net.model.share[:] = 0.0
    change_units(net, x, y)
    assert net.model.size[0] == 1
