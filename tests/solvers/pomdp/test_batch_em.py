import numpy as np
import pytest
from scipy.special import logsumexp
from scipy.stats import multivariate_normal

from solvers.pomdp.approximator import make_approximator
from solvers.pomdp.batch_em import fit
from solvers.pomdp.settings import LinearSettings, NgnetSettings
from tests.solvers.pomdp.data import CENTRES, SLOPES, hill_data, lift, two_experts


def fitted(x, y, units, steps, **settings):
    net = make_approximator(NgnetSettings(units=units, **settings), x.shape[1], y.shape[1], seed=1)
    return net, fit(net, x, y, steps, seed=2)


def parameters(units):
    """μ, Σ, W̃ and σ² by their definitions."""
    for i in range(units.size[0]):
        mean = units.x[i] / units.weight[i]
        moments = np.linalg.inv(units.inverse[i])[:-1, :-1] / units.weight[i]
        yield mean, moments - np.outer(mean, mean), units.experts[i].T, units.variance[i]


def test_one_unit_is_a_gaussian_and_a_linear_regression():
    x, y = two_experts(200, seed=1)
    net, _ = fitted(x, y, units=1, steps=1, noise=0.0, output_noise=1e-6)
    mean, covariance, expert, variance = next(parameters(net.model))
    regression, *_ = np.linalg.lstsq(lift(x), y)
    np.testing.assert_allclose(mean, x.mean(axis=0))
    np.testing.assert_allclose(covariance, np.cov(x.T, bias=True))
    np.testing.assert_allclose(expert, regression.T)
    np.testing.assert_allclose(variance, ((y - lift(x) @ regression) ** 2).mean())


def test_noise_is_added_to_covariances():
    x, y = two_experts(200, seed=1)
    net, _ = fitted(x, y, units=1, steps=1, noise=0.3)
    _, covariance, *_ = next(parameters(net.model))
    np.testing.assert_allclose(covariance, np.cov(x.T, bias=True) + 0.09 * np.eye(2))


def test_outputs_and_likelihood_follow_their_definitions():
    x, y = two_experts(100, seed=1)
    net, likelihoods = fitted(x, y, units=3, steps=3)
    gauss, joint, guesses = [], [], []
    for mean, covariance, expert, variance in parameters(net.model):
        guess = lift(x) @ expert.T
        gauss.append(multivariate_normal(mean, covariance).logpdf(x))
        errors = ((y - guess) ** 2).sum(axis=1)
        joint.append(gauss[-1] - np.log(2 * np.pi * variance) - errors / 2 / variance)
        guesses.append(guess)
    shares = np.exp(gauss - logsumexp(gauss, axis=0))
    np.testing.assert_allclose(net.predict(x), np.einsum("it,ita->ta", shares, guesses), rtol=1e-8)
    assert likelihoods[-1] == pytest.approx((logsumexp(joint, axis=0) - np.log(3)).mean())


@pytest.mark.parametrize("data, units", [(two_experts(300, seed=3), 4), (hill_data(300, 4), 8)])
def test_likelihood_never_falls(data, units):
    _, likelihoods = fitted(*data, units=units, steps=30, noise=0.0, output_noise=1e-6)
    assert (np.diff(likelihoods) > -1e-12).all()
    assert likelihoods[-1] > likelihoods[0] + 0.1


def test_a_mixture_with_known_parameters_is_found():
    x, y = two_experts(4000, seed=5)
    net, _ = fitted(x, y, units=2, steps=20, noise=0.01, output_noise=0.01)
    found = sorted(parameters(net.model), key=lambda unit: unit[0][0])
    for (mean, covariance, expert, variance), centre, slope in zip(
        found, CENTRES, SLOPES, strict=True
    ):
        np.testing.assert_allclose(mean, centre, atol=0.1)
        np.testing.assert_allclose(covariance, np.diag([1.0, 0.25]), atol=0.1)
        np.testing.assert_allclose(expert, np.column_stack([slope, np.zeros(2)]), atol=0.1)
        assert variance == pytest.approx(0.04, rel=0.1)


def test_units_without_data_are_deleted():
    x = np.repeat([[0.0], [1.0]], 10, axis=0)
    net, _ = fitted(x, x, units=5, steps=2)
    assert net.model.size[0] == 2
    np.testing.assert_allclose(net.predict(x), x, atol=0.05)


def test_only_gaussian_networks_are_fitted():
    net = make_approximator(LinearSettings(), 1, 1, seed=1)
    with pytest.raises(ValueError, match="networks of kind 'ngnet' only"):
        fit(net, np.zeros((2, 1)), np.zeros((2, 1)), steps=1, seed=1)
