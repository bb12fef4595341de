"""Small variants walked exhaustively: compiled loops and the OpenSpiel face agree everywhere."""

import json
from pathlib import Path

import pytest

from spielgames.core.walk import perft
from spielgames.testing.faces import walk_both
from spielgames.testing.histories import check_bounds, check_chance_adds_up
from spielgames.testing.positions import dealt, root
from tests.variants import SMALL, WALKED

PERFT = json.loads((Path(__file__).parents[1] / "perft.json").read_text())
PERFT_DEALS, PERFT_SEED = 3, 11
LARGE = "python_sheephead(suits=3,ranks=2)"  # of five seats: each history has ten tensors


@pytest.mark.parametrize(
    "name",
    [name if name != LARGE else pytest.param(name, marks=pytest.mark.slow) for name in WALKED],
)
def test_compiled_and_openspiel_agree_on_every_history(name):
    assert walk_both(name, root(name)[2]) > 100


@pytest.mark.parametrize(("name", "deals"), [*((name, 1) for name in SMALL), (LARGE, 40)])
def test_compiled_and_openspiel_agree_below_deals(name, deals):
    assert walk_both(name, dealt(name, deals, seed=4)) > 10


@pytest.mark.parametrize("name", sorted(PERFT))
def test_number_of_histories_of_each_length(name):
    assert perft(dealt(name, PERFT_DEALS, PERFT_SEED)) == PERFT[name]


@pytest.mark.parametrize("name", WALKED)
def test_chance_adds_up_at_every_length(name):
    check_chance_adds_up(name)


@pytest.mark.parametrize("name", SMALL)
def test_bounds_of_length_and_utility_hold(name):
    check_bounds(name)
