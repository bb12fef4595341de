"""Shares are probabilities, and actions are followed as often as their shares say."""

import numpy as np
import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from solvers.deep_cfr.sampling import (
    EVERYBODY,
    Decaying,
    External,
    Outcome,
    Sampled,
    Uncorrected,
    choose_actions,
    draw_repeatedly,
)
from solvers.environments.environment import Positions
from spielgames.core.luck import stream

STREAMS = 40_000


def flags(sets, actions):
    return (sets[:, None] >> np.arange(actions, dtype=np.uint64)) & np.uint64(1) == 1


def set_of(actions):
    return sum(1 << a for a in actions)


def streams(n, seed=1):
    return np.array([stream(seed, i) for i in range(n)], np.uint64)


def choose(legal, strategy, breadth, exploration=0.0, n=1, seed=1):
    """The same position n times: its shares, and what is chosen each time as flags."""
    strategies = np.tile(np.asarray(strategy, np.float32), (n, 1))
    share, chosen = np.zeros(strategies.shape), np.empty(n, np.uint64)
    rules = np.full(n, breadth), np.full(n, exploration)
    sets = np.full(n, set_of(legal), np.uint64)
    choose_actions(sets, strategies, *rules, streams(n, seed), share, chosen)
    assert (share == share[0]).all()
    return share[0], flags(chosen, strategies.shape[1])


@st.composite
def positions(draw):
    """Legal actions, and a strategy over them that may leave some out."""
    legal = draw(st.lists(st.integers(0, 9), min_size=2, max_size=10, unique=True))
    chances = st.one_of(st.just(0.0), st.floats(1e-6, 1), st.sampled_from([0.25, 0.5]))
    weights = draw(st.lists(chances, min_size=len(legal), max_size=len(legal)))
    assume(sum(weights) > 0)
    strategy = np.zeros(10)
    strategy[legal] = np.array(weights) / sum(weights)
    return sorted(legal), strategy


FRACTIONS = st.one_of(st.just(0.0), st.floats(0.01, 1))


@given(positions(), st.integers(1, 10), FRACTIONS, st.integers(0, 2**32))
@example(([0, 1, 2], np.array([1.0, 0, 0])), 2, 0.0, 0)
@example(([0, 1, 2], np.array([1 / 3] * 3)), 1, 0.0, 0)
def test_shares_are_probabilities_of_as_many_actions_as_are_followed(
    position, breadth, exploration, seed
):
    legal, strategy = position
    share, chosen = choose(legal, strategy, breadth, exploration, n=20, seed=seed)
    possible = legal if exploration or breadth >= len(legal) else np.flatnonzero(strategy)
    width = min(breadth, len(possible))
    assert (share >= 0).all() and (share <= 1).all()
    assert share.sum() == pytest.approx(width)
    assert set(np.flatnonzero(share)) == set(possible)
    assert (chosen.sum(axis=1) == width).all()
    assert not chosen[:, share == 0].any()
    assert chosen[:, share == 1].all()


@given(positions(), st.integers(1, 10), FRACTIONS)
def test_shares_below_one_are_in_proportion_to_the_mixture(position, breadth, exploration):
    """And those at 1 would have more."""
    legal, strategy = position
    assume(breadth < len(legal))
    share, _ = choose(legal, strategy, breadth, exploration)
    mixture = (1 - exploration) * strategy[legal] + exploration / len(legal)
    factors = share[legal][mixture > 0] / mixture[mixture > 0]
    part = share[legal][mixture > 0] < 1
    if part.any():
        assert np.ptp(factors[part]) <= 1e-5 * factors.max()
        assert (factors[~part] <= factors[part].min() * (1 + 1e-5)).all()


STRATEGY = [0.05, 0.6, 0.0, 0.2, 0.15]


@pytest.mark.parametrize("exploration", [0.0, 0.3, 1.0])
@pytest.mark.parametrize("breadth", [1, 2, 3, 4, 5])
def test_actions_are_followed_as_often_as_their_shares_say(breadth, exploration):
    share, chosen = choose([0, 1, 2, 3, 4], STRATEGY, breadth, exploration, STREAMS)
    deviation = np.sqrt(share * (1 - share) / STREAMS)
    assert (np.abs(chosen.mean(axis=0) - share) <= 4 * deviation).all()


def test_outcome_sampling_draws_from_the_mixture():
    """Chi-square over all actions, 4 degrees of freedom."""
    share, chosen = choose([0, 1, 2, 3, 4], STRATEGY, 1, 0.5, STREAMS)
    np.testing.assert_allclose(share, 0.5 * np.array(STRATEGY) + 0.1, rtol=1e-6)
    counts, expected = chosen.sum(axis=0), STREAMS * share
    assert ((counts - expected) ** 2 / expected).sum() < 18.5  # 1 in 1,000


def test_breadth_two_by_hand():
    """2 × (0.05, 0.6, 0, 0.2, 0.15) is too much for one: it gets 1, the others share the rest."""
    share, _ = choose([0, 1, 2, 3, 4], STRATEGY, 2)
    np.testing.assert_allclose(share, [0.125, 1, 0, 0.5, 0.375], rtol=1e-6)


def test_many_positions_are_as_one_by_one():
    """From 1,000 on all cores work."""
    random, n = np.random.default_rng(3), 3000
    legal = random.integers(1, 2**12, n).astype(np.uint64) | np.uint64(1 << 12)
    strategy = (random.random((n, 13)) * flags(legal, 13)).astype(np.float32)
    strategy /= strategy.sum(axis=1, keepdims=True)
    breadth, exploration = random.integers(1, 6, n), random.choice([0.0, 0.5], n)
    share, chosen = np.zeros((n, 13)), np.empty(n, np.uint64)
    given = legal, strategy, breadth, exploration, streams(n)
    choose_actions(*given, share, chosen)
    for i in range(0, n, 59):
        one, alone = np.zeros((1, 13)), np.empty(1, np.uint64)
        choose_actions(*(part[i : i + 1] for part in given), one, alone)
        assert (one[0] == share[i]).all() and alone[0] == chosen[i]


def drawn_repeatedly(strategy, breadth, n):
    strategies = np.tile(np.asarray(strategy, np.float32), (n, 1))
    sets = np.full(n, (1 << len(strategy)) - 1, np.uint64)
    share, chosen = np.zeros(strategies.shape), np.empty(n, np.uint64)
    draw_repeatedly(sets, strategies, np.full(n, breadth), streams(n), share, chosen)
    assert (share == 1).all()
    return flags(chosen, len(strategy))


@pytest.mark.parametrize("breadth", [1, 3])
def test_the_papers_way_draws_with_repetition(breadth):
    """So an action is followed unless all draws miss it."""
    chosen = drawn_repeatedly(STRATEGY, breadth, STREAMS)
    expected = 1 - (1 - np.array(STRATEGY)) ** breadth
    deviation = np.sqrt(expected * (1 - expected) / STREAMS)
    assert (np.abs(chosen.mean(axis=0) - expected) <= 4 * deviation).all()
    assert chosen.sum(axis=1).min() == 1
    assert chosen.sum(axis=1).max() == breadth


def decided_by(actors, depth=0):
    """Positions of which sampling needs to know no more."""
    n = len(actors)
    nothing = np.zeros(n, np.int64), streams(n, seed=depth)
    return Positions(*nothing, np.array(actors, np.int8), nothing[1], np.full(n, depth, np.int16))


@pytest.mark.parametrize("sampling", [External(), Sampled(3), Uncorrected(2), Outcome()])
def test_the_traverser_explores_alone(sampling):
    assert sampling.own(decided_by([0, 1, 2, 1]), 1).tolist() == [False, True, False, True]


@pytest.mark.parametrize("depth", [0, 1, 10])
def test_decaying_follows_all_less_often_with_depth(depth):
    own = Decaying(0.23).own(decided_by([0] * STREAMS, depth), EVERYBODY)
    expected = 0.23 / (0.23 + depth)
    deviation = np.sqrt(expected * (1 - expected) / STREAMS)
    assert abs(own.mean() - expected) <= 4 * deviation
    assert Decaying(0.23).asked[depth] == expected  # where compiled players leave it the decision


def test_what_is_expanded_and_what_is_followed_are_independent():
    """Both come from a position's stream."""
    own = Decaying(0.5).own(decided_by([0] * STREAMS, depth=1), EVERYBODY)
    share, chosen = choose([0, 1], [0.5, 0.5], 1, n=STREAMS, seed=1)
    assert abs(np.corrcoef(own, chosen[:, 0])[0, 1]) < 4 / np.sqrt(STREAMS)
