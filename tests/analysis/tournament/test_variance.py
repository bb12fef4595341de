"""Intervals cover what they should, and variance reduction reduces by what can be computed."""

import numba
import numpy as np
import pytest

from analysis.tournament.pairs import score
from analysis.tournament.variance import (
    GROUPS,
    control_variate,
    deal_values,
    duplicate_factor,
    intervals,
    slopes,
)
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from spielgames.core import loops

GAME = "python_hearts"


def rng(seed=0):
    return np.random.default_rng(seed)


def test_bootstrap_covers_the_mean_nineteen_times_in_twenty():
    samples = rng().exponential(2.0, (150, 300))  # columns of one call are independent here
    found = intervals(samples)
    covering = np.mean([low <= 2.0 <= high for _, low, high in found])
    assert 0.91 <= covering <= 0.98
    assert all(low < mean < high for mean, low, high in found)


@pytest.mark.parametrize("n", [1000, GROUPS, 3 * GROUPS + 7])
def test_bootstrap_is_as_wide_as_the_normal_interval(n):
    values = rng(n).normal(5.0, 3.0, n)
    ((mean, low, high),) = intervals(values)
    assert mean == values.mean()
    assert high - low == pytest.approx(2 * 1.96 * 3.0 / np.sqrt(n), rel=0.08)


def test_rows_are_drawn_whole():
    values = rng().normal(size=500)
    a, b, zero = intervals(np.stack([values, 1 - values, 0 * values], axis=1))
    assert (b.low, b.high) == pytest.approx((1 - a.high, 1 - a.low))
    assert zero == (0, 0, 0)


def test_bootstrap_does_not_depend_on_threads():
    values = rng().normal(size=(400, 2))
    everywhere = intervals(values)
    threads = numba.get_num_threads()
    numba.set_num_threads(1)
    alone = intervals(values)
    numba.set_num_threads(threads)
    assert alone == everywhere
    assert intervals(values, seed=1) != alone


def test_duplicates_remove_the_luck_that_changes_sides():
    luck = rng(1).normal(0, 3, 100_000)
    noise = rng(2).normal(0, 1, (100_000, 2))
    plays = np.stack([luck, -luck], axis=1) + noise
    weights = np.array([0.5, 0.5])  # 2 · ¼ · (9 + 1) apart, 2 · ¼ · 1 together
    assert duplicate_factor(plays, weights) == pytest.approx(10, rel=0.03)
    assert duplicate_factor(noise, weights) == pytest.approx(1, rel=0.03)
    assert duplicate_factor(np.ones((9, 2)), weights) is None


def test_perfect_covariate_leaves_nothing_to_chance():
    known = rng().normal(4.0, 2.0, (1000, 1))
    calmer = control_variate(10 + 3 * known[:, 0], known, np.array([4.0]))
    assert calmer.values == pytest.approx(np.full(1000, 22.0))
    assert calmer.factor is None


def test_mean_of_a_perfect_covariate_counts_like_more_samples():
    known = rng().normal(size=(1000, 1))
    calmer = control_variate(known[:, 0], known, np.array([0.0]), samples=3000)
    assert calmer.factor == pytest.approx(4, rel=0.01)
    mean, low, high = calmer.interval()
    assert mean == pytest.approx(known.mean() / 4)
    assert high - low == pytest.approx(2 * 1.96 / np.sqrt(4000), rel=0.1)


def test_factor_is_that_of_the_correlation():
    known = rng(1).normal(size=(50_000, 2))
    values = known[:, 0] + 2 * known[:, 1] + rng(2).normal(size=50_000)
    factors = [control_variate(values, known[:, :k], np.zeros(k)).factor for k in (1, 2)]
    assert factors == pytest.approx([6 / 5, 6], rel=0.03)


def test_useless_covariate_is_called_that():
    values, known = rng(1).normal(size=5000), rng(2).normal(size=(5000, 1))
    assert control_variate(values, known, np.zeros(1)).factor == pytest.approx(1, abs=0.01)
    assert control_variate(values, 0 * known, np.zeros(1)).factor == 1


def test_cross_fitting_keeps_a_mean_of_few_rows_unbiased():
    """E c² = 2 for exponential c; slopes fitted on the same rows are pulled by the largest."""
    ours, naive = [], []
    for known in rng().exponential(1.0, (20_000, 6, 1)):
        values = known[:, 0] ** 2
        ours.append(control_variate(values, known, np.ones(1)).values.mean())
        naive.append(np.mean(values - (known - 1) @ slopes(values, known)))
    assert abs(np.mean(ours) - 2) < 4 * np.std(ours) / np.sqrt(len(ours))
    assert abs(np.mean(naive) - 2) > 0.2


def playout_values(states):
    """Utilities on average over random play-outs."""
    out = np.empty((20 * len(states), 4))
    loops.playouts(np.repeat(states, 20), 99, out)
    return out.reshape(len(states), 20, 4).mean(axis=1)


def random_pair():
    return [make_agent("random", GAME), make_agent("random", GAME)]


def test_value_of_the_cards_helps_a_single_seating():
    """Random players who pass cards anywhere win 0 in every seat of Hearts, on average."""
    agents = random_pair()
    lineups = pair_lineups(agents[0].game)[:1]
    utilities = play_deals(agents, lineups, 4000, seed=5)[:, 0, 0]
    known = deal_values(playout_values, GAME, 4000, seed=5)[:, :1]
    calmer = control_variate(utilities, known, np.zeros(1))
    assert 1.07 < calmer.factor < 1.3
    _, low, high = calmer.interval()
    assert low < 0 < high


def test_value_of_the_cards_cancels_between_duplicates():
    lineups = pair_lineups(random_pair()[0].game)
    known = deal_values(playout_values, GAME, 50, seed=5)
    scores = score(np.repeat(known[:, None], len(lineups), axis=1), lineups)
    assert known.std() > 0
    assert scores.means == pytest.approx(0)


def test_deal_values_are_of_the_deals_that_are_played():
    def hands(states):
        return states["hands"][:, :4].astype(float)

    later = deal_values(hands, GAME, 5, seed=1, first=10)
    assert (later == deal_values(hands, GAME, 15, seed=1)[10:]).all()
    assert (later != deal_values(hands, GAME, 5, seed=2)).any()
