"""What waits to be stored comes in the order of its depth, from memory and from disk."""

import numpy as np
import pytest

from solvers.deep_cfr import harvest
from solvers.deep_cfr.harvest import Spool
from solvers.deep_cfr.rows import RowFormat

DTYPE = RowFormat(width=5, numbers=(), actions=3, slots=2).dtype
PIECES = [(0, [1, 2]), (2, [3]), (1, []), (2, [4, 5, 6]), (1, [7]), (0, [8])]


@pytest.fixture(params=["in memory", "on disk"])
def place(request, monkeypatch):
    if request.param == "on disk":
        monkeypatch.setattr(harvest, "IN_MEMORY", 1)


def filled(folder, deepest_first):
    spool = Spool(DTYPE, folder, deepest_first)
    for depth, numbers in PIECES:
        rows = np.zeros(len(numbers), DTYPE)
        rows["iteration"] = numbers
        spool.add(depth, rows, np.array(numbers, np.int8) % 4)
    return spool


@pytest.mark.parametrize(
    ("deepest_first", "expected"),
    [(True, [[3], [4, 5, 6], [7], [1, 2], [8]]), (False, [[1, 2], [8], [7], [3], [4, 5, 6]])],
)
def test_pieces_come_depth_by_depth(tmp_path, place, deepest_first, expected):
    spool = filled(tmp_path, deepest_first)
    for _ in range(2):  # for each network that learns from them
        pieces = list(spool)
        assert [rows["iteration"].tolist() for rows, _ in pieces] == expected
        assert all((seats == rows["iteration"] % 4).all() for rows, seats in pieces)
    assert len(spool) == 8


def test_files_have_no_name(tmp_path, place):
    """Nothing is left behind by a process that is killed."""
    spool = filled(tmp_path, deepest_first=True)
    assert spool.file._rolled == (harvest.IN_MEMORY == 1)
    assert not list(tmp_path.iterdir())


def test_nothing_is_no_piece(tmp_path):
    assert list(Spool(DTYPE, tmp_path, deepest_first=True)) == []
