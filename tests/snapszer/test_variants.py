"""Snapszer's variants: how they scale, whole deals, and what is refused."""

import itertools

import numpy as np
import pytest

from spielgames.core.batch import Batch
from spielgames.core.cards import members
from spielgames.core.record import NOBODY, TERMINAL
from spielgames.core.registry import find
from spielgames.snapszer.record import (
    CLOSE,
    EVENTS,
    EXCHANGE,
    JACK,
    NO_CARD,
    POINTS,
    RANKS,
    TALON,
    UPCARD,
)
from spielgames.snapszer.record import SCHNAPSEN as STRICT
from tests.snapszer.table import SCHNAPSEN, Table, cards, play_randomly, reset_all

VARIANTS = (
    "python_snapszer",
    SCHNAPSEN,
    "python_snapszer(suits=2,hand=3)",
    "python_snapszer(suits=3,ranks=4,hand=2)",
    "python_snapszer(suits=3,ranks=4,hand=2,rules=schnapsen)",
    "python_snapszer(suits=2,ranks=3,hand=2)",
    "python_snapszer(suits=2,ranks=4,hand=1)",
    "python_snapszer(suits=2,ranks=4,hand=4)",
    "python_snapszer(hand=2)",
)


@pytest.mark.parametrize(
    ("name", "deck", "target", "half", "marriage", "rooms"),
    [
        ("python_snapszer", 20, 66, 33, 20, [5, 5, 9, 1]),
        ("python_snapszer(suits=2,hand=3)", 10, 33, 17, 10, [3, 3, 3, 1]),
        ("python_snapszer(suits=2,ranks=3,hand=2)", 6, 20, 10, 6, [2, 2, 1, 1]),
        ("python_snapszer(suits=3,ranks=4,hand=3)", 12, 33, 17, 10, [3, 3, 5, 1]),
        ("python_snapszer(suits=2,ranks=2,hand=2)", 4, 16, 8, 5, [2, 2, 0, 0]),
    ],
)
def test_small_variants_scale(name, deck, target, half, marriage, rooms):
    table = Table(name)
    reset_all(table.states)
    s = table.s
    assert len(members(s.deck)) == deck and s.room.tolist() == rooms
    assert [s.target, s.half, s.marriage] == [target, half, marriage]


def test_small_decks_keep_ids_and_the_highest_natural_ranks():
    deck = members(Table("python_snapszer(suits=2,ranks=3,hand=2)").s.deck)
    assert deck == sorted(cards("Q♥ K♥ A♥ Q♠ K♠ A♠"))
    deck = members(Table("python_snapszer(suits=2,ranks=4,hand=2)").s.deck)
    assert deck == sorted(cards("J♥ Q♥ K♥ A♥ J♠ Q♠ K♠ A♠"))


def test_events_of_the_longest_deal_fit_into_the_record():
    lengths = []
    for suits, ranks, hand in itertools.product(range(2, 5), range(2, 6), range(1, 11)):
        if suits * ranks % 2 == 0 and 2 * hand <= suits * ranks:
            for style in ("snapszer", "schnapsen"):
                size = f"suits={suits},ranks={ranks},hand={hand}"
                variant = find(f"python_snapszer({size},rules={style},match=true)")[1]
                lengths.append(variant.max_moves + variant.max_draws)
    assert max(lengths) == EVENTS


def test_small_variant_by_hand():
    table = Table("python_snapszer(suits=2,ranks=3,hand=2)").deal("Q♥ A♥", "K♥ Q♠", "A♠")
    assert table.names() == {"Q♥", "A♥"}
    table.play("A♥ K♥ +K♠")  # 15 of 20; seat 1 gets the upcard
    assert table.hand(1) == set(cards("Q♠ A♠")) and table.hand(0) == set(cards("Q♥ K♠"))
    table.play("Q♥ Q♠")
    assert table.s.turn == 1 and table.s.points.tolist() == [15, 6]
    assert table.play("A♠ K♠").utilities() == [-1, 1]  # 21 to 15, of which half is 10


def test_without_talon_there_is_no_trump():
    table = Table("python_snapszer(suits=2,ranks=2,hand=2)").deal("K♥ A♠", "A♥ K♠", "")
    assert table.s.public == 0 and table.names() == {"K♥", "A♠"}
    assert table.play("K♥").names() == {"A♥"}
    assert table.play("A♥ K♠ A♠").utilities() == [1, -1]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_card_is_in_one_place_and_points_add_up(name):
    batch = Batch(name, games=300, seed=5)
    states = batch.states
    worth = POINTS.astype(np.uint64)

    def check():
        places = np.concatenate([states["hands"], states["played"]], axis=1)
        assert (np.bitwise_or.reduce(places, 1) == states["deck"]).all()
        assert (np.bitwise_count(places).sum(1) == np.bitwise_count(states["deck"])).all()
        bits = states["taken"][..., None] >> np.arange(20, dtype=np.uint64) & np.uint64(1)
        suits = states["married"][..., None] >> np.arange(4) & 1
        is_trump = np.arange(4) == states["trump"][:, None, None]
        marriages = (suits * (1 + is_trump)).sum(-1) * states["marriage"][:, None]
        won = states["points"] + states["pending"]
        assert (won == (bits * worth).sum(-1) + marriages).all()
        for seat in range(2):
            known = states["dealt"][:, seat] | states["gained"][:, seat] | states["public"]
            assert (states["hands"][:, seat] & ~known == 0).all()
        assert (states["hands"][:, UPCARD] & ~states["public"] == 0).all()
        running = batch.actors() != TERMINAL
        assert (batch.legal_sets()[running] != 0).all()

    for _ in play_randomly(batch, seed=1):
        check()
    check()
    out = batch.returns()
    assert (out.sum(1) == 0).all() and set(np.abs(out[:, 0])) <= {1, 2, 3}
    assert (states["length"] <= batch.variant.max_moves + batch.variant.max_draws).all()


@pytest.mark.parametrize("name", VARIANTS)
def test_a_leader_may_close_four_cards_and_exchange_for_one_of_two(name):
    """Talon and upcard are even at every lead, as decks are, whatever the variant."""
    batch = Batch(name, games=300, seed=5)
    for _ in play_randomly(batch, seed=2, close=0.1):
        s, legal = batch.states, batch.legal_mask()
        talon = np.bitwise_count(s["hands"][:, [TALON, UPCARD]]).sum(1)
        leads = (batch.actors() >= 0) & (s["led"] == NO_CARD)
        assert (talon[leads] % 2 == 0).all()
        is_open = leads & (s["couple"] == 0) & (s["closer"] == NOBODY)
        assert (legal[:, CLOSE] == is_open & (talon >= 4)).all()
        jack = np.uint64(1) << (RANKS * s["trump"] + JACK).astype(np.uint64)
        has_jack = s["hands"][np.arange(300), np.maximum(batch.actors(), 0)] & jack > 0
        may_exchange = is_open & (talon >= 2) & has_jack & (s["rules"] == STRICT)
        assert (legal[:, EXCHANGE] == may_exchange).all()


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ("suits=1", "2 to 4"),
        ("suits=5", "2 to 4"),
        ("ranks=1", "2 to 5"),
        ("ranks=6", "2 to 5"),
        ("hand=0", "1 to 10"),
        ("hand=11", "1 to 10"),
        ("suits=2,ranks=3", "1 to 3"),
        ("suits=3", "even"),
        ("rules=skat", "snapszer, schnapsen"),
        ("talon=4", "rules, suits, ranks, hand"),
    ],
)
def test_bad_parameters(params, says):
    with pytest.raises(ValueError, match=says):
        find(f"python_snapszer({params})")
