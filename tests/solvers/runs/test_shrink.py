"""Networks with a byte for each weight."""

import numpy as np
import pytest
import torch

from solvers.networks.layout import Shape
from solvers.networks.network import load_network, make_network, predict, save_network
from solvers.networks.settings import MlpSettings
from solvers.runs.pretrained import find_run
from solvers.runs.shrink import shrink
from solvers.runs.tensors import STEP, from_bytes, in_bytes, load_tensors
from spielgames.agents import make_agent
from spielgames.testing.positions import after
from tests.commands import run

SHAPE = Shape(width=40, actions=9)


def test_a_matrix_in_bytes_is_off_by_half_a_step_at_most():
    matrix = torch.tensor([[1.27, -0.02, 0.006], [0.0, 0.0, 0.0], [-254.0, 100.0, 3.0]])
    kept = in_bytes("m", matrix)
    assert kept["m"].tolist() == [[127, -2, 1], [0, 0, 0], [-127, 50, 2]]
    torch.testing.assert_close(kept["m" + STEP][[0, 2], 0], torch.tensor([0.01, 2.0]))
    off = (from_bytes(kept)["m"] - matrix).abs()
    assert (off <= torch.tensor([[0.005], [0.0], [1.0]]) + 1e-6).all()


@pytest.fixture
def source(tmp_path):
    (tmp_path / "run").mkdir()
    (tmp_path / "run/state.json").write_text("{}")
    network = make_network(MlpSettings(hidden=64, layers=2), SHAPE, seed=1)
    save_network(tmp_path / "run/networks/x-0-000001.safetensors", network, {"game": "g"})
    return tmp_path / "run"


def test_a_shrunk_network_answers_nearly_the_same(source, tmp_path):
    small, state = shrink(source, tmp_path / "small")
    large = source / "networks/x-0-000001.safetensors"
    assert state.read_text() == "{}"
    assert small.stat().st_size < large.stat().st_size / 2  # in a network as small as this
    (before, about), (after, same) = load_network(large), load_network(small)
    assert about == same
    rows = np.random.default_rng(1).normal(size=(50, SHAPE.width)).astype(np.float32)
    theirs, ours = predict(before, rows), predict(after, rows)
    assert 0 < np.abs(theirs - ours).max() < 0.02 * np.abs(theirs).max()


def test_hearts_own_is_the_large_one_in_bytes(tmp_path):
    shrunk, _ = shrink(find_run("hearts_large"), tmp_path / "small")
    (kept,) = (find_run("hearts") / "networks").iterdir()
    for ours, theirs in zip(load_tensors(shrunk), load_tensors(kept), strict=True):
        assert str(ours) == str(theirs)


def test_what_cannot_be_shrunk_is_refused(source, tmp_path):
    with pytest.raises(ValueError, match=f"{tmp_path} has no networks"):
        shrink(tmp_path, tmp_path / "small")
    with pytest.raises(ValueError, match=f"{source} exists already; choose another folder"):
        shrink(source, source)
    done = run("solvers.runs.shrink", "--run=runs/x")
    assert (done.returncode, done.stderr) == (2, "write --run=FOLDER --out=FOLDER\n")


@pytest.mark.filterwarnings("ignore:.*was trained on version")
def test_hearts_plays_nearly_as_the_large_one_does():
    states = after("python_hearts", seed=1, steps=30, games=500).states
    small, large = (
        make_agent(f"net:{name},strategy=best", "python_hearts").probabilities(states).argmax(1)
        for name in ("hearts", "hearts_large")
    )
    assert 0.9 < (small == large).mean() < 1
