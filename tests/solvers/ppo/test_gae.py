"""Advantages across seats: a deal by hand, the definition, and a second way to compute it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.ppo.gae import NOTHING, lambda_returns, link

NO_SCORES = np.zeros((6, 2))


def test_a_deal_by_hand():
    """Two teams; side 0 moves, then side 1 twice (it took the trick), then 0; side 1 wins 1."""
    deals, sides = np.zeros(4, int), np.array([0, 1, 1, 0])
    path = link(deals, sides, np.zeros((4, 2)), np.array([[-1.0, 1.0]]), opposed=True)
    assert path.following.tolist() == [1, 2, 3, NOTHING]
    assert path.sign.tolist() == [-1, 1, -1, 1]
    assert path.reward.tolist() == [0, 0, 0, -1]
    values = np.array([0.5, 0.25, -0.25, -0.75])
    # δ = σ·V(next) − V, or the utility − V at the end; advantages by A = δ + σ·λ·A(next)
    deltas = [-0.25 - 0.5, -0.25 - 0.25, 0.75 + 0.25, -1 + 0.75]
    half = 0.5
    last = deltas[3]
    third = deltas[2] - half * last
    second = deltas[1] + half * third
    first = deltas[0] - half * second
    advantages = lambda_returns(path, values, discount=1.0, gae_lambda=half) - values
    np.testing.assert_allclose(advantages, [first, second, third, last])


def test_sides_of_their_own_wait_for_their_next_turn():
    """Three seats, each for itself: what the others decide in between does not count."""
    deals, sides = np.zeros(5, int), np.array([0, 1, 2, 0, 1])
    finals = np.array([[3.0, -1.0, -2.0]])
    path = link(deals, sides, np.zeros((5, 3)), finals, opposed=False)
    assert path.following.tolist() == [3, 4, NOTHING, NOTHING, NOTHING]
    assert (path.sign == 1).all()
    assert path.reward.tolist() == [0, 0, -2, 3, -1]


def test_points_on_the_way_are_earned_once():
    """The scores before each decision, of two sides; what is gained in between belongs to it."""
    deals, sides = np.zeros(3, int), np.array([0, 1, 0])
    scores = np.array([[0.0, 0.0], [0.1, -0.1], [-0.2, 0.2]])
    path = link(deals, sides, scores, np.array([[1.1, -1.1]]), opposed=True)
    np.testing.assert_allclose(path.reward, [0.1, 0.3, 1.3])
    whole = lambda_returns(path, np.zeros(3), discount=1.0, gae_lambda=1.0)
    np.testing.assert_allclose(whole, [1.1, -1.0, 1.3])  # all that side 0, 1, 0 still gets


def test_a_discount_counts_decisions():
    path = link(np.zeros(3, int), np.zeros(3, int), NO_SCORES[:3], np.array([[8.0, 0]]), True)
    values = lambda_returns(path, np.zeros(3), discount=0.5, gae_lambda=1.0)
    np.testing.assert_allclose(values, [2, 4, 8])


@st.composite
def deals_of_two_sides(draw):
    """Decisions of several deals, interleaved as in lock-step play, and how the deals end."""
    n = draw(st.integers(1, 30))
    deals = np.array(draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    sides = np.array(draw(st.lists(st.integers(0, 1), min_size=n, max_size=n)))
    numbers = st.floats(-3, 3)
    values = np.array(draw(st.lists(numbers, min_size=n, max_size=n)))
    won = np.array(draw(st.lists(numbers, min_size=4, max_size=4)))
    return deals, sides, values, np.stack([won, -won], axis=1)


@given(deals_of_two_sides(), st.floats(0, 1))
def test_it_is_gae_of_side_0_and_the_others_see_the_opposite(case, gae_lambda):
    """With all values turned to side 0's view, there are no signs any more: plain GAE, a sum."""
    deals, sides, values, finals = case
    path = link(deals, sides, np.zeros((len(deals), 2)), finals, opposed=True)
    found = lambda_returns(path, values, 1.0, gae_lambda) - values
    turn = 1 - 2 * sides
    for deal in range(4):
        rows = np.flatnonzero(deals == deal)
        view = turn[rows] * values[rows]
        deltas = np.append(view[1:], finals[deal, 0])[: len(rows)] - view
        for k, row in enumerate(rows):
            expected = sum(gae_lambda ** (i - k) * deltas[i] for i in range(k, len(rows)))
            assert turn[row] * found[row] == pytest.approx(expected, abs=1e-9)


@given(deals_of_two_sides())
def test_with_all_trust_in_outcomes_targets_are_the_outcomes(case):
    deals, sides, values, finals = case
    path = link(deals, sides, np.zeros((len(deals), 2)), finals, opposed=True)
    np.testing.assert_allclose(
        lambda_returns(path, values, 1.0, 1.0), finals[deals, sides], atol=1e-9
    )
