"""Sheephead's variants: how decks are shared out, whole deals, what is refused."""

import numpy as np
import pytest

from spielgames.core.batch import Batch
from spielgames.core.cards import count
from spielgames.core.record import TERMINAL
from spielgames.core.registry import find
from spielgames.sheephead.cards import ACES
from tests.sheephead.table import NAME, SMALL, VARIANTS, Table, cards, random_play


@pytest.mark.parametrize(
    ("params", "hand", "blind", "deck"),
    [
        ("", 6, 2, 32),
        ("ranks=7", 5, 3, 28),
        ("ranks=6", 4, 4, 24),
        ("ranks=5", 3, 5, 20),
        ("ranks=4", 3, 1, 16),
        ("ranks=3", 2, 2, 12),
        ("ranks=2", 1, 3, 8),
        ("suits=3,ranks=2", 1, 1, 6),
        ("suits=2", 3, 1, 16),
        ("ranks=3,hand=1", 1, 7, 12),
        ("ranks=3,blind=7", 1, 7, 12),
        ("hand=6,blind=2", 6, 2, 32),
    ],
)
def test_variants_share_out_their_deck(params, hand, blind, deck):
    batch = Batch(f"{NAME}({params})" if params else NAME, games=3, seed=1)
    s = batch.states[0]
    assert [count(s.dealt[p]) for p in range(8)] == [hand] * 5 + [blind, 0, 0]
    assert count(s.deck) == deck
    assert s.deck & ACES == batch.variant.fields["deck"] & ACES


def test_a_small_deck_has_the_highest_ranks():
    assert find(SMALL)[1].fields["deck"] == cards("QC KC AC QD KD AD QH KH AH QS KS AS")
    assert find(NAME + "(suits=3,ranks=2)")[1].fields["deck"] == cards("KD AD KH AH KS AS")


@pytest.mark.parametrize("name", VARIANTS)
def test_random_deals_conserve_cards_points_and_cents(name):
    variant = find(name)[1]
    longest = 0
    for batch in random_play(name, 300, seed=5):
        states = batch.states
        places = np.concatenate([states["hands"], states["played"]], axis=1)
        assert (np.bitwise_or.reduce(places, axis=1) == states["deck"]).all()
        assert (np.bitwise_count(places).sum(1) == np.bitwise_count(states["deck"])).all()
        assert ((batch.legal_sets() != 0) == (batch.actors() >= 0)).all()
        longest = max(longest, int(states["length"].max()))
    assert longest <= variant.max_moves
    returns = batch.returns()
    assert np.abs(returns.sum(1)).max() == 0
    assert returns.min() >= variant.min_utility
    assert returns.max() <= variant.max_utility
    assert (returns != 0).all()
    taken = np.bitwise_or.reduce(states["taken"], axis=1)
    hidden = np.bitwise_or.reduce(states["hands"], axis=1)
    assert (taken ^ hidden == states["deck"]).all()


def test_the_longest_deal_and_the_utility_bounds_are_reached():
    variant = find(NAME)[1]
    table = Table("", "", "", "", "QC AC AS JC JD JH", "8D 9D")
    table.play("pass pass pass pass pick 8D 9D unknown:AH AC")
    while table.s.turn != TERMINAL:
        table.play_lowest(1)
    assert table.s.length == variant.max_moves == 39
    assert len(table.s.events) == 39
    assert (variant.min_utility, variant.max_utility) == (-120, 100)
    doubled = find(NAME + "(doubled=true)")[1]
    assert (doubled.min_utility, doubled.max_utility) == (-240, 200)


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ("suits=1", "suits=1 is not allowed; it ranges from 2 to 4"),
        ("ranks=9", "ranks=9 is not allowed; it ranges from 2 to 8"),
        (
            "suits=2,ranks=2",
            "do not share out 4 cards among five seats; choose more suits or ranks",
        ),
        ("hand=5,blind=2", "hand=5 and blind=2 do not share out 32 cards.*hand=6 with blind=2"),
        ("hand=0", "hand=0 and blind=-1 do not share out 32 cards"),
        ("hand=7", "hand=7 is not allowed; it ranges from -1 to 6"),
        ("blind=0,ranks=5", "blind=0 do not share out 20 cards.*hand=3 with blind=5"),
        (
            "ranks=3,blind=3",
            "do not share out 12 cards.*hand=2 with blind=2 or hand=1 with blind=7",
        ),
        ("duties=3", "duties=3 is not allowed; it is true or false"),
        ("doubled=yes", "doubled=yes is not allowed; it is true or false"),
        ("joker=true", "no parameter 'joker'; it has suits, ranks, hand, blind, duties, doubled"),
    ],
)
def test_bad_parameters_are_explained(params, message):
    with pytest.raises(ValueError, match=message):
        find(f"{NAME}({params})")
