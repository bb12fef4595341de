import numpy as np
import pytest

from solvers.pomdp.approximator import make_approximator
from solvers.pomdp.batch_em import e_step, fit, m_step
from solvers.pomdp.models import copy_model
from solvers.pomdp.online_em import add_noise, gather, judge, regress, respond
from solvers.pomdp.settings import Forgetting, LinearSettings, NgnetSettings
from spielgames.core.cache import compiled
from tests.solvers.pomdp.data import hill_data, hills, lift, relative_error, two_experts

NEVER = Forgetting(first=1.0, last=1.0)


@compiled
def pass_over(units, x, y, posteriors):
    """All data once, with λ = 1 and given P_i; then what noise is still owed."""
    for t in range(len(x)):
        respond(units, x[t], y[t])
        for i in range(units.size[0]):
            gather(units, i, y[t], posteriors[t, i])
    for i in range(units.size[0]):
        add_noise(units, i)
        regress(units, i)
        judge(units, i)


def test_a_pass_without_forgetting_gives_the_sums_of_batch_em():
    x, y = two_experts(600, seed=1)
    net = make_approximator(NgnetSettings(units=4), 2, 2, seed=1)
    fit(net, x, y, steps=2, seed=1)
    posteriors, _ = e_step(net.model, x, y)
    online, batch = net.model, copy_model(net.model)
    m_step(online, x[:100], y[:100], posteriors[:100])  # to begin with: Λ̃ of no data is infinite
    pass_over(online, x[100:], y[100:], posteriors[100:])
    m_step(batch, x, y, posteriors)
    for name in ("weight", "x", "yy", "xy", "inverse", "log_det", "experts", "variance"):
        assert relative_error(getattr(online, name), getattr(batch, name)) < 1e-9, name


@pytest.mark.parametrize("by", ["responsibility", "time"])
def test_inverses_stay_those_of_the_discounted_sums(by):
    x, y = hill_data(2000, seed=1)
    settings = NgnetSettings(units=4, noise=0.1, forgetting=Forgetting(0.98, 0.99, 100, by))
    net = make_approximator(settings, 2, 1, seed=1)
    fit(net, x[:100], y[:100], steps=2, seed=1)
    units, noise = net.model, np.diag([0.01, 0.01, 0])
    sums = np.linalg.inv(units.inverse)
    for t, z in enumerate(lift(x[100:]), 100):
        factor = 1 - max(0.01, 0.02 / (1 + t / 100))
        net.update(x[t : t + 1], y[t : t + 1])
        for i, p in enumerate(units.posterior):
            sums[i] = sums[i] * (factor if by == "time" else factor**p)
            sums[i] += p * (np.outer(z, z) + noise)
    owed = units.owed[:, None, None] * np.diag([1, 1, 0])
    assert units.size[0] == 4
    assert relative_error(units.inverse @ (sums - owed), np.eye(3)) < 1e-8
    np.testing.assert_array_equal(units.inverse, units.inverse.swapaxes(1, 2))
    np.testing.assert_allclose(units.log_det, np.linalg.slogdet(sums - owed)[1], rtol=1e-8)


def test_hills_are_learnt_where_a_plane_fails():
    settings = NgnetSettings(
        units=30, noise=0.02, width=0.3, output_width=0.3, divide=0.12, patience=100.0
    )
    x, y = hill_data(20_000, seed=1)
    there = np.random.default_rng(2).uniform(-1, 1, (1000, 2))
    errors = []
    for kind in (settings, LinearSettings()):
        learner = make_approximator(kind, 2, 1, seed=1)
        learner.update(x, y)
        left = learner.predict(there) - hills(there)
        errors.append((left**2).mean() / hills(there).var())
    assert errors[0] < 0.05
    assert errors[1] > 0.9


def test_a_change_of_the_world_is_followed_by_forgetting():
    x, y = hill_data(4000, seed=1)
    errors = []
    for forgetting in (Forgetting(first=0.99, last=0.99), NEVER):
        settings = NgnetSettings(
            units=20, width=0.3, divide=0.15, delete=0.01, patience=100.0, forgetting=forgetting
        )
        net = make_approximator(settings, 2, 1, seed=1)
        net.update(x[:2000], y[:2000])
        net.update(x[2000:], -y[2000:])
        errors.append(((net.predict(x) + hills(x)) ** 2).mean())
    assert errors[0] < 0.03
    assert errors[1] > 10 * errors[0]


def test_regions_without_new_data_are_remembered():
    luck = np.random.default_rng(1)
    left, right = luck.normal(-2, 0.5, (500, 1)), luck.normal(2, 0.5, (20_000, 1))
    settings = NgnetSettings(units=2, delete=0.0, forgetting=Forgetting(0.9, 0.9))
    net = make_approximator(settings, 1, 1, seed=1)
    net.update(left, np.sin(left))
    net.update(right, np.sin(right) + 3)
    assert net.model.size[0] == 2
    assert np.abs(net.predict(left) - np.sin(left)).mean() < 0.2


def test_units_that_forget_by_time_vanish_in_the_end():
    forgetting = Forgetting(first=0.9, last=0.9, by="time")
    settings = NgnetSettings(units=2, delete=0.0, divide=9.0, forgetting=forgetting)
    net = make_approximator(settings, 1, 1, seed=1)
    net.update([[-9.0]], [[5.0]])
    net.update(np.ones((100, 1)), np.ones((100, 1)))
    assert net.model.size[0] == 2
    net.update(np.ones((5000, 1)), np.ones((5000, 1)))
    assert net.model.size[0] == 1
    assert net.predict([[-9.0]]) == pytest.approx(1)


@pytest.mark.parametrize("by", ["responsibility", "time"])
def test_identical_data_do_not_collapse_a_covariance(by):
    settings = NgnetSettings(units=2, noise=0.1, forgetting=Forgetting(0.9, 0.95, 100, by))
    net = make_approximator(settings, 3, 1, seed=1)
    here = np.array([[0.5, -1.0, 2.0]])
    net.update(np.repeat(here, 20_000, axis=0), np.full((20_000, 1), 4.0))
    units = net.model
    moments = np.linalg.inv(units.inverse[0]) / units.weight[0]
    covariance = moments[:3, :3] - np.outer(here, here)
    np.testing.assert_allclose(covariance, 0.01 * np.eye(3), atol=0.0005)
    assert net.predict(here) == pytest.approx(4)
    assert np.abs(net.predict(here + 0.1) - 4).max() < 0.5
