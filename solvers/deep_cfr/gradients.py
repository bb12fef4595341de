"""Losses of a minibatch, and their gradients: by torch for any network, by hand for a plain one.

gradient = ByHand(network, rows=2048)
outputs = gradient.forward(encodings)
gradient.backward(slopes)  # of the loss by each output; into `parameter.grad`
"""

import torch
from torch import Tensor

from solvers.deep_cfr.batches import Minibatch
from solvers.networks.network import Network
from solvers.networks.settings import MlpSettings, NetworkSettings

LOSSES = ("squared", "cross_entropy", "squared_probabilities")


def loss_and_slopes(kind: str, outputs: Tensor, batch: Minibatch) -> tuple[Tensor, Tensor]:
    """The weighted loss over all actions that have targets, and its gradient by the [n, actions]
    outputs: for all other actions it is 0.
    """
    weights, targets = batch.weights[:, None], batch.targets
    if kind == "squared":
        errors = (outputs - targets).mul_(batch.mask)
        slopes = errors * (2 * weights)
        return torch.dot(errors.flatten(), slopes.flatten()) / 2, slopes
    logs = torch.log_softmax(outputs + (batch.mask - 1) * 1e9, 1)
    probabilities = logs.exp()
    if kind == "cross_entropy":
        slopes = probabilities * targets.sum(1, keepdim=True) - targets
        return -(logs * targets * weights).sum(), slopes * weights
    errors = (probabilities - targets) * batch.mask
    slopes = 2 * weights * errors
    mean = (probabilities * slopes).sum(1, keepdim=True)
    return (errors * slopes).sum() / 2, probabilities * (slopes - mean)


class Automatic:
    """Gradients by torch, for any network."""

    def __init__(self, network: Network) -> None:
        self._network = network

    def forward(self, encodings: Tensor) -> Tensor:
        self._outputs = self._network.raw(encodings)
        return self._outputs.detach().float()

    def backward(self, slopes: Tensor) -> None:
        for parameter in self._network.parameters():
            if parameter.grad is not None:
                parameter.grad.zero_()
        self._outputs.backward(slopes.to(self._outputs.dtype))


class ByHand:
    """Gradients of a plain network in float32, computed by hand because torch's bookkeeping, and
    fresh memory for each result, take as long as small matrices themselves.
    """

    def __init__(self, network: Network, rows: int) -> None:
        self._layers = [network.first, *network.layers, network.last]
        size, device = (rows, network.settings.hidden), network.device
        self._features = torch.empty(len(self._layers) - 1, *size, device=device)
        self._slopes = torch.empty(2, *size, device=device)

    @torch.no_grad()
    def forward(self, encodings: Tensor) -> Tensor:
        self._inputs = [encodings]  # of each layer
        for k, layer in enumerate(self._layers[:-1]):
            x, out = self._inputs[-1], self._features[k, : len(encodings)]
            torch.addmm(layer.bias, x, layer.weight.t(), out=out)
            self._inputs.append((out.add_(x) if k else out).relu_())
        last = self._layers[-1]
        return torch.addmm(last.bias, self._inputs[-1], last.weight.t())

    @torch.no_grad()
    def backward(self, slopes: Tensor) -> None:
        top = len(self._layers) - 1
        for k in range(top, -1, -1):
            layer, x = self._layers[k], self._inputs[k]
            torch.mm(slopes.t(), x, out=layer.weight.grad)
            torch.sum(slopes, 0, out=layer.bias.grad)
            if k:
                below = self._slopes[k % 2, : len(x)]
                torch.mm(slopes, layer.weight, out=below)
                if k < top:  # a hidden layer adds to what it is given
                    below.add_(slopes)
                slopes = torch.ops.aten.threshold_backward.grad_input(below, x, 0, grad_input=below)


def gradient_of(network: Network, precision: str, rows: int) -> Automatic | ByHand:
    if precision != "bfloat16" and is_known(network.settings):
        return ByHand(network, rows)
    return Automatic(network)


def is_known(settings: NetworkSettings) -> bool:
    """Whether a network is one whose gradients are computed by hand."""
    plain = isinstance(settings, MlpSettings) and settings.columns == 0
    return plain and settings.layers > 0 and settings.head == 0
