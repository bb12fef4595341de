"""Sheephead's actions and facts in words."""

import json
import re

import pytest

from spielgames.sheephead import words
from spielgames.sheephead.game import SHEEPHEAD
from tests.sheephead.table import PASSES, UNKNOWN, Table


def test_illegal_actions_are_named():
    with pytest.raises(ValueError, match=re.escape("allowed are pass (32), pick (33)")):
        Table().play("alone")


def test_action_names():
    s = Table().s
    names = [words.action_name(s, a) for a in range(SHEEPHEAD.actions)]
    assert len(set(names)) == SHEEPHEAD.actions
    assert [names[c] for c in (0, 3, 8, 9, 31)] == ["7♣", "10♣", "Jk", "8♦", "A♠"]
    assert names[32:38] == ["pass", "pick", "alone", "call A♣", "call A♠", "call A♥"]
    assert names[38:41] == ["call 10♣", "call 10♠", "call 10♥"]
    assert names[42] == "call A♠ with an unknown card"


def test_public_and_private_words():
    table = Table(*UNKNOWN).play("pick 8D 9D unknown:AS AC 7C 8C")
    assert words.public(table.s) == {
        "passes": 0,
        "picker": 0,
        "call": "call A♠ with an unknown card",
        "trick": ["7♣", "8♣"],
        "points": [0] * 5,
        "tricks": [0] * 5,
    }
    assert words.private(table.s, 0) == {
        "blind": ["8♦", "9♦"],
        "buried": ["8♦", "9♦"],
        "unknown": ["A♣"],
    }
    assert words.private(table.s, 1) == {}
    table.play("TC 9C 8H KS JD 9H AC AS")
    facts = words.public(table.s)
    assert facts["partner"] == 1
    assert facts["points"] == [0, 0, 10, 28, 0]
    assert facts["tricks"] == [0, 0, 1, 1, 0]
    nola = words.public(Table().play(PASSES).s)
    assert nola["nola"] is True
    assert "picker" not in nola
    json.dumps([facts, nola])
