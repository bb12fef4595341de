"""Coinche's actions and facts in words."""

from spielgames.coinche.game import COINCHE
from spielgames.core.words import RANKS_8, card_name
from tests.coinche.table import MIXED, Table


def test_words():
    table = Table(MIXED).say("80♥ coinche pass pass pass").play("JH TH QH 7H 9H")
    assert COINCHE.public(table.s) == {
        "auction": ["80♥", "coinche", "pass", "pass", "pass"],
        "contract": "80♥ coinche by seat 0",
        "trick": ["9♥"],
        "points": [33, 0],
        "tricks": [1, 0],
    }
    assert COINCHE.action_name(table.s, 11) == card_name(11, RANKS_8) == "10♦"
    assert "contract" not in COINCHE.public(Table().s)
    assert COINCHE.private(table.s, 0) == {}
