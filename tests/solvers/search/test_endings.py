"""Positions in which nothing is hidden any more: which these are, and what they are worth."""

import numpy as np
import pytest

from analysis.speed.endings import endings
from solvers.search.double_dummy import solve
from solvers.search.endings import best_endings, exact_values, open_rows
from spielgames import Batch
from spielgames.core.players import choice_sets
from spielgames.core.registry import find
from spielgames.snapszer.endgame import best_action
from spielgames.snapszer.record import TALON, UPCARD
from spielgames.testing.positions import random_actions
from tests.snapszer.test_endgames import GOLDEN, golden_table
from tests.variants import FULL


def walk(name: str, deals: int, seed: int) -> np.ndarray:
    """All positions of some random deals."""
    batch, rng, parts = Batch(name, deals, seed), np.random.default_rng(seed), []
    while batch.running():
        parts.append(batch.states.copy())
        batch.step(random_actions(batch, rng))
    return np.concatenate([*parts, batch.states])


@pytest.mark.parametrize("name", FULL)
def test_a_position_is_open_if_only_two_hands_hold_cards(name):
    states = walk(name, 20, seed=1)
    players, held = find(name)[0].players, states["hands"] != 0
    hands, piles = held[:, :players].sum(axis=1), held[:, players:].any(axis=1)
    wanted = (states["turn"] >= 0) & (hands <= 2) & ~piles
    assert (open_rows(states) == wanted).all()


def test_snapszer_is_open_once_the_talon_is_gone_but_not_once_it_is_closed():
    states = walk("python_snapszer", 300, seed=2)
    running, gone = (
        states["turn"] >= 0,
        (states["hands"][:, TALON] | states["hands"][:, UPCARD]) == 0,
    )
    assert (open_rows(states) == (running & gone)).all()
    assert (running & ~gone & (states["closer"] < 2)).any()
    assert (running & gone).any()


@pytest.mark.parametrize("name", ["python_snapszer", "python_snapszer(rules=schnapsen)"])
def test_exact_values_are_those_of_the_best_actions(name):
    game, _ = find(name)
    states = walk(name, 200, seed=3)
    states = states[open_rows(states)]
    assert len(states) > 500
    best = np.nanmax(solve(states, game), axis=1)
    np.testing.assert_array_equal(exact_values(game, states), best)
    assert set(best) == {-3, -2, -1, 1, 2, 3}


@pytest.mark.parametrize(("name", "cards"), [("python_coinche", 11), ("python_hokm", 11)])
def test_teams_have_values_for_the_seat_to_move(name, cards):
    game, _ = find(name)
    states = endings(name, cards, 100, seed=4)
    best = np.nanmax(solve(states, game), axis=1)
    np.testing.assert_allclose(exact_values(game, states), best)


@pytest.mark.parametrize("case", [c for c in GOLDEN if "p1" in c], ids=lambda c: c["id"])
def test_golden_endgames(case):
    states = golden_table(case, case["p1"]).states
    assert open_rows(states).all()
    assert exact_values(find("python_snapszer")[0], states)[0] == case["value_gp_p0"]


def test_the_endgame_of_the_rules_chooses_an_action_of_that_value():
    game, _ = find("python_snapszer")
    states = endings("python_snapszer", 10, 200, seed=5)
    states = states[open_rows(states)]
    values, wanted = solve(states, game), exact_values(game, states)
    for state, row, value in zip(states, values, wanted, strict=True):
        sets = np.zeros(1, np.uint64)
        choice_sets(state.reshape(1), -1, sets)
        assert row[best_action(state, sets[0])] == value


def test_no_positions_have_no_values():
    game, _ = find("python_snapszer")
    assert len(exact_values(game, np.zeros(0, game.dtype))) == 0


def test_the_best_actions_are_those_of_the_highest_value():
    game, _ = find("python_snapszer")
    states = walk("python_snapszer", 50, seed=6)
    states = states[open_rows(states)]
    values, best = solve(states, game), best_endings(game, states)
    np.testing.assert_array_equal(best > 0, values == np.nanmax(values, axis=1, keepdims=True))
    np.testing.assert_allclose(best.sum(axis=1), 1, rtol=1e-6)
