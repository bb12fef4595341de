"""The first layer of a plain network, which treats all columns alike."""

import torch
from torch import Tensor, nn

from solvers.networks.first_layer import FirstLayer
from solvers.networks.layout import Shape
from solvers.networks.settings import MlpSettings, Size

CHUNK = 2048


class FirstLinear(FirstLayer, nn.Linear):
    chunk = CHUNK

    def __init__(self, settings: MlpSettings, shape: Shape) -> None:
        super().__init__(seen_columns(settings, shape), settings.hidden)

    def look(self, encodings: Tensor) -> tuple[Tensor, None]:
        return torch.relu(self(encodings[:, : self.in_features])), None


class NoLayer(FirstLayer):
    """What a linear model has instead of layers."""

    chunk = CHUNK

    def __init__(self, settings: MlpSettings, shape: Shape) -> None:
        super().__init__()
        self.columns = seen_columns(settings, shape)

    def width(self, settings: Size) -> int:
        return self.columns

    def look(self, encodings: Tensor) -> tuple[Tensor, None]:
        return encodings[:, : self.columns], None


def plain_layer(settings: MlpSettings, shape: Shape) -> FirstLayer:
    return FirstLinear(settings, shape) if settings.layers else NoLayer(settings, shape)


def seen_columns(settings: MlpSettings, shape: Shape) -> int:
    if settings.columns > shape.width:
        raise ValueError(
            f"columns={settings.columns} is not allowed; the encoding has {shape.width}"
        )
    return settings.columns or shape.width
