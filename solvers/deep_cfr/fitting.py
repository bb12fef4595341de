"""Fitting a network to samples: a regression on random batches of rows.

report = fit(network, source, format, FitSettings(steps=750), random)
report.last_loss, report.steps_per_second  # what a log wants

A network that is interrupted while it is fitted stays as it was.
"""

import math
import time
from copy import deepcopy
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from solvers.deep_cfr.batches import Minibatch, Minibatches, SampleSource
from solvers.deep_cfr.gradients import LOSSES, gradient_of, loss_and_slopes
from solvers.deep_cfr.rows import RowFormat
from solvers.networks.device import moved
from solvers.networks.network import Network, check_precision, computing
from solvers.runs.progress import Progress, silent
from solvers.runs.settings import check_choice

WEIGHTINGS = {"none": 0, "linear": 1, "square": 2}  # powers of the iteration
BLOCK = 50  # steps from one report to the next


@dataclass(frozen=True)
class FitSettings:
    steps: int = 750
    batch: int = 2048
    learning_rate: float = 1e-3
    loss: str = "squared"  # or for probabilities: "cross_entropy", "squared_probabilities"
    weighting: str = "linear"  # by iteration: "none", "linear", "square"
    max_grad_norm: float = 10.0  # DREAM 1, SD-CFR 10; 0: gradients are not clipped
    schedule: str = "constant"  # of the learning rate: "constant", "cosine" to 0
    precision: str = "medium"

    def __post_init__(self) -> None:
        check_choice("loss", self.loss, LOSSES)
        check_choice("weighting", self.weighting, tuple(WEIGHTINGS))
        check_choice("schedule", self.schedule, ("constant", "cosine"))
        check_precision(self.precision)


class Fit(NamedTuple):
    """A fit in numbers, for logs."""

    first_loss: float  # the mean of the first steps
    last_loss: float  # and of the last ones
    gradient: float  # mean length of the gradient in the last steps, before it is clipped
    scale: float  # of the targets: their root mean square
    steps_per_second: float


def fit(
    network: Network,
    source: SampleSource,
    format: RowFormat,
    settings: FitSettings,
    random: np.random.Generator,
    progress: Progress = silent,
) -> Fit:
    """`progress` may raise (as for Ctrl-C): then the network stays as it was."""
    began = time.perf_counter()
    power, normalised = WEIGHTINGS[settings.weighting], settings.loss == "squared"
    batches = Minibatches(source, format, settings.batch, power, normalised, random)
    learned = deepcopy(network)
    learned.rescale(batches.scale)
    losses, gradients = [], []
    with computing(settings.precision, network.device):
        trainer = Trainer(learned, settings)
        for step in range(settings.steps):
            if step % BLOCK == 0:
                progress(step)
            batch = moved(batches.next(), network.device)
            loss, gradient = trainer.step(batch, rate(settings, step))
            losses.append(loss)
            gradients.append(gradient)
    network.load_state_dict(learned.state_dict())
    return Fit(
        first_loss=float(torch.stack(losses[:BLOCK]).mean()),
        last_loss=float(torch.stack(losses[-BLOCK:]).mean()),
        gradient=float(torch.stack(gradients[-BLOCK:]).mean()),
        scale=batches.scale,
        steps_per_second=settings.steps / (time.perf_counter() - began),
    )


def rate(settings: FitSettings, step: int) -> float:
    """The learning rate of a step."""
    if settings.schedule == "constant":
        return settings.learning_rate
    return settings.learning_rate * (1 + math.cos(math.pi * step / settings.steps)) / 2


class Trainer:
    """Adam (Kingma and Ba 2015) on all weights as one long vector: on small networks, an operation
    for each of them takes as long as the network itself.
    """

    def __init__(self, network: Network, settings: FitSettings) -> None:
        self._settings = settings
        self._gradient = gradient_of(network, settings.precision, settings.batch)
        parameters = list(network.parameters())
        self._weights = nn.utils.parameters_to_vector(parameters).detach()
        self._slopes = self._weights.grad = torch.zeros_like(self._weights)
        share_memory(parameters, self._weights, self._slopes)
        self._adam = torch.optim.Adam([self._weights], fused=True)

    def step(self, batch: Minibatch, rate: float) -> tuple[Tensor, Tensor]:
        """The loss and the length of its gradient, both before the step."""
        loss, length = self._find_gradient(batch), torch.linalg.vector_norm(self._slopes)
        if self._settings.max_grad_norm:
            self._slopes.mul_((self._settings.max_grad_norm / (length + 1e-6)).clamp_(max=1))
        self._adam.param_groups[0]["lr"] = rate
        self._adam.step()
        return loss, length

    def _find_gradient(self, batch: Minibatch) -> Tensor:
        outputs, places = self._gradient.forward(batch.encodings), batch.places
        if places is None:
            loss, slopes = loss_and_slopes(self._settings.loss, outputs, batch)
        else:
            loss, each = loss_and_slopes(
                self._settings.loss, outputs.index_select(0, places), batch
            )
            slopes = torch.zeros_like(outputs).index_add_(0, places, each)
        self._gradient.backward(slopes)
        return loss


def share_memory(parameters: list[nn.Parameter], vector: Tensor, gradient: Tensor) -> None:
    """Make the parameters, and their gradients, parts of a vector and its gradient."""
    sizes = [parameter.numel() for parameter in parameters]
    parts = zip(parameters, vector.split(sizes), gradient.split(sizes), strict=True)
    for parameter, weights, slopes in parts:
        parameter.data, parameter.grad = weights.view_as(parameter), slopes.view_as(parameter)
