"""Snapszer's actions and facts in words."""

from spielgames.snapszer import words
from tests.snapszer.table import DEAL, SCHNAPSEN, Table, cards


def test_words():
    table = Table().deal(*DEAL)
    assert words.action_name(table.s, 20) == "close" and words.action_name(table.s, 22) == "marry ♦"
    table.play("A♥ J♥")
    assert words.action_name(table.s, cards("10♠")[0]) == "draw 10♠"
    table.play("+K♠ +A♣")
    assert words.action_name(table.s, cards("J♠")[0]) == "exchange J♠"
    table.play("=J♠ close marry♦")
    facts = words.public(table.s)
    assert facts["trump"] == "♠" and facts["upcard"] == ["J♠"] and facts["talon"] == 8
    assert facts["points"] == [33, 0] and facts["tricks"] == [1, 0]
    assert facts["marriages"] == ["♦", ""] and facts["shown"] == [["Q♦", "K♦", "A♠"], []]
    assert facts["closed by"] == 0 and facts["exchanged by"] == 0
    assert words.private(table.s, 0) == {"drawn": ["K♠"]}
    assert words.private(table.s, 1) == {"drawn": ["A♣"]}
    assert words.action_name(Table(SCHNAPSEN).deal(*DEAL).s, 25) == "exchange"
