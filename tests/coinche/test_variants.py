"""Coinche's variants: their bids and values, whole deals, and what is refused."""

import numpy as np
import pytest

from spielgames.coinche import game
from spielgames.coinche.game import COINCHE
from spielgames.core.batch import Batch
from spielgames.core.registry import find
from spielgames.testing.positions import random_actions
from tests.coinche.table import SMALL, Table


@pytest.mark.parametrize(
    ("params", "names"),
    [
        ("levels=2,capot=false", "80♣ 80♦ 80♥ 80♠ 90♣ 90♦ 90♥ 90♠"),
        ("suits=2,levels=1", "50♥ 50♠ capot♥ capot♠"),  # 102 points
        ("suits=1,ranks=4", "20♠ 30♠ 40♠ capot♠"),  # J Q K A and the last trick: 48
        ("suits=4,ranks=2,capot=false,levels=1", "30♣ 30♦ 30♥ 30♠"),  # 70 points
    ],
)
def test_bids_of_variants(params, names):
    table = Table(**dict(pair.split("=") for pair in params.split(",")))
    assert [COINCHE.action_name(table.s, a) for a in sorted(table.legal - {0})] == names.split()


def test_values_of_a_small_deck():
    """Two suits of J Q K A: 38 + 20 + 10 = 68 points; failing costs the highest bid."""
    fields = find("python_coinche(suits=2,ranks=4)")[1].fields
    assert fields["lowest"] == 30 and fields["penalty"] == 60
    assert fields["capot"] == 100 and fields["sweep"] == 40  # 250 and 90 times 68/162
    full = find("python_coinche")[1].fields
    assert [full[k] for k in ("lowest", "penalty", "capot", "sweep")] == [80, 160, 250, 90]


@pytest.mark.parametrize("params", ["", *SMALL])
def test_every_variant_ends_and_keeps_its_cards(params):
    batch = Batch(f"python_coinche({params})", games=200, seed=3)
    variant = batch.variant
    deck, rng = variant.fields["deck"], np.random.default_rng(2)
    sizes = {**COINCHE.parameters, **params_of(params)}
    total = game.total_points(sizes["suits"], sizes["ranks"])
    longest = 0
    while batch.running():
        batch.step(random_actions(batch, rng))
        longest += 1
        for places in (batch.states["dealt"], batch.states["hands"] | batch.states["played"]):
            assert (np.bitwise_or.reduce(places, 1) == deck).all()
            assert (np.bitwise_count(places).sum(1) == deck.bit_count()).all()
    assert longest <= variant.max_moves
    out, played = batch.returns(), batch.states["playing"] == 1
    assert out.min() >= variant.min_utility and out.max() <= variant.max_utility
    assert variant.zero_sum == ("reward" not in params)
    assert not variant.zero_sum or (out.sum(1) == 0).all()
    assert (batch.states["points"].sum(1) == np.where(played, total, 0)).all()
    assert (batch.states["hands"][played] == 0).all()


def params_of(params):
    pairs = [pair.split("=") for pair in params.split(",") if pair]
    return {k: int(v) for k, v in pairs if k in ("suits", "ranks")}


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("suits=5", "suits=5 is not allowed; it ranges from 1 to 4"),
        ("suits=0", "suits=0 is not allowed; it ranges from 1 to 4"),
        ("ranks=9", "ranks=9 is not allowed; it ranges from 2 to 8"),
        ("ranks=1", "ranks=1 is not allowed; it ranges from 2 to 8"),
        ("suits=3,ranks=3", "suits times ranks must be a multiple of 4"),
        ("levels=10", "levels=10 is not allowed; it ranges from 0 to 9"),
        ("suits=1,ranks=4,levels=4", "levels=4 is not allowed; it ranges from 0 to 3"),
        ("penalty=-2", "penalty=-2 is not allowed; it ranges from -1 to 1000"),
        ("penalty=1001", "penalty=1001 is not allowed; it ranges from -1 to 1000"),
        ("reward=fair", "reward=fair is not allowed; it is one of mirror, classic, no_defense"),
        ("belote=3", "belote=3 is not allowed; it is true or false"),
        ("undertrump=3", "undertrump=3 is not allowed; it is true or false"),
        ("capot=3", "capot=3 is not allowed; it is true or false"),
        ("doubling=3", "doubling=3 is not allowed; it is true or false"),
        ("trump=hearts", "has no parameter 'trump'; it has suits, ranks, reward"),
    ],
)
def test_bad_parameters(params, message):
    with pytest.raises(ValueError, match=message):
        Batch(f"python_coinche({params})", games=1)
