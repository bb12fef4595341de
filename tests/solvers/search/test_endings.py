"""Positions in which nothing is hidden: found, and valued as the solver and minimax do."""

import numpy as np
import pytest

from solvers.search.double_dummy import solve
from solvers.search.endings import best_endings, exact_values, open_rows
from spielgames import Batch
from spielgames.core.cards import count
from spielgames.snapszer.record import TALON


def positions(name: str, games: int) -> np.ndarray:
    """All positions of random games in which somebody is to move."""
    batch, random, found = Batch(name, games, seed=5), np.random.default_rng(5), []
    while batch.running():
        found.append(batch.states[batch.actors() >= 0].copy())
        mask = batch.legal_mask()
        batch.step((mask * random.random(mask.shape)).argmax(axis=1))
    return np.concatenate(found)


@pytest.mark.parametrize("name", ["python_snapszer", "python_snapszer(rules=schnapsen)"])
def test_snapszer_is_open_once_the_talon_is_gone(name):
    states = positions(name, 50)
    talon = np.array([count(hand) for hand in states["hands"][:, TALON]])
    assert (open_rows(states) == (talon == 0)).all()
    assert 0 < open_rows(states).mean() < 1


def test_with_four_players_only_the_end_of_the_last_trick_is_open():
    states = positions("python_coinche", 20)
    held = np.array([[count(hand) > 0 for hand in row] for row in states["hands"]]).sum(axis=1)
    assert (open_rows(states) == (held <= 2)).all()


def test_values_are_those_of_the_solver():
    states = positions("python_snapszer", 40)
    states = states[open_rows(states)]
    game = Batch("python_snapszer", 1).game
    values = solve(states, game)
    assert (exact_values(game, states) == np.nanmax(values, axis=1)).all()
    best = best_endings(game, states)
    assert np.allclose(best.sum(axis=1), 1)
    assert (
        np.nan_to_num(values)[best > 0] == np.repeat(np.nanmax(values, 1), (best > 0).sum(1))
    ).all()
