"""The exact values of deals with open hands: those of plain minimax, of the golden endings, and of
the frozen corpus.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from analysis.speed.endings import endings
from solvers.search import double_dummy
from solvers.search.double_dummy import reaches, solve, solve_games
from solvers.search.double_dummy_search import memory_for
from spielgames.core.batch import Batch
from spielgames.core.registry import find
from tests.snapszer.table import action
from tests.snapszer.test_endgames import GOLDEN, golden_table
from tests.solvers.search import double_dummy_corpus as corpus
from tests.solvers.search.minimax import minimax_values

SNAPSZER, _ = find("python_snapszer")
SHAPES = [  # the variant, and the cards left in hands and piles
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
WHIST = """
import numpy as np
import whist
from solvers.search.double_dummy import solve
from spielgames import Batch
from tests.solvers.search.minimax import minimax_values
batch = Batch("python_whist(suits=2,ranks=4,hand=3)", 30, seed=1)
for _ in range(2):
    batch.step(batch.legal_mask().argmax(1))
values = solve(batch.states, batch.game)
np.testing.assert_array_equal(values, minimax_values(batch.states, batch.game.actions))
print(sorted(set(values[~np.isnan(values)].tolist())))
"""


def check(name, cards, games, seed):
    game, _ = find(name)
    states = endings(name, cards, games, seed)
    assert len(states) > games // 4
    wanted = minimax_values(states, game.actions, seed)
    np.testing.assert_allclose(solve(states, game, seed), wanted, atol=1e-5)
    return states, wanted


@pytest.mark.parametrize(("name", "cards"), SHAPES)
def test_equals_minimax(name, cards):
    check(name, cards, 100, seed=3)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize(("name", "cards"), SHAPES)
def test_equals_minimax_in_thousands_of_endings(name, cards, seed):
    check(name, cards, 1000, seed + 10)


@pytest.mark.parametrize("case", [c for c in GOLDEN if "p1" in c], ids=lambda c: c["id"])
def test_golden_endings(case):
    values = solve(golden_table(case, case["p1"]).states, SNAPSZER)[0]
    assert np.nanmax(values) == case["value_gp_p0"]
    for card, value in case.get("worse_first_moves", {}).items():
        assert values[action(card)] == value


def test_golden_closed_talon_with_six_possible_stock_cards():
    case = next(c for c in GOLDEN if c["id"] == "AG1")
    unseen = case["concealed_6"]
    seconds = [[card for card in unseen if card != stock] for stock in unseen]
    states = np.concatenate([golden_table(case, second).states for second in seconds])
    values = solve(states, SNAPSZER)
    for card in case["p0"]:
        if card in ("TC", "KC"):
            assert (values[:, action(card)] == 2).all()
        else:
            assert (values[:, action(card)] == -2).sum() == 4


@pytest.mark.parametrize("shape", json.loads(corpus.FILE.read_text()))
def test_the_frozen_corpus_has_the_same_values(shape):
    lines = json.loads(corpus.FILE.read_text())[shape]
    name = shape.split()[0]
    states, wanted = corpus.read(name, lines)
    found = solve(states, find(name)[0], seed=7)
    np.testing.assert_array_equal(np.round(100 * found), wanted)


def test_one_utility_is_reached_if_the_best_action_has_it():
    states, wanted = check("python_snapszer", 8, 100, seed=4)
    for utility in (-3.0, -1.0, 1.0, 2.0, 3.0):
        best = np.nanmax(wanted, axis=1)
        assert (reaches(states, SNAPSZER, utility, seed=4) == (best >= utility)).all()


def test_memory_of_thousands_of_solves_says_nothing_false():
    """The number of the solve begins anew after 65,535."""
    states, wanted = check("python_snapszer", 8, 20, seed=5)
    memory = memory_for(SNAPSZER, 1)
    found, nodes = np.zeros(wanted.shape, np.float32), np.zeros(len(states), np.int64)
    for start in (0, (1 << 16) - 5):
        memory.notes["solves"] = start
        solve_games.serial(memory, states, 5, found, nodes)
        np.testing.assert_array_equal(found, wanted)


def test_threads_do_not_matter(monkeypatch):
    states, wanted = check("python_snapszer", 8, 20, seed=6)
    for threads in (1, 2):
        monkeypatch.setattr(double_dummy, "get_num_threads", lambda n=threads: n)
        np.testing.assert_array_equal(solve(states, SNAPSZER, 6), wanted)


def test_an_auction_is_no_position_to_solve():
    batch = Batch("python_coinche", 3, seed=1)
    with pytest.raises(ValueError, match="game 0 cannot be solved: it is over, or still being"):
        solve(batch.states, batch.game)


def test_a_game_of_another_package_needs_nothing_more():
    """The template of `python -m spielgames.new` defines none of the verbs for open hands."""
    root = Path(__file__).parents[3]
    places = [str(root / "spielgames" / "new" / "template"), str(root)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(places)}
    done = subprocess.run(
        [sys.executable, "-c", WHIST], capture_output=True, text=True, env=environment, timeout=300
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "[-0.5, 0.5, 1.5]"
