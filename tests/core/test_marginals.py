"""Marginals are the shares of all pasts that a seat can't tell apart, counted exactly."""

import numpy as np
import pytest

from spielgames.core.batch import Batch
from spielgames.core.marginals import find_marginals
from spielgames.testing.worlds import consistent_pasts, positions

LISTED = "python_sheephead(ranks=2)", "python_hokm(suits=2,ranks=4,preview=1)"
FULL = "python_sheephead"


def marginals(states, seats, game):
    out = np.empty((len(states), game.places, game.cards))
    find_marginals(states, np.asarray(seats), out)
    return out


def held(states, cards):
    """Where each card is. `[n, places, cards]`"""
    return (states["hands"][:, :, None] >> np.arange(cards, dtype=np.uint64) & 1).astype(bool)


@pytest.mark.parametrize("name", LISTED)
def test_marginals_are_the_shares_of_all_consistent_pasts(name):
    game = Batch(name, 1).game
    for k, target in enumerate(np.split(positions(name, 8), 8)):
        seat = (int(target["turn"][0]) + k % 2) % game.players
        expected = held(consistent_pasts(name, target, seat), game.cards).mean(axis=0)
        found = marginals(target, [seat], game)[0]
        np.testing.assert_allclose(found, expected, atol=1e-12)


def test_marginals_are_tied_and_agree_with_sampled_worlds():
    """In the full game each card is somewhere, and each hand is as large as everybody sees."""
    states = positions(FULL, 30)
    game, seats = Batch(FULL, 1).game, np.arange(30) % 5
    found = marginals(states, seats, game)
    hidden = (states["deck"] & ~states["public"])[:, None] >> np.arange(32, dtype=np.uint64) & 1
    np.testing.assert_allclose(found.sum(axis=1), hidden, atol=1e-9)
    np.testing.assert_allclose(found.sum(axis=2), np.bitwise_count(states["hands"]), atol=1e-9)
    worlds = Batch.of_states(game, Batch(FULL, 1).variant, states).worlds(seats, 4000, seed=3)
    shares = held(worlds.states, 32).reshape(30, 4000, game.places, 32).mean(axis=1)
    assert np.abs(shares - found).max() < 5 * 0.5 / np.sqrt(4000)
