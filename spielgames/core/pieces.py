"""A tensor as a sum of named pieces, so that a reader can list what an encoding holds and where."""

import math
from dataclasses import dataclass

import numpy as np

from spielgames.core.cards import NONE, ONE, Cards, inlined, lowest


@dataclass(frozen=True)
class Pieces:
    """Names and shapes in tensor order: `Pieces({"hand": (52,), "voids": (3, 4)})`. All entries are
    flags, except in the pieces named `numbers`. Those named `suited` have a column for each suit.
    """

    shapes: dict[str, tuple[int, ...]]
    numbers: tuple[str, ...] = ()
    suited: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        return sum(math.prod(shape) for shape in self.shapes.values())

    def start(self, name: str) -> int:
        """The offset of a piece."""
        names = list(self.shapes)
        return sum(math.prod(self.shapes[n]) for n in names[: names.index(name)])

    def starts(self) -> tuple[int, ...]:
        """The offsets of all pieces, in order."""
        return tuple(self.start(name) for name in self.shapes)

    @property
    def number_columns(self) -> tuple[int, ...]:
        """The entries that are numbers, not flags."""
        spans = [(self.start(name), math.prod(self.shapes[name])) for name in self.numbers]
        return tuple(column for start, size in spans for column in range(start, start + size))

    def views(self, tensor: np.ndarray) -> dict[str, np.ndarray]:
        """Each piece as a view into a flat tensor."""
        return {
            name: tensor[self.start(name) : self.start(name) + math.prod(shape)].reshape(shape)
            for name, shape in self.shapes.items()
        }


@inlined
def put_set(out: np.ndarray, start: int, cards: Cards) -> None:
    """Set a flag for each card of a set; the card with id 0 is at `start`."""
    while cards != NONE:
        out[start + lowest(cards)] = 1
        cards &= cards - ONE


@inlined
def put_bits(out: np.ndarray, start: int, bits: int, n: int) -> None:
    """Write the lowest n bits of a small number as flags."""
    for i in range(n):
        out[start + i] = bits >> i & 1
