"""A network that treats all suits alike: what it learns of one, it knows of all.

Of each suit there is a row: which of its cards are in which of the encoding's sets, and the flags
that the suit itself has (is it trump, who has none of it). The same layers work on all rows, and in
each of them every row hears the mean of all. Where all suits but trumps are alike, this leaves a
sixth of the functions to search; where they are not, a vector of its own tells a suit from others.

A card's score comes from the row of its suit; every row also gives a number for each action.
"""

from collections.abc import Sequence

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from solvers.networks.first_layer import FirstLayer
from solvers.networks.layout import Shape
from solvers.networks.settings import Size, SuitsSettings

APART = 0.1  # how much suits differ at first


def runs_of(columns: Sequence[int]) -> list[slice]:
    """Return ascending columns as runs of neighbours."""
    known = set(columns)
    starts = [c for c in columns if c - 1 not in known]
    stops = [c + 1 for c in columns if c + 1 not in known]
    return [slice(start, stop) for start, stop in zip(starts, stops, strict=True)]


def pick(encodings: Tensor, runs: Sequence[slice]) -> Tensor:
    """Return some columns: a run at a time is several times as fast as one by one."""
    return torch.cat([encodings[:, run] for run in runs], dim=1)


class Mix(nn.Module):
    """A layer for every row, to which the mean of all rows is added."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.own, self.common = nn.Linear(width, width), nn.Linear(width, width, bias=False)

    def forward(self, rows: Tensor) -> Tensor:
        """[n, suits, width] -> [n, suits, width]"""
        return torch.relu(self.own(rows) + self.common(rows.mean(dim=1, keepdim=True)) + rows)


class Suits(FirstLayer):
    """All of a network but its last layer."""

    chunk = 1024
    columns: Tensor

    def __init__(self, settings: SuitsSettings, shape: Shape) -> None:
        super().__init__()
        if not shape.sets:
            raise ValueError("a suit-network needs encodings with a flag for each card; take 'mlp'")
        self.shape, self.suits = shape, shape.cards // shape.ranks
        columns = np.array([self._columns(suit) for suit in range(self.suits)])
        rest = sorted(set(range(shape.width)) - set(columns.flatten().tolist()))
        self.register_buffer("columns", torch.from_numpy(columns), persistent=False)
        self.rest = runs_of(rest)
        self.row = nn.Linear(columns.shape[1], settings.hidden)
        self.others = nn.Linear(len(rest), settings.hidden)
        self.suit = nn.Parameter(APART * torch.randn(self.suits, settings.hidden))
        self.mixes = nn.ModuleList(Mix(settings.hidden) for _ in range(settings.layers - 1))

    def _columns(self, suit: int) -> list[int]:
        ranks = range(self.shape.ranks * suit, self.shape.ranks * (suit + 1))
        cards = [start + card for start in self.shape.sets for card in ranks]
        return cards + [start + suit for start in self.shape.suited]

    @staticmethod
    def sizes(settings: Size, shape: Shape) -> tuple[int, int]:
        """No hidden layers follow; the last one says of a suit a number for each action, and a
        score for each of its cards, if actions are cards.
        """
        return 0, shape.actions + (shape.ranks if shape.actions >= shape.cards else 0)

    def order(self, encodings: Tensor) -> None:
        """All rows at once."""

    def look(self, encodings: Tensor) -> tuple[Tensor, None]:
        """[n, width] -> [n, suits, hidden]"""
        rows = encodings.index_select(1, self.columns.flatten())
        rows = self.row(rows.unflatten(1, self.columns.shape))
        common = self.others(pick(encodings, self.rest))[:, None] + self.suit
        x = torch.relu(rows + common.to(rows.dtype))
        for mix in self.mixes:
            x = mix(x)
        return x, None

    def answer(self, last: Tensor, seen: None) -> Tensor:
        """[n, suits, …] -> [n, actions]"""
        said, scores = last.tensor_split([self.shape.actions], dim=2)
        outputs, scores = said.sum(dim=1), scores.flatten(1)
        return outputs + functional.pad(scores, (0, outputs.shape[1] - scores.shape[1]))

    def whole(self, rows: Tensor) -> Tensor:
        """[n, suits, hidden] -> [n, hidden]"""
        return rows.mean(dim=1)
