"""Ratios of sums over deals, and the intervals of rates."""

import numpy as np
import pytest

from analysis.tournament.ratios import COVERED, rate_interval, ratios, tally


def found(values, cases):
    """Of one column."""
    return ratios(tally(np.array(values, float)[:, None], np.array(cases, float)[:, None]))


def test_equal_cases_give_the_mean_and_its_standard_error():
    values = [1.0, 4.0, 2.5, 0.5]
    mean, error, cases, deals = found(values, [1] * 4)
    assert (mean, cases, deals) == (np.mean(values), 4, 4)
    assert error == pytest.approx(np.std(values, ddof=1) / 2)


def test_the_error_counts_deals_not_cases():
    """Ten times the same within a deal is no more than once."""
    once = found([1, 0, 0, 1, 0], [1] * 5)
    often = found([10, 0, 0, 10, 0], [10] * 5)
    assert often.error == pytest.approx(once.error)
    assert np.ravel(rate_interval(often)) == pytest.approx(np.ravel(rate_interval(once)))


def test_a_constant_rate_has_no_error_however_many_cases():
    assert found([1, 2, 3], [2, 4, 6]).error == 0


def test_the_error_is_that_of_repeated_measurement():
    rng = np.random.default_rng(3)
    cases = rng.integers(0, 6, (2000, 300))
    values = rng.binomial(cases, rng.beta(2, 2, cases.shape))
    runs = ratios(tally(values.T, cases.T))
    assert runs.error.mean() == pytest.approx(runs.mean.std(), rel=0.05)


@pytest.mark.parametrize(("times", "n"), [(0, 10), (1, 9), (5, 9), (10, 10)])
def test_wilsons_interval_ends_where_a_rate_would_be_that_far_off(times, n):
    """Of ten deals with a case each. An error with n − 1 under it makes nine of them; where there
    is no error they count as they are.
    """
    rate, z2 = times / 10, COVERED**2
    ends = np.roots([1 + z2 / n, -(2 * rate + z2 / n), rate**2])  # (p − rate)² = z² p (1 − p) / n
    told = np.ravel(rate_interval(found([1] * times + [0] * (10 - times), [1] * 10)))
    assert told == pytest.approx(sorted(ends), abs=1e-9)


def test_no_cases_and_one_deal():
    none = found([0, 0], [0, 0])
    assert np.isnan(none.mean) and none.cases == 0 and np.isnan(np.ravel(rate_interval(none))).all()
    one = found([2], [2])
    assert one.mean == 1 and np.isnan(one.error)
    low, high = rate_interval(one)
    assert 0 < low < 0.5 and high == 1


def test_tallies_add_up():
    rng = np.random.default_rng(1)
    cases = rng.integers(0, 4, (60, 2))
    values = rng.binomial(cases, 0.4)
    halves = tally(values[:20], cases[:20]) + tally(values[20:], cases[20:])
    np.testing.assert_allclose(halves, tally(values, cases))
