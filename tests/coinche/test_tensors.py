"""What Coinche's encoding shows to a seat: the auction, the play, proven voids."""

import numpy as np
import pytest

from spielgames.coinche.game import COINCHE
from tests.coinche.table import CLUBS, DIAMONDS, HEARTS, MIXED, MIXED_PLAY, Table, at_trick, cards


def views(table, seat):
    tensor = table.batch.observe(np.array([seat]))[0]
    assert tensor.shape == (37 * 43 + 4 + 4 + 32 + 4 * 32 + 3 * 32 + 4 + 10 + 3 + 2 + 2 + 3 * 4,)
    return {name: view.copy() for name, view in COINCHE.pieces.views(tensor).items()}


def ones(view):
    return [tuple(int(x) for x in at) for at in np.argwhere(view == 1)]


def test_observation_of_the_auction():
    table = Table(MIXED).say("pass 90♥ pass capot♦ coinche")
    seen = views(table, 1)
    assert ones(seen["auction"]) == [(0, 0), (1, 7), (2, 0), (3, 38), (4, 41)]
    assert ones(seen["speaker"]) == [(3,)]  # seat 0 is three places on from seat 1
    assert set(ones(seen["hand"])) == {(c,) for c in cards(MIXED[1])}
    assert ones(seen["trump"]) == [(DIAMONDS,)] and ones(seen["contract"]) == [(9,)]
    assert ones(seen["doubled"]) == [(1,)] and ones(seen["attackers"]) == [(0,)]
    assert ones(views(table, 2)["attackers"]) == [(1,)]
    for name in ("leader", "finished", "trick", "points", "voids"):
        assert not seen[name].any()


def test_observation_before_any_bid():
    seen = views(Table().say("pass"), 0)
    assert ones(seen["auction"]) == [(0, 0)] and ones(seen["speaker"]) == [(0,)]
    for name in ("trump", "contract", "doubled", "attackers"):
        assert not seen[name].any()


def test_observation_of_play():
    """Three tricks and two cards of the fourth, seen by seat 3."""
    table = Table(MIXED).say("80♥ pass pass pass").play(" ".join(MIXED_PLAY.split()[:14]))
    seen = views(table, 3)
    assert ones(seen["leader"]) == [(2,)]  # seat 1
    assert ones(seen["trick"]) == [(0, cards("AD")[0]), (1, cards("JS")[0])]
    finished = ["7H 8H 7C", "JH 9H TC", "TH AH AC", "QH KH 9S"]  # seats 3, 0, 1, 2
    assert set(ones(seen["finished"])) == {(k, c) for k in range(4) for c in cards(finished[k])}
    assert set(ones(seen["hand"])) == {(c,) for c in cards("8C 8D 7D 8S 7S")}
    assert ones(seen["trump"]) == [(HEARTS,)] and ones(seen["contract"]) == [(0,)]
    assert ones(seen["doubled"]) == [(0,)] and ones(seen["attackers"]) == [(1,)]
    assert seen["points"] == pytest.approx([21 / 162, 62 / 162])
    # Seat 2 discarded on a club and a diamond that opponents were winning: no trump either.
    assert set(ones(seen["voids"])) == {(2, CLUBS), (2, DIAMONDS), (2, HEARTS)}


@pytest.mark.parametrize(
    ("undertrump", "trick", "card", "voids"),
    [
        (False, "7D 8D", "7S", {DIAMONDS, CLUBS}),  # a trump would have been a duty
        (False, "AD 8D", "7S", {DIAMONDS}),  # the partner wins: nothing about trump
        (False, "7D 8C", "7S", {DIAMONDS}),  # trumped: lower trumps are possible
        (True, "7D 8C", "7S", {DIAMONDS, CLUBS}),  # undertrumping would have been a duty
        (False, "7D 8C", "9C", {DIAMONDS}),  # trumps
        (False, "7C 8C", "7S", {CLUBS}),
    ],
)
def test_voids_that_a_play_proves(undertrump, trick, card, voids):
    """Clubs are trump; seat 3 watches seat 2, the last of the three others."""
    table = at_trick(trick.split(), [card], "♣", undertrump).play(card)
    assert {suit for k, suit in ones(views(table, 3)["voids"]) if k == 2} == voids
