"""Sheephead's cards: which of them wins a trick, and what they are worth."""

import numpy as np
import pytest

from spielgames.core.registry import find
from spielgames.sheephead.cards import TRUMPS, points
from tests.golden import golden
from tests.sheephead.table import NAME, cards, one_trick, winner

GOLDEN = golden("sheephead_spitz")
GOLDEN_TRICKS = [(" ".join(case["cards"]), case["winner_index"]) for case in GOLDEN["tricks"]]


@pytest.mark.parametrize(("words", "index"), GOLDEN_TRICKS)
def test_golden_tricks(words, index):
    assert winner(one_trick(words)) == index


def test_golden_trump_order():
    order = GOLDEN["trump_order"]
    for k in range(len(order) - 4):
        five = order[k : k + 5]
        for turn in range(5):
            assert winner(one_trick(" ".join(five[turn:] + five[:turn]))) == -turn % 5


@pytest.mark.parametrize("suit", "CSH")
def test_golden_fail_order(suit):
    order = [rank + suit for rank in GOLDEN["fail_order"]]
    assert winner(one_trick(" ".join(reversed(order[:5])))) == 4
    assert winner(one_trick(" ".join([*order[2:], order[1]]))) == 4
    assert winner(one_trick(" ".join([*order[1:5], "8D"]))) == 4


def test_the_deck_has_120_points_and_14_trumps():
    deck = find(NAME)[1].fields["deck"]
    assert points(np.uint64(deck)) == 120
    assert points(cards("AC TC KC QC JC")) == 30
    assert points(cards("JK 9C 8C 7C")) == 0
    assert cards(" ".join(GOLDEN["trump_order"])) == TRUMPS
