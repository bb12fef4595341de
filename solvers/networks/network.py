"""Networks for all solvers: made from plain settings, saved as safetensors, asked in NumPy.

shape = Shape(width=540, actions=52)
network = make_network(MlpSettings(hidden=256, layers=3), shape, seed=1)
predict(network, encodings)  # [n, 540] float32 -> [n, 52] float32
save_network(path, network, about={"game": "python_hearts"})
network, about = load_network(path)
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from solvers.networks.canonical import Canonical
from solvers.networks.card_transformer import CardTransformer
from solvers.networks.device import device
from solvers.networks.first_layer import FirstLayer
from solvers.networks.layout import Shape, shape_from
from solvers.networks.plain import plain_layer
from solvers.networks.settings import (
    CanonicalSettings,
    CardsSettings,
    MlpSettings,
    NetworkSettings,
    SuitsSettings,
)
from solvers.networks.suits import Suits
from solvers.runs.old_names import used_by_network
from solvers.runs.settings import check_choice, from_plain, read_record, records_of, to_plain
from solvers.runs.tensors import check_like, load_tensors, save_tensors
from spielgames.files import reading

About = dict[str, Any]  # what a network was made for, in plain JSON

PRECISIONS = ("float32", "medium", "bfloat16")


class Network(nn.Module):
    """Its outputs are `raw` outputs × `scale`, so that it is fitted to targets of size 1."""

    scale: Tensor

    def __init__(self, settings: NetworkSettings, shape: Shape) -> None:
        super().__init__()
        self.settings, self.shape = settings, shape
        self.first: FirstLayer = FIRST_LAYERS[type(settings)](settings, shape)
        further, answers = self.first.sizes(settings, shape)
        self.layers = nn.ModuleList(
            nn.Linear(settings.hidden, settings.hidden) for _ in range(further)
        )
        self.features = self.first.width(settings)  # of each row, before the heads
        self.last = make_head(self.features, settings.head, answers)
        if settings.critic:
            self.action_values = make_head(self.features, settings.head, answers)
            self.value = make_head(self.features, settings.head, 1)
        self.register_buffer("scale", torch.ones(()))
        if settings.zero_output:
            for parameter in output_layer(self.last).parameters():
                nn.init.zeros_(parameter)

    @property
    def device(self) -> torch.device:
        return self.scale.device

    def think(self, encodings: Tensor) -> tuple[Tensor, Tensor]:
        """[n, width] -> the last features, [n, hidden], and the raw outputs, [n, actions]."""
        order = self.first.order(encodings)
        if order is None:
            return self._think(encodings)
        parts = [self._think(encodings[rows]) for rows in order.split(self.first.rows)]
        features, outputs = map(torch.cat, zip(*parts, strict=True))
        back = order.argsort()
        return features[back], outputs[back]

    def _think(self, encodings: Tensor) -> tuple[Tensor, Tensor]:
        x, seen = self._features(encodings)
        return self.first.whole(x), self.first.answer(self.last(x), seen)

    def _features(self, encodings: Tensor) -> tuple[Tensor, Any]:
        x, seen = self.first.look(encodings)
        for layer in self.layers:
            x = torch.relu(layer(x) + x)
        return x, seen

    def judge(self, encodings: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """[n, width] -> the outputs, and what each action is worth, both [n, actions], and what the
        position is worth, [n]. (Not of a network that orders rows.)
        """
        x, seen = self._features(encodings)
        outputs, worth = (
            self.first.answer(part(x), seen).float() for part in (self.last, self.action_values)
        )
        return outputs * self.scale, worth, self.value(self.first.whole(x))[:, 0].float()

    def raw(self, encodings: Tensor) -> Tensor:
        """[n, width] -> [n, actions]"""
        return self.think(encodings)[1]

    def forward(self, encodings: Tensor) -> Tensor:
        return self.raw(encodings).float() * self.scale

    @torch.no_grad()
    def rescale(self, scale: float) -> None:
        """Set another scale; the outputs stay what they are."""
        for parameter in output_layer(self.last).parameters():
            parameter.mul_(self.scale / scale)
        self.scale.fill_(scale)


def make_head(features: int, hidden: int, outputs: int) -> nn.Module:
    """The layers from a network's features to outputs."""
    if not hidden:
        return nn.Linear(features, outputs)
    return nn.Sequential(nn.Linear(features, hidden), nn.ReLU(), nn.Linear(hidden, outputs))


def output_layer(head: nn.Module) -> nn.Module:
    return head[-1] if isinstance(head, nn.Sequential) else head


FIRST_LAYERS: dict[type, Callable[..., FirstLayer]] = {
    MlpSettings: plain_layer,
    CanonicalSettings: Canonical,
    SuitsSettings: Suits,
    CardsSettings: CardTransformer,
}


def make_network(settings: NetworkSettings | Mapping, shape: Shape, seed: int) -> Network:
    """Make a network that depends on the seed alone, whatever the device."""
    if isinstance(settings, Mapping):
        settings = read_settings(settings)
    with drawing(seed):
        return Network(settings, shape).to(device())


@contextmanager
def drawing(seed: int) -> Iterator[None]:
    """Inside, the processor's random numbers follow a seed; afterwards torch goes on as before."""
    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(seed)
        yield


def read_settings(given: Mapping[str, Any]) -> NetworkSettings:
    return read_record("network", records_of(NetworkSettings), given)


def save_network(path: Path, network: Network, about: About) -> None:
    kept = {"settings": to_plain(network.settings), "shape": asdict(network.shape), "about": about}
    save_tensors(path, network.state_dict(), kept)


@dataclass(frozen=True)
class FileHeader:
    """The description of a network in its file."""

    settings: dict
    shape: dict
    about: dict


def load_network(path: Path) -> tuple[Network, About]:
    with reading(path, "holds no network that this program saved"):
        weights, said = load_tensors(path)
        kept = from_plain(FileHeader, said)
        settings, shape = read_settings(used_by_network(kept.settings)), shape_from(kept.shape)
        check_size(settings, shape, weights)
        with torch.device("meta"):  # without memory, until it is known that the weights fit
            network = Network(settings, shape)
        check_like(weights, network.state_dict())
        network.load_state_dict(weights, assign=True)
    return network.to(device()), kept.about


def check_size(settings: NetworkSettings, shape: Shape, weights: Mapping[str, Tensor]) -> None:
    """Refuse millions of layers or columns, which would take long to build, unless the weights are
    as large: a network has at least a tensor for each layer, and a byte for each column.
    """
    if settings.layers > len(weights):
        raise ValueError(f"layers={settings.layers}, in {len(weights)} tensors")
    if shape.width > sum(tensor.nbytes for tensor in weights.values()):
        raise ValueError(f"width={shape.width} is more than its weights are made for")


def check_precision(precision: str) -> None:
    check_choice("precision", precision, PRECISIONS)


@contextmanager
def computing(precision: str, on: torch.device) -> Iterator[None]:
    """Inside, torch multiplies matrices on a device in a precision; afterwards as before."""
    check_precision(precision)
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("medium" if precision == "medium" else "highest")
    try:
        # No cache: it would keep the weights of the first step of a fit.
        enabled = precision == "bfloat16"
        with torch.autocast(on.type, torch.bfloat16, enabled, cache_enabled=False):
            yield
    finally:
        torch.set_float32_matmul_precision(before)


def predict(network: Network, encodings: np.ndarray, precision: str = "medium") -> np.ndarray:
    """[n, width] -> [n, actions] float32. "medium" is as exact as "float32" to some 1e-6, and up to
    twice as fast; "bfloat16" is up to twice as fast again on wide networks, exact to some 2 %.
    (On graphics cards "medium" may round as much as "bfloat16" does.)
    """
    with torch.inference_mode(), computing(precision, network.device):
        rows = torch.from_numpy(np.ascontiguousarray(encodings, np.float32))
        parts = rows.split(network.first.chunk)
        return torch.cat([network(part.to(network.device)) for part in parts]).cpu().numpy()
