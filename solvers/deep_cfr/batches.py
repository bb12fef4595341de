"""Random batches of samples to fit a network to."""

import math
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from solvers.deep_cfr.rows import RowFormat, Samples, unpack
from spielgames.core import luck
from spielgames.core.cache import compiled
from spielgames.core.cards import inlined

FIRST_DRAW = 16_384  # rows from which the sizes of targets and weights are estimated


class SampleSource(Protocol):
    def __len__(self) -> int: ...
    def draw(self, n: int, random: np.random.Generator) -> np.ndarray: ...


class Minibatch(NamedTuple):
    encodings: Tensor  # [distinct, width]
    places: Tensor | None  # [n] which encoding each row has; None: all have their own
    targets: Tensor  # [n, actions] divided by their scale
    mask: Tensor  # [n, actions] 1 where there is a target
    weights: Tensor  # [n] around 1/n


class Minibatches:
    """Random minibatches, all in the same memory: each one overwrites the last."""

    def __init__(
        self,
        source: SampleSource,
        format: RowFormat,
        size: int,
        power: int,
        normalised: bool,
        random: np.random.Generator,
    ) -> None:
        """Weights grow with a power of the iteration; targets are `normalised` to size 1."""
        self._source, self._format, self._power, self._random = source, format, power, random
        first = format.samples(FIRST_DRAW)
        unpack(format, source.draw(FIRST_DRAW, random), first)
        self.scale = root_mean_square(first) if normalised else 1.0
        # So that clipping and the rate of learning mean the same whatever the weights are.
        self._sum = size * (self._weights(first).mean() or 1.0)
        self._room = format.samples(size)

    def next(self) -> Minibatch:
        room = self._room
        rows = self._source.draw(len(room.iterations), self._random)
        unpack(self._format, rows, room)
        np.divide(room.targets, self.scale, out=room.targets)
        encodings, places = torch.from_numpy(room.encodings), None
        first, numbers = distinct(encoding_bytes(self._format, rows))
        if len(first) < len(rows):
            encodings, places = torch.from_numpy(room.encodings[first]), torch.from_numpy(numbers)
        arrays = room.targets, room.mask, self._weights(room) / self._sum
        return Minibatch(encodings, places, *map(torch.from_numpy, arrays))

    def _weights(self, samples: Samples) -> np.ndarray:
        return samples.iterations**self._power


def encoding_bytes(format: RowFormat, rows: np.ndarray) -> np.ndarray:
    """Return the encodings of rows as bytes, which are equal where these are. `[n, bytes]`"""
    fields = format.dtype.fields
    assert fields is not None  # rows are records
    start, end = (fields[name][1] for name in ("flags", "targets"))
    return np.ascontiguousarray(rows).view(np.uint8).reshape(len(rows), -1)[:, start:end]


def distinct(keys: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the first row of each distinct key, and for each row the number of its key. In a small
    game a batch holds the same positions again and again; the network need see each only once.

    Padded to a multiple of 64: each new size of matrices costs time.
    """
    n = len(keys)
    table = np.full(1 << (2 * n).bit_length(), -1, np.int32)
    first, places = np.zeros(n, np.int64), np.empty(n, np.int64)
    count = number_distinct(keys, table, first, places)
    return first[: min(n, -(-count // 64) * 64)], places


@compiled
def number_distinct(
    keys: np.ndarray, table: np.ndarray, first: np.ndarray, places: np.ndarray
) -> int:
    """Number the distinct keys in order, by a hash table with open addressing; return the count."""
    count, last = 0, len(table) - 1
    for i in range(len(keys)):
        h = luck.GAMMA
        for byte in keys[i]:
            h = (h ^ np.uint64(byte)) * luck.GAMMA
        slot = np.int64(luck.mix(h) & np.uint64(last))
        while table[slot] >= 0 and not equal(keys[first[table[slot]]], keys[i]):
            slot = slot + 1 & last
        if table[slot] < 0:
            table[slot], first[count] = count, i
            count += 1
        places[i] = table[slot]
    return count


@inlined
def equal(one: np.ndarray, other: np.ndarray) -> bool:
    for k in range(len(one)):  # noqa: SIM110
        if one[k] != other[k]:
            return False
    return True


def root_mean_square(samples: Samples) -> float:
    """Return the root mean square of all targets; 1 if they are all 0."""
    total = float((samples.mask * samples.targets**2).sum() / max(samples.mask.sum(), 1.0))
    return math.sqrt(total) or 1.0
