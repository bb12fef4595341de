"""Losses, and gradients by hand, against torch's own gradients."""

import numpy as np
import pytest
import torch

from solvers.deep_cfr.batches import Minibatch
from solvers.deep_cfr.gradients import LOSSES, Automatic, ByHand, gradient_of, loss_and_slopes
from solvers.networks.network import Shape, make_network
from solvers.networks.settings import MlpSettings

ROWS, WIDTH, ACTIONS = 40, 7, 5


@pytest.fixture
def batch():
    """The first row has no targets at all."""
    random = torch.Generator().manual_seed(1)
    mask = (torch.rand(ROWS, ACTIONS, generator=random) < 0.6).float()
    mask[0] = 0
    targets = torch.rand(ROWS, ACTIONS, generator=random) * mask
    encodings = torch.rand(ROWS, WIDTH, generator=random)
    return Minibatch(encodings, None, targets, mask, torch.rand(ROWS, generator=random))


def plainly(kind, outputs, batch):
    """The loss as one would write it down, row by row."""
    total = torch.zeros((), dtype=outputs.dtype)
    for row, targets, mask, weight in zip(
        outputs, batch.targets, batch.mask, batch.weights, strict=True
    ):
        legal = mask > 0
        row, targets = row[legal], targets[legal]
        if kind == "squared":
            total = total + weight * ((row - targets) ** 2).sum()
        elif kind == "cross_entropy":
            total = total - weight * (row.log_softmax(0) * targets).sum()
        else:
            total = total + weight * ((row.softmax(0) - targets) ** 2).sum()
    return total


@pytest.mark.parametrize("kind", LOSSES)
def test_losses_and_their_slopes(kind, batch):
    outputs = torch.randn(ROWS, ACTIONS, generator=torch.Generator().manual_seed(2))
    outputs.requires_grad_()
    expected = plainly(kind, outputs, batch)
    expected.backward()
    loss, slopes = loss_and_slopes(kind, outputs.detach(), batch)
    torch.testing.assert_close(loss, expected.detach())
    torch.testing.assert_close(slopes, outputs.grad)
    assert not slopes[batch.mask == 0].any()


@pytest.mark.parametrize("layers", [1, 2, 4])
def test_by_hand_as_by_torch(layers, batch):
    network = make_network(MlpSettings(hidden=16, layers=layers), Shape(WIDTH, ACTIONS), 1)
    found = []
    for gradient in (Automatic(network), ByHand(network, rows=ROWS + 8)):
        for parameter in network.parameters():
            parameter.grad = torch.full_like(parameter, np.nan if found else 1.0)
        outputs = gradient.forward(batch.encodings)
        gradient.backward(loss_and_slopes("squared", outputs, batch)[1])
        found.append([outputs] + [parameter.grad for parameter in network.parameters()])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


def test_by_hand_only_what_it_knows():
    def kind(precision="medium", **settings):
        shape = Shape(4, 3, cards=4, ranks=2, sets=(0,))
        return type(gradient_of(make_network(settings, shape, 1), precision, rows=8))

    assert kind() is kind("float32") is ByHand
    assert kind("bfloat16") is kind(kind="suits") is Automatic
    assert kind(layers=0) is kind(head=4) is kind(columns=2) is Automatic
