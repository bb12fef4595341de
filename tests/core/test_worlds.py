"""Worlds are uniform over all pasts that a seat can't tell apart, and look the same to it."""

import pytest

from spielgames.core.batch import Batch
from spielgames.testing.positions import root
from spielgames.testing.worlds import (
    check_no_world_is_rejected,
    check_worlds_are_uniform,
    check_worlds_look_the_same,
)
from tests.variants import COUNTED, FULL, SMALL


@pytest.mark.parametrize("name", COUNTED)
def test_worlds_are_uniform_over_all_consistent_pasts(name):
    check_worlds_are_uniform(name, least=3)


@pytest.mark.parametrize("name", FULL + SMALL)
def test_a_world_looks_the_same_to_the_seat(name):
    check_worlds_look_the_same(name)


@pytest.mark.parametrize("name", [n for n in FULL + SMALL if "heuristic" not in n])
def test_no_world_is_ever_rejected(name):
    check_no_world_is_rejected(name)


def test_worlds_do_not_depend_on_threads_or_on_other_games():
    batch = Batch("python_hearts", 1500, seed=1)
    together = batch.worlds(count=2, seed=3).states
    first = Batch.of_states(batch.game, batch.variant, batch.states[:7].copy())
    assert (first.worlds(count=2, seed=3).states == together[:14]).all()


def test_a_game_being_dealt_has_no_worlds():
    game, variant, row = root("python_hokm")
    with pytest.raises(ValueError, match="still being dealt"):
        Batch.of_states(game, variant, row).worlds(0)
