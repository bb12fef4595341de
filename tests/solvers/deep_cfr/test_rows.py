import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from solvers.deep_cfr.rows import RowFormat, pack, put_targets, unpack

SMALL = RowFormat(width=3, numbers=(1,), actions=6, slots=2)


def sets_of(chosen):
    return np.array([sum(1 << a for a in actions) for actions in chosen], np.uint64)


@st.composite
def packable(draw):
    """A format, and what fits it: encodings, the legal actions of each, targets, weights."""
    width, actions = draw(st.integers(1, 70)), draw(st.integers(1, 64))
    numbers = draw(st.lists(st.integers(0, width - 1), unique=True, max_size=4))
    slots, n = draw(st.integers(1, actions)), draw(st.integers(0, 5))
    encodings = draw(hnp.arrays(np.float32, (n, width), elements=st.sampled_from([0.0, 1.0])))
    halves = st.floats(-60_000, 60_000, width=16)
    encodings[:, numbers] = draw(hnp.arrays(np.float32, (n, len(numbers)), elements=halves))
    choice = st.sets(st.integers(0, actions - 1), max_size=slots)
    chosen = draw(st.lists(choice, min_size=n, max_size=n))
    reals = st.floats(width=32, allow_nan=False)
    targets = draw(hnp.arrays(np.float32, (n, actions), elements=reals))
    return RowFormat(width, tuple(numbers), actions, slots), encodings, chosen, targets


@settings(deadline=None)
@given(packable())
def test_what_is_packed_comes_back(case):
    format, encodings, chosen, targets = case
    rows = pack(format, encodings, sets_of(chosen))
    put_targets(rows, targets)
    rows["iteration"] = np.arange(len(rows))
    out = format.samples(len(rows))
    for array in out:
        array.fill(np.nan)  # what was there before does not matter
    unpack(format, rows, out)
    assert np.array_equal(out.encodings, encodings)
    for i, actions in enumerate(chosen):
        assert set(np.flatnonzero(out.mask[i])) == actions
        for a in range(format.actions):
            assert out.targets[i, a] == (targets[i, a] if a in actions else 0)
    assert list(out.iterations) == list(range(len(rows)))


def test_many_rows_at_once_are_as_one_by_one():
    """From 1,000 rows on all cores work."""
    format, random = RowFormat(21, (4,), 64, 64), np.random.default_rng(5)
    encodings = random.integers(0, 2, (2000, 21)).astype(np.float32)
    legal = random.integers(0, 2**64, 2000, np.uint64)
    targets = random.random((2000, 64), np.float32)
    rows = pack(format, encodings, legal)
    put_targets(rows, targets)
    out, one = format.samples(2000), format.samples(1)
    unpack(format, rows, out)
    for i in range(0, 2000, 97):
        row = pack(format, encodings[i : i + 1], legal[i : i + 1])
        put_targets(row, targets[i : i + 1])
        assert row == rows[i]
        unpack(format, row, one)
        assert all((a[0] == b[i]).all() for a, b in zip(one, out, strict=True))


def test_the_layout():
    """First the set, then flags from the lowest bit on (none for a number), numbers, targets, …"""
    rows = pack(SMALL, np.array([[1, 1, 1]], np.float32), sets_of([{1, 5}]))
    put_targets(rows, np.array([[9, -2, 9, 9, 9, 4]], np.float32))
    rows["iteration"] = 3
    parts = (np.uint64(0b100010), np.uint8(0b101), np.float16(1))
    floats = np.array([-2, 4], np.float32)
    assert rows.tobytes() == b"".join(part.tobytes() for part in parts) + floats.tobytes() + b"\3\0"


def test_a_row_of_hearts_is_small():
    assert RowFormat(width=540, numbers=(), actions=52, slots=13).dtype.itemsize == 130


@pytest.mark.parametrize("chosen", [{0, 1, 2}, {6}, {63}])
def test_a_set_that_does_not_fit_is_refused(chosen):
    encodings = np.zeros((2, 3), np.float32)
    with pytest.raises(ValueError, match=f"row 1 has {len(chosen)} legal .* 2 slots, .* 0 to 5"):
        pack(SMALL, encodings, sets_of([{0}, chosen]))
    rows = pack(SMALL, encodings, sets_of([{0}, {1}]))
    rows["legal"] = sets_of([{0}, chosen])
    with pytest.raises(ValueError, match="row 1 has"):
        put_targets(rows, np.zeros((2, 6), np.float32))
    with pytest.raises(ValueError, match="row 1 has"):
        unpack(SMALL, rows, SMALL.samples(2))


@pytest.mark.parametrize("encoding", [[0.5, 0, 0], [0, 0, 2], [0, 0, np.nan], [0, 7e4, 0]])
def test_an_encoding_that_does_not_fit_is_refused(encoding):
    with pytest.raises(ValueError, match="a (flag|number) of an encoding"):
        pack(SMALL, np.array([encoding], np.float32), sets_of([{0}]))


def test_wrong_shapes_and_formats_are_refused():
    rows = pack(SMALL, np.zeros((2, 3), np.float32), sets_of([{0}, {1}]))
    with pytest.raises(ValueError, match=r"encodings must have the shape \(2, 3\), not \(2, 4\)"):
        pack(SMALL, np.zeros((2, 4), np.float32), sets_of([{0}, {1}]))
    with pytest.raises(ValueError, match=r"out.encodings must have the shape \(2, 3\)"):
        unpack(SMALL, rows, SMALL.samples(3))
    with pytest.raises(ValueError, match="another format"):
        unpack(RowFormat(4, (1,), 6, 3), rows, SMALL.samples(2))
    with pytest.raises(ValueError, match="columns 0 to 2"):
        RowFormat(3, (3,), 6, 2)
    with pytest.raises(ValueError, match="7 slots"):
        RowFormat(3, (), 6, 7)
