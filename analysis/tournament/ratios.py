"""Means that are ratios of two sums over independent deals (a total by a number of cases), and
their errors.

sums = tally(values, cases)  # of each deal; those of other deals may be added
found = ratios(sums)
low, high = rate_interval(found)  # if each case counts 0 or 1

Cases within a deal are not independent. So a deal (in all its plays) is the unit, and the error
follows from how values and cases vary together from deal to deal.
"""

from typing import NamedTuple

import numpy as np

COVERED = 1.96  # standard errors on each side of a mean: 95 %


class Ratios(NamedTuple):
    """Ratios and their errors, for each column that was tallied."""

    mean: np.ndarray  # NaN without a case
    error: np.ndarray  # the standard error; NaN if fewer than two deals have cases
    cases: np.ndarray
    deals: np.ndarray  # those that have cases


def tally(values: np.ndarray, cases: np.ndarray) -> np.ndarray:
    """The sums that `ratios` needs, of arrays `[deals, columns]`. `[6, columns]`"""
    parts = (values, cases, values * values, values * cases, cases * cases, cases > 0)
    return np.array([part.sum(axis=0) for part in parts], float)


def ratios(sums: np.ndarray) -> Ratios:
    """Means with linearised errors, as usual for ratios."""
    total, cases, squares, products, case_squares, deals = sums
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = total / cases
        spread = np.maximum(squares - 2 * mean * products + mean**2 * case_squares, 0.0)
        error = np.where(deals > 1, np.sqrt(spread * deals / (deals - 1)) / cases, np.nan)
    return Ratios(mean, error, cases, deals)


def rate_interval(found: Ratios) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the 95 % interval of rates: Wilson's (1927), for the number of independent cases
    that would have this error. It stays within 0 and 1, and has a width even if all cases are
    alike.
    """
    rate, error = found.mean, found.error
    with np.errstate(invalid="ignore", divide="ignore"):
        n = np.where(error > 0, rate * (1 - rate) / error**2, found.deals) / COVERED**2
        middle = (rate + 0.5 / n) / (1 + 1 / n)
        reach = np.sqrt(rate * (1 - rate) / n + 0.25 / n**2) / (1 + 1 / n)
    return np.clip(middle - reach, 0, rate), np.clip(middle + reach, rate, 1)  # rounding
