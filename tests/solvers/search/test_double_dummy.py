"""The solver's values are those of plain minimax, in every game and variant."""

import numpy as np
import pytest

from solvers.search.double_dummy import solve
from spielgames.core.registry import find
from tests.solvers.search.minimax import endings, minimax_values

SHAPES = [
    ("python_coinche", 12),
    ("python_coinche(reward=made_and_announced,belote=true,doubling=false)", 12),
    ("python_coinche(reward=made_and_announced,levels=1)", 12),
    ("python_coinche(reward=good,undertrump=true,levels=3)", 12),
    ("python_coinche(suits=2,ranks=6,levels=1,reward=made_and_announced)", 12),
    ("python_hokm", 12),
    ("python_hokm(suits=3,ranks=4)", 12),
    ("python_hokm(suits=4,ranks=3)", 12),
    ("python_hearts", 12),
    ("python_hearts(jd_bonus=true,avoid_all_tricks_bonus=true)", 12),
    ("python_hearts(suits=4,ranks=3,pass=hold,avoid_all_tricks_bonus=true)", 12),
    ("python_hearts(suits=3,ranks=4,pass=hold,jd_bonus=true)", 12),
    ("python_sheephead", 17),
    ("python_sheephead(duties=false,doubled=true)", 17),
    ("python_sheephead(suits=3,ranks=6)", 18),
    ("python_snapszer", 8),
    ("python_snapszer(rules=schnapsen)", 8),
    ("python_snapszer(suits=3,ranks=4,hand=4)", 8),
    ("python_snapszer(rules=schnapsen,suits=2,ranks=4,hand=2)", 8),
    ("python_snapszer(rules=schnapsen,suits=4,ranks=4,hand=2)", 8),
]


def check(name, cards, games, seed):
    game, _ = find(name)
    states = endings(name, cards, games, seed)
    assert len(states) > games // 4
    wanted = minimax_values(states, game.actions, seed)
    found = solve(states, game, seed)
    for i in range(len(states)):
        np.testing.assert_allclose(
            found[i], wanted[i], atol=1e-5, err_msg=f"{name}, game {i} of seed {seed}"
        )
    return wanted


@pytest.mark.parametrize(("name", "cards"), SHAPES)
def test_equals_minimax(name, cards):
    check(name, cards, 100, seed=3)
