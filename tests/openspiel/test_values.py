"""Expected values and best responses, to 1e-9."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import (
    best_response,
    expected_game_score,
    exploitability,
)

from tests.openspiel.policies import Lopsided, Mixed
from tests.openspiel.tree import (
    HEARTS,
    SHEEPHEAD,
    SNAPSZER_DRAW,
    Tree,
    every_start,
    game_at,
    tree_at,
)


@every_start
def test_seats_remember_what_they_knew_and_did(start):
    """Histories of one information set agree on their mover's past (the tools rely on it)."""
    tree = tree_at(start)
    pasts = [[()] * tree.game.num_players()]
    for k, parent in enumerate(tree.parents[1:], 1):
        pasts.append(pasts[parent].copy())
        if parent in tree.keys:
            pasts[k][tree.turns[parent]] += ((tree.keys[parent], tree.actions[k]),)
    for nodes in tree.infosets.values():
        assert len({pasts[k][tree.turns[k]] for k in nodes}) == 1


@every_start
def test_expected_game_score(start):
    game, tree = game_at(start), tree_at(start)
    lopsided = Lopsided(game)
    value = expected_game_score.policy_value(
        game.new_initial_state(), [lopsided] * game.num_players()
    )
    np.testing.assert_allclose(value, tree.values(lopsided), atol=1e-9)


@every_start
def test_expected_returns_in_cpp(start):
    game, tree = game_at(start), tree_at(start)
    value = pyspiel.expected_returns(
        game.new_initial_state(), pyspiel.UniformRandomPolicy(game), -1, False
    )
    np.testing.assert_allclose(value, tree.values(), atol=1e-9)


@every_start
def test_best_response(start):
    """Its value is the best there is, and playing it earns that value."""
    game, tree = game_at(start), tree_at(start)
    lopsided = Lopsided(game)
    steps = tree.steps(lopsided)
    for seat in range(game.num_players()):
        response = best_response.BestResponsePolicy(game, seat, lopsided)
        best = response.value(game.new_initial_state())
        assert best == pytest.approx(tree.best_response(seat, steps), abs=1e-9)
        earned = tree.values(Mixed(game, seat, response, lopsided))[seat]
        assert best == pytest.approx(earned, abs=1e-9)


@every_start
def test_nash_conv(start):
    game, tree = game_at(start), tree_at(start)
    lopsided = Lopsided(game)
    found = exploitability.nash_conv(game, lopsided, return_only_nash_conv=False)
    np.testing.assert_allclose(found.player_improvements, tree.improvements(lopsided), atol=1e-9)
    assert found.nash_conv > 0.1


@every_start
def test_nash_conv_in_cpp(start):
    game, tree = game_at(start), tree_at(start)
    found = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    assert found == pytest.approx(tree.nash_conv(), abs=1e-9)


def test_hokm_with_one_card_each_by_hand():
    """Whoever takes the one trick has them all: +2 (kot), or 3 against the Hakem. If the Hakem
    names the suit of its card, it wins with the ace, and with the king if its partner has the ace:
    2/3. If it names the other suit, a partner with its ace wins: 1/3."""
    tree = tree_at("hokm")
    good, bad = (2 * p - 3 * (1 - p) for p in (2 / 3, 1 / 3))
    assert tree.values()[0] == pytest.approx((good + bad) / 2)
    assert tree.best_response(0, tree.steps()) == pytest.approx(good)


@pytest.mark.slow
@pytest.mark.parametrize("name", [HEARTS, SHEEPHEAD, SNAPSZER_DRAW])
def test_nash_conv_from_the_deal_on(name):
    game = pyspiel.load_game(name)
    tree = Tree(game.new_initial_state())
    lopsided = Lopsided(game)
    found = exploitability.nash_conv(game, lopsided, return_only_nash_conv=False)
    np.testing.assert_allclose(found.player_improvements, tree.improvements(lopsided), atol=1e-9)
