"""What a deal of Snapszer pays, by hand: 66 points, closing, the last trick."""

import pytest

from tests.snapszer.table import SCHNAPSEN, STOCK, Table


@pytest.mark.parametrize(
    ("name", "points", "tricks", "value"),
    [
        ("python_snapszer", [45, 27], [1, 1], 1),  # seat 1 ends with 40
        (SCHNAPSEN, [45, 27], [1, 1], 2),  # but had 27 at closing
        ("python_snapszer", [45, 33], [1, 1], 1),
        (SCHNAPSEN, [45, 33], [1, 1], 1),
        ("python_snapszer", [45, 0], [1, 0], 2),  # seat 1 ends with a trick
        (SCHNAPSEN, [45, 0], [1, 0], 3),  # but had none at closing
    ],
)
def test_successful_closer(name, points, tricks, value):
    table = Table(name).endgame("A♥ J♦ A♣", "A♦ K♥ J♥", "S", points, tricks=tricks, **STOCK)
    table.play("close J♦ A♦ K♥ A♥ A♣ J♥")
    assert table.utilities() == [value, -value]


@pytest.mark.parametrize("name", ["python_snapszer", SCHNAPSEN])
def test_successful_closer_against_an_opponent_without_a_trick(name):
    table = Table(name).endgame("A♥ 10♥ A♠", "J♥ Q♥ K♦", "S", [50, 0], **STOCK)
    assert table.play("close A♥ J♥ 10♥ Q♥").utilities() == [3, -3]


@pytest.mark.parametrize(
    ("name", "tricks", "value"),
    [
        ("python_snapszer", [1, 1], 2),
        (SCHNAPSEN, [1, 1], 2),
        ("python_snapszer", [1, 0], 3),
        (SCHNAPSEN, [1, 0], 3),
        ("python_snapszer", [0, 1], 3),  # anyone without a trick
        (SCHNAPSEN, [0, 1], 2),  # only the opponent matters
    ],
)
def test_failed_closer(name, tricks, value):
    """Whether the opponent reaches 66, or all is played (even if the closer takes every trick)."""
    reached = Table(name).endgame("J♦ Q♥", "A♦ K♥", "S", [20, 60], tricks=tricks, **STOCK)
    assert reached.play("close J♦ A♦").utilities() == [-value, value]
    played = Table(name).endgame("A♥ A♦", "J♥ J♦", "S", [20, 20], tricks=tricks, **STOCK)
    assert played.play("close A♥ J♥ A♦ J♦").utilities() == [-value, value]


@pytest.mark.parametrize(
    ("points", "snapszer"), [([20, 40], 1), ([20, 33], 1), ([20, 32], 2), ([20, 0], 3)]
)
def test_last_trick_wins_an_exhausted_talon(points, snapszer):
    table = Table().endgame("A♣", "J♣", "S", points).play("A♣ J♣")
    assert table.utilities() == [snapszer, -snapszer]
    table = Table(SCHNAPSEN).endgame("A♣", "J♣", "S", points).play("A♣ J♣")
    assert table.utilities() == [1, -1]
    table = Table().endgame("J♣", "A♣", "S", points[::-1]).play("J♣ A♣")
    assert table.utilities() == [-snapszer, snapszer]


@pytest.mark.parametrize(("points", "value"), [([55, 33], 1), ([55, 32], 2), ([55, 0], 3)])
def test_sixty_six_points_end_the_deal_at_once(points, value):
    for stock in ({}, STOCK):
        table = Table().endgame("A♥ 10♦", "J♥ Q♣", "S", points, **stock).play("A♥ J♥")
        assert table.utilities() == [value, -value]
    assert Table().endgame("A♥ 10♦", "J♥ Q♣", "S", [52, 1]).play("A♥ J♥").s.turn == 0
