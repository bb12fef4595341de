"""Coinche's auction: what may be called, how it ends, and all auctions counted."""

import math

import numpy as np
import pytest

from spielgames.coinche import scores
from spielgames.coinche.game import COINCHE
from spielgames.core.batch import Batch
from spielgames.core.cards import members
from spielgames.core.record import TERMINAL
from spielgames.core.registry import find
from tests.coinche.table import SOLO, SPADES, Table

ALL_BIDS = set(range(1, 41))


@pytest.mark.parametrize("reward", scores.REWARDS)
def test_all_pass(reward):
    table = Table(reward=reward, belote=True).say("pass pass pass")
    assert table.turn == 3 and table.legal == {0} | ALL_BIDS
    table.say("pass")
    assert table.turn == TERMINAL and table.legal == set() and table.teams == [0, 0]


def test_first_call():
    assert Table().legal == {0} | ALL_BIDS


def test_a_bid_must_be_strictly_higher_in_value():
    table = Table().say("90♦")
    assert table.legal == {0, 41} | set(range(9, 41))  # 100 and more; no other 90
    table.say("capot♣")
    assert table.legal == {0, 41}
    with pytest.raises(ValueError, match=r"illegal.*allowed are pass \(0\), coinche \(41\)"):
        table.do(38)


def test_only_opponents_coinche_and_only_the_bidders_surcoinche():
    table = Table().say("pass 150♠")  # by seat 1
    assert 41 in table.legal
    assert table.say("pass").legal == {0} | set(range(33, 41))  # the partner
    assert table.say("pass").legal == {0, 41} | set(range(33, 41))
    assert table.say("coinche").legal == {0, 42}
    assert table.say("pass").legal == {0}  # the other defender
    assert table.say("pass").legal == {0, 42}
    assert table.say("surcoinche").s.playing and table.turn == 0
    assert table.s.doubled == 2 and table.s.bidder == 1 and table.s.trump == SPADES


def test_no_doubling():
    assert Table(doubling=False).say("80♣").legal == {0} | set(range(5, 41))


def test_a_coincher_may_attack():
    table = Table(coincher_attacks=True).say("pass 150♠ pass pass")  # by seat 1
    assert table.legal == {0, 41} | set(range(33, 41))
    assert table.say("coinche").s.bidder == 0 and table.s.contract == 32
    assert table.legal == {0, 42}  # seat 1, who bid
    assert table.say("pass").legal == {0}  # the coincher's partner
    assert table.say("pass").legal == {0, 42}  # the bidder's partner
    table.say("surcoinche")
    assert table.s.playing and table.s.bidder == 3 and table.s.doubled == 2


@pytest.mark.parametrize(
    ("auction", "bidder", "doubled", "contract"),
    [
        ("80♣ pass pass pass", 0, 0, 1),
        ("pass pass pass 80♥ pass pass pass", 3, 0, 3),
        ("80♣ pass pass 90♣ pass pass 100♠ pass pass pass", 2, 0, 12),
        ("80♣ coinche pass pass pass", 0, 1, 1),
        ("80♣ pass pass coinche pass pass pass", 0, 1, 1),
        ("80♣ pass pass coinche pass pass surcoinche", 0, 2, 1),
        ("80♣ 90♣ coinche surcoinche", 1, 2, 5),
        ("80♣ pass 90♥ coinche surcoinche", 2, 2, 7),
    ],
)
def test_how_an_auction_ends(auction, bidder, doubled, contract):
    """Seat 0 leads whoever attacks; the attackers are those of the last bid."""
    *before, last = auction.split()
    table = Table().say(" ".join(before))
    assert not table.s.playing
    table.say(last)
    assert table.s.playing and table.turn == 0 and table.s.calls == len(before) + 1
    assert (table.s.bidder, table.s.doubled, table.s.contract) == (bidder, doubled, contract)


def test_a_coinche_does_not_make_its_caller_the_attacker():
    assert Table(SOLO).say("100♣ coinche pass pass pass").finish().teams == [200, -200]


def test_the_longest_auction():
    ladder = [f"{value}♣" for value in range(80, 170, 10)] + ["capot♣"]
    table = Table().say("pass pass pass " + " pass pass ".join(ladder))
    table.say("pass pass coinche pass pass")
    assert not table.s.playing and table.s.calls == 36
    assert table.say("surcoinche").s.calls == 37 and table.s.playing
    assert table.finish().s.length == 37 + 32 == len(table.s.events)


def explore_auctions(params):
    """The number of auctions and the length of the longest, by the rules themselves."""
    start = Batch(f"python_coinche({params})", games=1)
    found = {}

    def below(state):
        s = state[0]
        key = tuple(int(s[f]) for f in ("turn", "contract", "bidder", "doubled", "passes"))
        if s.turn == TERMINAL or s.playing:
            return 1, 0
        if key not in found:
            found[key] = children(state)
        return found[key]

    def children(state):
        calls = members(Batch.of_states(COINCHE, start.variant, state.copy()).legal_sets()[0])
        after = Batch.of_states(COINCHE, start.variant, np.repeat(state, len(calls)))
        after.step(np.array(calls))
        numbers, lengths = zip(
            *(below(after.states[i : i + 1]) for i in range(len(calls))), strict=True
        )
        return sum(numbers), 1 + max(lengths)

    return below(start.states)


@pytest.mark.parametrize(
    ("params", "suits", "values", "endings", "longest"),
    [
        ("", 4, 10, 7, 37),
        ("capot=false", 4, 9, 7, 34),
        ("doubling=false", 4, 10, 1, 34),
        ("suits=1,ranks=4,levels=1,capot=false", 1, 1, 7, 10),
        ("suits=1,ranks=4,levels=1,capot=false,doubling=false", 1, 1, 1, 7),
        ("suits=2,ranks=4,levels=2", 2, 3, 7, 16),
    ],
)
def test_all_auctions(params, suits, values, endings, longest):
    """0–3 passes open, 0–2 separate bids in any suit; the last bid stands, or is coinched by one of
    two seats and then stands or is surcoinched by one of two: 1 + 2·3 endings. And all pass."""
    expected = 1 + sum(
        4 * math.comb(values, bids) * suits**bids * 3 ** (bids - 1) * endings
        for bids in range(1, values + 1)
    )
    assert explore_auctions(params) == (expected, longest)
    variant = find(f"python_coinche({params})")[1]
    assert variant.max_moves == longest + len(members(variant.fields["deck"]))
