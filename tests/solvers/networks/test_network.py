"""Networks are what their settings say, and the same after a save and from the same seed."""

import json
from dataclasses import asdict

import numpy as np
import pytest
import torch
from safetensors.torch import save_file

from solvers.networks.device import CPU
from solvers.networks.layout import Shape, shape_of
from solvers.networks.network import (
    PRECISIONS,
    computing,
    load_network,
    make_network,
    predict,
    save_network,
)
from solvers.networks.settings import MlpSettings, SuitsSettings
from solvers.runs.settings import to_plain
from spielgames.core.pieces import Pieces

# Two sets of six cards (three suits of two ranks), two other columns, a flag per suit twice.
PIECES = Pieces({"hand": (6,), "seat": (2,), "played": (1, 6), "voids": (2, 3)}, suited=("voids",))
SHAPE = shape_of(PIECES, actions=5, cards=6, ranks=2)
SETTINGS = (
    MlpSettings(hidden=16, layers=2),
    SuitsSettings(hidden=16, layers=3),
)


def encodings(n=300, width=SHAPE.width):
    return (np.random.default_rng(1).random((n, width)) < 0.4).astype(np.float32)


def test_sets_are_the_rows_as_long_as_the_deck():
    known = {"sets": (0, 8), "hands": (0,), "suited": (14, 17)}
    assert Shape(width=20, actions=5, cards=6, ranks=2, **known) == SHAPE
    pieces = Pieces({"direction": (4,), "played": (3, 6)})
    assert shape_of(pieces, actions=5, cards=6, ranks=2).sets == (4, 10, 16)


@pytest.mark.parametrize("settings", SETTINGS)
def test_the_seed_decides_and_torch_keeps_its_own(settings):
    before = torch.random.get_rng_state()
    one, again, other = (
        predict(make_network(settings, SHAPE, seed), encodings()) for seed in (1, 1, 2)
    )
    assert one.shape == (300, 5) and one.dtype == np.float32
    assert np.array_equal(one, again)
    assert not np.allclose(one, other)
    assert torch.equal(before, torch.random.get_rng_state())


@pytest.mark.parametrize("settings", SETTINGS)
def test_saved_and_loaded_it_predicts_the_same(settings, tmp_path):
    network = make_network(settings, SHAPE, seed=3)
    network.rescale(2.5)
    save_network(tmp_path / "net", network, {"game": "python_hokm", "iteration": 7})
    loaded, about = load_network(tmp_path / "net")
    assert about == {"game": "python_hokm", "iteration": 7}
    assert (loaded.settings, loaded.shape) == (settings, SHAPE)
    assert np.array_equal(predict(network, encodings()), predict(loaded, encodings()))
    assert [path.name for path in tmp_path.iterdir()] == ["net"]


def test_a_file_of_something_else_is_refused(tmp_path):
    save_file({"a": torch.zeros(2)}, tmp_path / "other")
    (tmp_path / "text").write_text("no network")
    for name in ("other", "text"):
        with pytest.raises(ValueError, match="holds no network"):
            load_network(tmp_path / name)


def test_files_of_older_versions_are_read(tmp_path):
    """They know less of shapes."""
    settings, shape = to_plain(SETTINGS[0]), asdict(SHAPE)
    for name in ("hands", "suited", "trump", "events"):
        del shape[name]
    network = make_network(SETTINGS[0], SHAPE, seed=3)
    kept = {"settings": settings, "shape": shape, "about": {}}
    save_file(network.state_dict(), tmp_path / "net", {"network": json.dumps(kept)})
    loaded, _ = load_network(tmp_path / "net")
    assert loaded.shape == Shape(width=20, actions=5, cards=6, ranks=2, sets=(0, 8))
    assert np.array_equal(predict(network, encodings()), predict(loaded, encodings()))


def test_settings_may_be_plain_json():
    settings = json.loads('{"hidden": 8, "layers": 4, "zero_output": true}')
    network = make_network(settings, SHAPE, seed=1)
    assert len(list(network.parameters())) == 2 * 5
    assert not predict(network, encodings()).any()


def test_unknown_names_are_refused():
    with pytest.raises(
        ValueError, match="network.kind is one of mlp, canonical, suits, cards, not"
    ):
        make_network({"kind": "transformer"}, SHAPE, seed=1)
    with pytest.raises(ValueError, match="no setting 'heads' of suits; there are hidden, layers"):
        make_network({"kind": "suits", "heads": 2}, SHAPE, seed=1)
    with pytest.raises(ValueError, match="a flag for each card"):
        make_network({"kind": "suits"}, Shape(16, 5), seed=1)
    with (
        pytest.raises(ValueError, match="one of float32, medium, bfloat16"),
        computing("int8", CPU),
    ):
        pass


def test_a_plain_network_by_hand():
    """relu(first), then relu(layer + what it was given), then the last layer × scale."""
    network = make_network(MlpSettings(hidden=4, layers=2), Shape(3, 2), seed=5)
    network.scale.fill_(10.0)
    w = {name: tensor.numpy() for name, tensor in network.state_dict().items()}
    x = encodings(width=3)
    h = np.maximum(x @ w["first.weight"].T + w["first.bias"], 0)
    h = np.maximum(h @ w["layers.0.weight"].T + w["layers.0.bias"] + h, 0)
    expected = 10 * (h @ w["last.weight"].T + w["last.bias"])
    np.testing.assert_allclose(predict(network, x), expected, atol=1e-4)


def test_suits_are_alike_but_for_a_vector():
    """Without it, whoever exchanges two suits exchanges the scores of their cards."""
    shape = shape_of(PIECES, actions=7, cards=6, ranks=2)  # six cards and a call
    network = make_network(SuitsSettings(hidden=16, layers=3), shape, seed=5)
    x = encodings(20)
    suits = np.array([2, 0, 1])
    cards = (2 * suits[:, None] + [0, 1]).flatten()
    order = np.concatenate([cards, [6, 7], 8 + cards, 14 + suits, 17 + suits])
    before, after = predict(network, x), predict(network, x[:, order])
    assert not np.allclose(after[:, :6], before[:, cards], atol=1e-3)
    torch.nn.init.zeros_(network.first.suit)
    network.last.weight.data[:6] = 0  # what a row says of an id, whatever its suit
    network.last.bias.data[:6] = 0
    before, after = predict(network, x), predict(network, x[:, order])
    np.testing.assert_allclose(after[:, :6], before[:, cards], atol=1e-5)
    np.testing.assert_allclose(after[:, 6], before[:, 6], atol=1e-5)
    assert before[:, :6].std(axis=1).min() > 0


def test_a_suit_network_by_hand():
    network = make_network(SuitsSettings(hidden=4, layers=2), SHAPE, seed=5)
    w = {name: tensor.numpy() for name, tensor in network.state_dict().items()}

    def linear(name, x):
        return x @ w[f"{name}.weight"].T + w.get(f"{name}.bias", 0)

    x = encodings(20)
    columns = [[2 * s, 2 * s + 1, 8 + 2 * s, 9 + 2 * s, 14 + s, 17 + s] for s in range(3)]
    rows = np.stack([linear("first.row", x[:, c]) for c in columns], axis=1)
    rows = np.maximum(rows + linear("first.others", x[:, [6, 7]])[:, None] + w["first.suit"], 0)
    common = linear("first.mixes.0.common", rows.mean(axis=1, keepdims=True))
    rows = np.maximum(linear("first.mixes.0.own", rows) + common + rows, 0)
    expected = linear("last", rows).sum(axis=1)  # five actions are fewer than the cards
    np.testing.assert_allclose(predict(network, x), expected, atol=1e-5)


@pytest.mark.parametrize("settings", SETTINGS)
def test_another_scale_leaves_the_outputs(settings):
    network = make_network(settings, SHAPE, seed=2)
    before = predict(network, encodings())
    network.rescale(0.125)
    assert float(network.scale) == 0.125
    np.testing.assert_allclose(predict(network, encodings()), before, atol=1e-5)


@pytest.mark.parametrize("settings", SETTINGS)
@pytest.mark.parametrize("precision", PRECISIONS)
def test_precisions_agree_and_end_where_they_began(settings, precision):
    network = make_network(settings, SHAPE, seed=2)
    exact = predict(network, encodings(3000), "float32")
    before = torch.get_float32_matmul_precision()
    got = predict(network, encodings(3000), precision)
    assert torch.get_float32_matmul_precision() == before
    assert not torch.is_autocast_enabled("cpu")
    np.testing.assert_allclose(got, exact, atol=0.05 if precision == "bfloat16" else 1e-5)


def test_no_rows_and_any_number_of_them():
    network = make_network(SETTINGS[0], SHAPE, seed=2)
    whole = predict(network, encodings(2500))
    assert predict(network, encodings(0)).shape == (0, 5)
    np.testing.assert_allclose(predict(network, encodings(2500)[1700:]), whole[1700:], atol=1e-6)
