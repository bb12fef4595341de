"""How positions are put to a network."""

import numpy as np
import pytest
import torch

from solvers.alphazero.teacher import Guide, padded
from solvers.environments.card_game import Records
from solvers.networks.network import make_network
from solvers.networks.settings import MlpSettings
from solvers.search.beliefs import Uniform


def test_there_are_few_different_numbers_of_rows():
    sizes = [len(padded(torch.ones(n, 2))) for n in range(1, 1001)]
    assert all(n <= size < 2 * n + 1 for n, size in enumerate(sizes, start=1))
    assert len(set(sizes)) == 15  # powers of two up to 128, then multiples of it


@pytest.mark.parametrize("count", [1, 5, 130])
def test_judgements_are_those_of_the_network(count):
    env = Records("python_snapszer")
    network = make_network(MlpSettings(hidden=8, critic=True), env.shape, seed=1)
    positions = env.deal(0, count, seed=1)
    found = Guide(env, network, Uniform(), 3.0, "float32").judge(positions)
    with torch.no_grad():
        logits, _, values = network.judge(torch.from_numpy(env.encode(positions)))
    for one, other in zip(found, (logits, values), strict=True):
        assert one.shape == other.shape
        np.testing.assert_allclose(one, other, atol=1e-6)
