"""What plain networks may have besides: heads with a hidden layer, fewer columns, no layers."""

from dataclasses import replace

import numpy as np
import pytest
import torch

from solvers.networks.layout import Shape
from solvers.networks.network import load_network, make_network, predict, save_network
from solvers.networks.settings import MlpSettings, SuitsSettings

SHAPE = Shape(width=6, actions=3)
HEADS = MlpSettings(hidden=8, layers=2, head=4, critic=True)
LINEAR = MlpSettings(layers=0)
X = np.random.default_rng(1).random((20, 6)).astype(np.float32)


def test_heads_by_hand():
    """Each head is relu of a layer of its own, then a layer of outputs."""
    network = make_network(HEADS, SHAPE, seed=5)
    w = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    h = np.maximum(X @ w["first.weight"].T + w["first.bias"], 0)
    h = np.maximum(h @ w["layers.0.weight"].T + w["layers.0.bias"] + h, 0)
    with torch.no_grad():
        found = network.judge(torch.from_numpy(X))
    for name, outputs in zip(("last", "action_values", "value"), found, strict=True):
        part = np.maximum(h @ w[f"{name}.0.weight"].T + w[f"{name}.0.bias"], 0)
        expected = part @ w[f"{name}.2.weight"].T + w[f"{name}.2.bias"]
        np.testing.assert_allclose(outputs, expected.reshape(outputs.shape), atol=1e-5)


def test_a_network_with_heads_keeps_its_outputs_when_its_scale_changes():
    network = make_network(HEADS, SHAPE, seed=5)
    before = predict(network, X, "float32")
    network.rescale(7.0)
    np.testing.assert_allclose(predict(network, X, "float32"), before, atol=1e-6)
    zero = make_network(replace(HEADS, zero_output=True), SHAPE, seed=5)
    assert not predict(zero, X).any()


def test_without_layers_it_is_linear():
    network = make_network(LINEAR, SHAPE, seed=5)
    weight, bias = (x.detach().numpy() for x in (network.last.weight, network.last.bias))
    np.testing.assert_allclose(predict(network, X, "float32"), X @ weight.T + bias, atol=1e-5)


@pytest.mark.parametrize("settings", [MlpSettings(8, 1, columns=4), MlpSettings(8, 0, columns=4)])
def test_it_sees_the_first_columns_alone(settings):
    network = make_network(settings, SHAPE, seed=5)
    before = predict(network, X)
    for column, sees in ((3, True), (4, False), (5, False)):
        other = X.copy()
        other[:, column] += 1
        assert (predict(network, other) == before).all() != sees


@pytest.mark.parametrize("settings", [HEADS, LINEAR, SuitsSettings(8, 2, head=4)])
def test_saved_and_loaded_it_is_the_same(settings, tmp_path):
    shape = Shape(width=6, actions=4, cards=4, ranks=2, sets=(0,))
    network = make_network(settings, shape, seed=3)
    save_network(tmp_path / "net", network, {})
    assert (predict(load_network(tmp_path / "net")[0], X) == predict(network, X)).all()


def test_what_is_refused():
    with pytest.raises(ValueError, match="columns=7 is not allowed; the encoding has 6"):
        make_network(MlpSettings(8, 1, columns=7), SHAPE, seed=1)
    with pytest.raises(ValueError, match="layers=0 is not allowed; it is at least 1"):
        SuitsSettings(layers=0)
    with pytest.raises(ValueError, match="head=-1 is not allowed"):
        MlpSettings(head=-1)
