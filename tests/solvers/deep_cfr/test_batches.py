"""Batches hold each position once, and every row finds its own."""

import numpy as np
import torch
from hypothesis import given
from hypothesis import strategies as st

from solvers.deep_cfr.batches import Minibatches, distinct
from solvers.deep_cfr.rows import RowFormat, pack, put_targets

FORMAT = RowFormat(width=11, numbers=(10,), actions=3, slots=3)


class Rows:
    """A source that gives its rows in order, again and again."""

    def __init__(self, positions):
        random = np.random.default_rng(1)
        kinds = (random.random((positions, FORMAT.width)) < 0.5).astype(np.float32)
        kinds[:, 10] = np.arange(positions) / 4  # even equal flags are different positions
        self.encodings = kinds[random.integers(positions, size=4096)]
        self.targets = random.normal(size=(4096, 3)).astype(np.float32)
        self.rows = pack(FORMAT, self.encodings, np.full(4096, 0b101, np.uint64))
        put_targets(self.rows, self.targets)
        self.rows["iteration"] = random.integers(1, 9, size=4096)

    def __len__(self):
        return len(self.rows)

    def draw(self, n, random):
        return self.rows[np.arange(n) % len(self.rows)]


def batch_of(source, n=256, power=0, normalised=False):
    return Minibatches(source, FORMAT, n, power, normalised, np.random.default_rng(1))


def test_repeated_positions_are_there_once():
    source = Rows(positions=10)
    batch = batch_of(source).next()
    assert batch.encodings.shape == (64, FORMAT.width)
    assert int(batch.places.max()) == 9
    np.testing.assert_array_equal(batch.encodings[batch.places], source.encodings[:256])


def test_positions_that_hardly_repeat_stay_as_they_are():
    source = Rows(positions=2000)
    batch = batch_of(source).next()
    assert batch.places is None
    np.testing.assert_array_equal(batch.encodings, source.encodings[:256])


def test_targets_are_divided_by_their_size():
    source = Rows(positions=10)
    batches = batch_of(source, normalised=True)
    legal = source.targets[:, [0, 2]]
    assert np.isclose(batches.scale, np.sqrt((legal**2).mean()), rtol=1e-5)
    batch = batches.next()
    np.testing.assert_allclose(batch.targets[:, [0, 2]], legal[:256] / batches.scale, rtol=1e-5)
    assert torch.equal(batch.mask, torch.tensor([1.0, 0.0, 1.0]).expand(256, 3))


def test_weights_are_powers_of_the_iteration_and_one_in_sum():
    source = Rows(positions=10)
    batch = batch_of(source, n=4096, power=2).next()
    expected = source.rows["iteration"].astype(float) ** 2
    np.testing.assert_allclose(batch.weights, expected / expected.sum(), rtol=1e-5)


@given(st.lists(st.binary(min_size=3, max_size=3), min_size=1, max_size=200))
def test_distinct_keys(keys):
    rows = np.frombuffer(b"".join(keys), np.uint8).reshape(-1, 3)
    first, places = distinct(rows)
    kinds = list(dict.fromkeys(keys))  # in the order in which they come
    assert [keys[i] for i in first[: len(kinds)]] == kinds
    assert [kinds[place] for place in places] == keys
    assert len(first) == min(len(keys), -(-len(kinds) // 64) * 64)
