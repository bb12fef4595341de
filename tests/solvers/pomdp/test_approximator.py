import numpy as np
import pytest
import torch

from solvers.pomdp.approximator import load_approximator, make_approximator, save_approximator
from solvers.pomdp.models import arrays_of, copy_model
from solvers.pomdp.settings import Forgetting, LinearSettings, NgnetSettings, PerceptronSettings
from tests.solvers.pomdp.data import hill_data, lift

KINDS = (
    NgnetSettings(units=8, width=0.3, divide=0.15, delete=0.01, patience=50.0),
    LinearSettings(forgetting=Forgetting(first=0.9, last=0.99)),
    PerceptronSettings(hidden=8, rate=0.1),
)
each_kind = pytest.mark.parametrize("settings", KINDS, ids=lambda settings: settings.kind)


def learner(settings, n=400):
    made = make_approximator(settings, 2, 1, seed=1)
    x, y = hill_data(n, seed=1)
    made.update(x, y)
    return made


@each_kind
def test_what_is_saved_goes_on_learning_bit_for_bit(tmp_path, settings):
    kept, (x, y) = learner(settings), hill_data(200, seed=2)
    save_approximator(tmp_path / "file", kept, {"for": "hills"})
    loaded, about = load_approximator(tmp_path / "file")
    assert (loaded.settings, about) == (settings, {"for": "hills"})
    kept.update(x, y)
    loaded.update(x, y)
    for name, array in arrays_of(kept.model).items():
        np.testing.assert_array_equal(arrays_of(loaded.model)[name], array, err_msg=name)


@each_kind
def test_samples_are_learnt_one_after_the_other(settings):
    whole, single, (x, y) = learner(settings, 50), learner(settings, 0), hill_data(50, seed=1)
    for t in range(50):
        single.update(x[t : t + 1], y[t : t + 1])
    np.testing.assert_array_equal(whole.predict(x), single.predict(x))


@each_kind
def test_a_copy_learns_by_itself(settings):
    kept, (x, y) = learner(settings, 50), hill_data(50, seed=2)
    before, copied = kept.predict(x), make_approximator(settings, 2, 1, seed=1)
    copied.model = copy_model(kept.model)
    copied.update(x, y)
    np.testing.assert_array_equal(kept.predict(x), before)
    assert (copied.predict(x) != before).any()


def test_nudges_are_relative_to_what_is_known():
    one, other = learner(KINDS[1], 50), learner(KINDS[1], 50)
    x, change = np.array([[0.1, 0.2], [0.3, 0.1]]), np.array([[0.5], [-0.2]])
    one.nudge(x, change)
    for t in range(2):
        row = x[t : t + 1]
        other.update(row, other.predict(row) + change[t])
    np.testing.assert_array_equal(one.predict(x), other.predict(x))


def test_linear_is_discounted_least_squares_with_a_ridge():
    settings = LinearSettings(ridge=0.5, forgetting=Forgetting(first=0.9, last=0.9))
    (x, y), weight = hill_data(60, seed=1), np.linspace(1, 2, 60)
    found = make_approximator(settings, 2, 1, seed=1)
    found.update(x, y, weight)
    squares, products = 0.5 * np.eye(3), np.zeros((3, 1))
    for t, z in enumerate(lift(x)):
        squares = 0.9 * squares + weight[t] * np.outer(z, z)
        squares[t % 3, t % 3] += 0.1 * 0.5 * 3
        products = 0.9 * products + weight[t] * np.outer(z, y[t])
    np.testing.assert_allclose(found.model.inverse, np.linalg.inv(squares))
    np.testing.assert_allclose(found.model.weights, np.linalg.solve(squares, products))


def test_linear_does_not_wind_up_in_directions_without_data():
    settings = LinearSettings(forgetting=Forgetting(first=0.9, last=0.9))
    found = make_approximator(settings, 2, 1, seed=1)
    found.update(np.repeat([[1.0, 1.0]], 20_000, axis=0), np.full((20_000, 1), 3.0))
    assert found.predict([[1.0, 1.0]]) == pytest.approx(3, abs=0.1)
    assert np.linalg.eigvalsh(found.model.inverse)[-1] < 2
    assert np.abs(found.model.weights).max() < 2


def test_the_perceptron_goes_down_the_gradient():
    made = learner(PerceptronSettings(hidden=5, rate=0.1))
    first, second = (torch.tensor(w, requires_grad=True) for w in made.model[:2])
    x, y = np.array([[0.3, -0.4]]), np.array([[2.0]])
    hidden = torch.tanh(torch.from_numpy(lift(x)) @ first[:, :-1])
    out = hidden @ second[:-1] + second[-1]
    assert made.predict(x) == pytest.approx(out.detach().numpy())
    ((out - torch.from_numpy(y)) ** 2).sum().mul(3 * 0.1 / 2).backward()
    made.update(x, y, weight=[3.0])
    np.testing.assert_allclose(made.model.first, (first - first.grad).detach())
    np.testing.assert_allclose(made.model.second, (second - second.grad).detach())


def test_the_perceptron_learns_hills():
    made = make_approximator(PerceptronSettings(hidden=32, rate=0.1), 2, 1, seed=1)
    made.update(*hill_data(30_000, seed=1))
    x, y = hill_data(1000, seed=2, noise=0)
    assert ((made.predict(x) - y) ** 2).mean() < 0.4 * y.var()


@pytest.mark.parametrize(
    "x, y, weight, message",
    [
        (np.zeros((3, 1)), np.zeros((3, 1)), None, r"x has shape \[3, 1\]; it must be \[n, 2\]"),
        (np.zeros((3, 2)), np.zeros(3), None, r"y has shape \[3\]; it must be \[n, 1\]"),
        (np.zeros((3, 2)), np.zeros((2, 1)), None, "3 inputs, 2 outputs, 3 weights"),
        (np.full((1, 2), np.nan), np.zeros((1, 1)), None, "x holds a number that is not finite"),
        (np.zeros((1, 2)), np.zeros((1, 1)), [0.0], "weight must be greater than 0"),
    ],
)
def test_bad_samples_are_refused(x, y, weight, message):
    with pytest.raises(ValueError, match=message):
        make_approximator(KINDS[1], 2, 1, seed=1).update(x, y, weight)


@pytest.mark.parametrize(
    "wrong, message",
    [
        (lambda: NgnetSettings(units=0), "units=0 is not allowed; it is at least 1"),
        (lambda: NgnetSettings(noise=-1.0), "noise=-1.0 is not allowed"),
        (lambda: Forgetting(first=0.99, last=0.9), "last=0.9 is not allowed"),
        (lambda: Forgetting(by="age"), "by is one of responsibility, time, not 'age'"),
        (lambda: make_approximator(KINDS[1], 0, 1, seed=1), "inputs=0 is not allowed"),
    ],
)
def test_bad_settings_are_refused(wrong, message):
    with pytest.raises(ValueError, match=message):
        wrong()


def test_other_files_are_refused(tmp_path):
    (tmp_path / "file").write_text("no tensors")
    with pytest.raises(ValueError, match="holds no approximator that this program saved"):
        load_approximator(tmp_path / "file")
