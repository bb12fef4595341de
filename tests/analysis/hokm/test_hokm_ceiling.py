import numpy as np
import pytest

from analysis.hokm import ceiling as hokm_ceiling
from analysis.hokm.ceiling import LOST, UNKNOWN, WON, ceiling, outcomes
from solvers.environments.card_game import Records
from spielgames.core.cards import members
from spielgames.core.players import choice_sets
from tests.commands import run

SMALL = "python_hokm(suits=2,ranks=8,trump=heuristic)"


def can_win(env, positions, side):
    """By trying everything."""
    if positions.ended[0]:
        return env.returns(positions)[0, side] > 0
    actions = members(positions.sets[0])
    if positions.actors[0] & 1 != side:
        usual = np.empty(1, np.uint64)
        choice_sets(positions.states, 0, usual)
        actions = members(usual[0])[:1]
    return any(
        can_win(env, env.follow(positions, np.array([0]), np.array([a])), side) for a in actions
    )


def test_the_search_finds_what_trying_everything_finds():
    env, deals = Records(SMALL), 12
    found = outcomes(SMALL, deals, seed=5, budget=10**6)
    assert set(found.flatten()) == {LOST, WON}
    for deal in range(deals):
        for side in range(2):
            expected = can_win(env, env.deal(deal, 1, 5), side)
            assert found[deal, side] == (WON if expected else LOST)


def test_what_is_given_up_is_counted_as_possible():
    assert (outcomes(SMALL, 5, seed=5, budget=1) == UNKNOWN).any()
    found = np.array([[WON, LOST], [UNKNOWN, UNKNOWN], [WON, UNKNOWN], [LOST, LOST]])
    bounds = ceiling(found)
    assert bounds.found[0] == pytest.approx(0.25)
    assert bounds.possible[0] == pytest.approx(0.625)
    assert bounds.possible[1] <= 0.625 <= bounds.possible[2]


def test_another_game_is_refused():
    done = run(hokm_ceiling.__name__, "--game=python_hearts")
    assert done.returncode == 2
    assert done.stderr == "game=python_hearts is not allowed; it is Hokm\n"
