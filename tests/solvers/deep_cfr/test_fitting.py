"""A fitted network is the weighted mean of the targets it was shown, and of nothing else."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from solvers.deep_cfr.fitting import FitSettings, fit
from solvers.deep_cfr.rows import RowFormat, pack, put_targets
from solvers.networks.network import Shape, make_network, predict
from solvers.networks.settings import MlpSettings

FORMAT = RowFormat(width=4, numbers=(), actions=3, slots=3)
EXACT = FitSettings(steps=1000, batch=32, schedule="cosine", weighting="none")
WAYS = (
    MlpSettings(hidden=32, layers=2, zero_output=True),
    MlpSettings(hidden=32, layers=1),
)


@pytest.fixture(autouse=True)
def one_thread():
    """Small matrices on two threads wait for each other."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


class Table:
    """A source that holds a few rows."""

    def __init__(self, rows):
        self.rows = rows

    def __len__(self):
        return len(self.rows)

    def draw(self, n, random):
        return self.rows[random.integers(len(self.rows), size=n)]


def table(positions, legal, targets, iterations=1):
    """Position k is encoded by a one in column k."""
    rows = pack(FORMAT, np.eye(4, dtype=np.float32)[positions], np.array(legal, np.uint64))
    put_targets(rows, np.array(targets, np.float32))
    rows["iteration"] = iterations
    return Table(rows)


def fitted(source, settings=EXACT, network=WAYS[0], seed=1, **hooks):
    """The outputs at all four positions."""
    learner = make_network(network, Shape(4, 3), seed=3)
    report = fit(learner, source, FORMAT, settings, np.random.default_rng(seed), **hooks)
    return report, predict(learner, np.eye(4, dtype=np.float32), "float32")


# Position 0 is told two things; the third action of position 1 has no target.
POSITIONS, LEGAL = [0, 0, 1, 2], [0b111, 0b111, 0b011, 0b111]
TARGETS = [[4, 0, -2], [0, 2, -2], [1, -1, 0], [0, 0, 3]]


@pytest.mark.parametrize("network", WAYS)
def test_conflicting_targets_meet_at_their_mean(network):
    report, outputs = fitted(table(POSITIONS, LEGAL, TARGETS), network=network)
    np.testing.assert_allclose(outputs[0], [2, 1, -2], atol=0.01 * report.scale)
    np.testing.assert_allclose(outputs[1, :2], [1, -1], atol=0.01 * report.scale)
    np.testing.assert_allclose(outputs[2], [0, 0, 3], atol=0.01 * report.scale)


@pytest.mark.parametrize(
    "weighting, share", [("none", 1 / 2), ("linear", 3 / 4), ("square", 9 / 10)]
)
def test_later_iterations_weigh_more(weighting, share):
    source = table(POSITIONS, LEGAL, TARGETS, iterations=[100, 300, 100, 100])
    report, outputs = fitted(source, replace(EXACT, weighting=weighting))
    assert outputs[0, 0] == pytest.approx(4 * (1 - share), abs=0.01 * report.scale)
    assert outputs[0, 1] == pytest.approx(2 * share, abs=0.01 * report.scale)


@pytest.mark.parametrize("loss", ["squared", "cross_entropy", "squared_probabilities"])
def test_actions_without_targets_are_left_alone(loss):
    """Where only the first action of any position has a target, the others' outputs stay."""
    one = table([0, 1], [0b001, 0b001], [[2, 0, 0], [-2, 0, 0]])
    network = make_network(MlpSettings(hidden=16, layers=1), Shape(4, 3), seed=3)
    before = network.last.weight.detach().clone()
    fit(network, one, FORMAT, replace(EXACT, loss=loss), np.random.default_rng(1))
    after = network.last.weight.detach() * network.scale  # the scale moves into the weights first
    torch.testing.assert_close(after[1:], before[1:], rtol=0, atol=1e-6)
    assert torch.allclose(after[0], before[0], atol=1e-2) == (loss != "squared")


def test_scale_is_the_root_mean_square():
    report, _ = fitted(table([0, 1], [0b011, 0b001], [[30, -40, 0], [50, 0, 0]]), EXACT)
    # Drawn with replacement: 1,600 and 900 or 2,500, each row half of the time.
    assert report.scale == pytest.approx(np.sqrt(5000 / 3), rel=0.02)


def test_targets_of_zero():
    _, outputs = fitted(table(POSITIONS, LEGAL, np.zeros((4, 3))))
    np.testing.assert_allclose(outputs, 0, atol=1e-6)


@pytest.mark.parametrize("loss", ["cross_entropy", "squared_probabilities"])
def test_probabilities(loss):
    """Masked: the third action of position 1 is illegal, and takes no probability."""
    targets = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.25, 0.75, 0], [0, 0, 1]]
    report, logits = fitted(table(POSITIONS, LEGAL, targets), replace(EXACT, loss=loss))
    assert report.scale == 1
    odds = np.exp(logits)
    np.testing.assert_allclose(odds[0] / odds[0].sum(), [0.5, 0.3, 0.2], atol=0.01)
    np.testing.assert_allclose(odds[1, :2] / odds[1, :2].sum(), [0.25, 0.75], atol=0.01)


SHORT = replace(EXACT, steps=120)


@pytest.mark.parametrize("network", WAYS)
def test_the_seed_decides(network):
    source = table(POSITIONS, LEGAL, TARGETS)
    one, again, other = (fitted(source, SHORT, network, seed)[1] for seed in (1, 1, 2))
    assert np.array_equal(one, again)
    assert not np.array_equal(one, other)


def test_a_clipped_gradient_still_learns_and_reports_its_length():
    source = table(POSITIONS, LEGAL, TARGETS)
    free, clipped = (fitted(source, replace(SHORT, max_grad_norm=clip)) for clip in (0.0, 1e-3))
    assert free[0].first_loss > 1.5 * free[0].last_loss
    assert clipped[0].first_loss > 1.5 * clipped[0].last_loss
    assert min(free[0].gradient, clipped[0].gradient) > 1e-3
    assert not np.array_equal(free[1], clipped[1])


@pytest.mark.parametrize("network", WAYS)
def test_fitting_goes_on_from_where_the_network_is(network):
    source = table(POSITIONS, LEGAL, TARGETS)
    learner = make_network(network, Shape(4, 3), seed=3)
    fits = [fit(learner, source, FORMAT, EXACT, np.random.default_rng(seed)) for seed in (1, 2)]
    assert fits[1].first_loss < 1.1 * fits[0].last_loss < fits[0].first_loss


@pytest.mark.parametrize("network", WAYS)
def test_an_interrupted_fit_leaves_no_trace(network):
    def press(step):
        if step:
            raise KeyboardInterrupt

    learner = make_network(network, Shape(4, 3), seed=3)
    before = {name: tensor.clone() for name, tensor in learner.state_dict().items()}
    precision = torch.get_float32_matmul_precision()
    source, random = table(POSITIONS, LEGAL, TARGETS), np.random.default_rng(1)
    with pytest.raises(KeyboardInterrupt):
        fit(learner, source, FORMAT, SHORT, random, press)
    assert all(torch.equal(tensor, before[k]) for k, tensor in learner.state_dict().items())
    assert torch.get_float32_matmul_precision() == precision


@pytest.mark.parametrize("precision", ["float32", "medium", "bfloat16"])
def test_every_precision_fits(precision):
    source = table(POSITIONS, LEGAL, TARGETS)
    report, outputs = fitted(source, replace(EXACT, precision=precision))
    np.testing.assert_allclose(outputs[2], [0, 0, 3], atol=0.05 * report.scale)


def test_unknown_names_are_refused():
    with pytest.raises(ValueError, match="weighting is one of none, linear, square"):
        FitSettings(weighting="cubic")
    with pytest.raises(ValueError, match="loss is one of squared"):
        FitSettings(loss="hinge")
    with pytest.raises(ValueError, match="schedule is one of constant, cosine"):
        FitSettings(schedule="step")
