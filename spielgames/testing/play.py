"""What holds in every deal, tried on random play."""

import numpy as np

from spielgames.core.batch import Batch
from spielgames.testing.positions import after

SEED, STEPS = 1, 5


def check_cards_are_conserved(name: str, seed: int = SEED, steps: int = STEPS) -> None:
    """At every moment the hands, the piles and the cards played are the deck, each card once."""
    states = after(name, seed, steps).states
    places = np.concatenate([states["hands"], states["played"]], axis=1)
    assert (np.bitwise_or.reduce(places, axis=1) == states["deck"]).all()
    assert (np.bitwise_count(places).sum(1) == np.bitwise_count(states["deck"])).all()


def check_utilities(name: str, seed: int = SEED) -> None:
    """Utilities stay within their bounds, sum to zero where they must, and are a team's own."""
    batch = Batch(name, 50, seed)
    utilities = batch.playouts(seed)
    assert (utilities >= batch.variant.min_utility).all()
    assert (utilities <= batch.variant.max_utility).all()
    if batch.variant.zero_sum:
        np.testing.assert_allclose(utilities.sum(1), 0.0, atol=1e-9)
    for team in set(batch.game.teams):
        seats = [seat for seat, t in enumerate(batch.game.teams) if t == team]
        assert (utilities[:, seats] == utilities[:, seats[:1]]).all()


def check_views_hide_unseen_cards(name: str, seed: int = SEED, steps: int = STEPS) -> None:
    """A view does not change when the cards that a seat has not seen are dealt anew."""
    batch = after(name, seed, steps)
    for seat in range(batch.game.players):
        world = batch.worlds(seat, 1, seed)
        np.testing.assert_array_equal(world.observe(seat), batch.observe(seat))
        np.testing.assert_array_equal(world.infostate(seat), batch.infostate(seat))


def check_only_the_mover_has_actions(name: str, seed: int = SEED, steps: int = 7) -> None:
    batch = after(name, seed, steps)
    deciding = batch.actors() >= 0
    assert (batch.legal_sets()[deciding] > 0).all()
    assert (batch.legal_sets()[~deciding] == 0).all()
    assert (batch.legal_sets() >> np.uint64(batch.game.actions) == 0).all()
