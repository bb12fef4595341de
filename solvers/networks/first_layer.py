"""The part of a network that reads encodings; `Network` adds hidden layers and an output layer."""

from typing import Any

import torch
from torch import Tensor, nn

from solvers.networks.layout import Shape
from solvers.networks.settings import Size


class FirstLayer(nn.Module):
    """A layer that hidden layers follow, unless a subclass does more itself."""

    chunk: int  # rows to predict at once, so that all that becomes of them stays in the cache
    rows: int  # rows at a time, if `order` gives one

    @staticmethod
    def sizes(settings: Size, shape: Shape) -> tuple[int, int]:
        """Return how many hidden layers follow, and how many numbers the last layer gives."""
        return settings.layers - 1, shape.actions

    def width(self, settings: Size) -> int:
        """Return how many features a row has in the end."""
        return settings.hidden

    def order(self, encodings: Tensor) -> Tensor | None:
        """Return the order in which to look at rows, `rows` at a time; None: all at once."""
        return None

    def look(self, encodings: Tensor) -> tuple[Tensor, Any]:
        """[n, width] -> [n, hidden], and what `answer` needs besides."""
        return torch.relu(self(encodings)), None

    def whole(self, x: Tensor) -> Tensor:
        """Turn the input of the last layer into [n, hidden]."""
        return x

    def answer(self, last: Tensor, seen: Any) -> Tensor:
        """Turn the output of the last layer into a number for each action."""
        return last
