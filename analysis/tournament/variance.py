"""Intervals, and ways to make them narrower with the same number of deals.

low, high = intervals(values)[0][1:]                     # a bootstrap over the rows: deals, matches
controlled = control_variate(values, covariates, means)  # the same mean from calmer numbers

Duplicates: the deal is played in every seating, so that good cards help both sides. Control
variates: what is known about a deal's luck, and whose mean is known, is subtracted in proportion.
How much either helps is measured on the same data, as a ratio of variances of the mean.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numba import prange

from spielgames.core import loops
from spielgames.core.game import initial_state
from spielgames.core.luck import below, forward, stream
from spielgames.core.players import start_lineups
from spielgames.core.registry import find

RESAMPLES = 2000
GROUPS = 10_000  # more rows are first averaged in this many groups
COVERED = (0.025, 0.975)
FOLDS = 2
ROUNDING = 1e-12


class Interval(NamedTuple):
    """A mean and its 95 % interval."""

    mean: float
    low: float
    high: float


class Controlled(NamedTuple):
    """Values that have the same mean as before, and vary less."""

    values: np.ndarray  # [n]
    noise: float  # variance that the mean gets from not knowing the covariates' means exactly
    factor: float | None  # the mean's variance before ÷ after, noise included

    def interval(self) -> Interval:
        """The mean with its interval, widened by the noise."""
        mean, low, high = intervals(self.values)[0]
        sampling = self.values.var() / len(self.values)
        widening = np.sqrt(1 + self.noise / sampling) if sampling else 1.0
        return Interval(mean, mean - (mean - low) * widening, mean + (high - mean) * widening)


def intervals(values: np.ndarray, seed: int = 0) -> list[Interval]:
    """The mean of each column with the interval of a percentile bootstrap over the rows, which must
    be independent of each other (results of one deal are not, and belong in one row).

    Above 10,000 rows, groups of consecutive rows are drawn instead: they are independent as well,
    and so many that the ends of an interval move by less than a hundredth of its width.
    """
    values = values.reshape(len(values), -1)
    starts = np.arange(min(len(values), GROUPS)) * len(values) // min(len(values), GROUPS)
    sizes = np.diff(starts, append=len(values)).astype(float)
    means = np.empty((RESAMPLES, values.shape[1]))
    resample(means, np.add.reduceat(values, starts), sizes, seed)
    ends = np.quantile(means, COVERED, axis=0)
    columns = zip(values.mean(axis=0), *ends, strict=True)
    return [Interval(*map(float, column)) for column in columns]


@loops.Kernel
def resample(out: np.ndarray, sums: np.ndarray, sizes: np.ndarray, seed: int) -> None:
    """Write the means of groups drawn with replacement to each row of `out`."""
    for i in prange(len(out)):
        luck = stream(seed, i)
        size = 0.0
        out[i, :] = 0.0
        for _ in range(len(sums)):
            luck = forward(luck)
            k = below(luck, len(sums))
            size += sizes[k]
            for column in range(out.shape[1]):
                out[i, column] += sums[k, column]
        for column in range(out.shape[1]):
            out[i, column] /= size


def ratio(before: float, after: float) -> float | None:
    """A reduction factor; None where nothing varies any more except by rounding."""
    return float(before / after) if after > ROUNDING * before else None


def duplicate_factor(plays: np.ndarray, weights: np.ndarray) -> float | None:
    """The factor by which the mean's variance would grow if every play had its own deal; below 1 if
    a deal that is good for one agent is good for it in every seating. `plays`: results `[deals,
    lineups]`; `weights`: those of the line-ups in the mean.
    """
    apart = (weights**2 * plays.var(axis=0)).sum()
    return ratio(apart, (plays @ weights).var())


def control_variate(
    values: np.ndarray, covariates: np.ndarray, means: np.ndarray, samples: float = np.inf
) -> Controlled:
    """Subtract from values `[n]` what covariates `[n, k]` explain of them.

    The slopes for one half of the rows are fitted on the other half (cross-fitting), so that the
    mean stays unbiased. Where the covariates' means `[k]` are themselves measured, on that many
    other `samples`, the slopes are smaller: that is what makes the variance least.
    """
    n = len(values)
    fold = np.arange(n) % FOLDS
    fits = [slopes(values[fold != i], covariates[fold != i]) for i in range(FOLDS)]
    slope = np.array(fits) / (1 + n / samples)
    calmer = values - ((covariates - means) * slope[fold]).sum(axis=1)
    noise = float((covariates @ slope.mean(axis=0)).var() / samples)
    return Controlled(calmer, noise, ratio(values.var() / n, calmer.var() / n + noise))


def slopes(values: np.ndarray, covariates: np.ndarray) -> np.ndarray:
    """The least-squares slope of each covariate. `[k]`"""
    centred = covariates - covariates.mean(axis=0)
    return np.linalg.lstsq(centred, values - values.mean(), rcond=None)[0]


def deal_values(
    value: Callable[[np.ndarray], np.ndarray], game: str, deals: int, seed: int, first: int = 0
) -> np.ndarray:
    """Return the values that a function (states to utilities `[n, seats]`, seeing all hands) gives
    deals `first`, `first`+1, … of a seed when the first decision is due. `[deals, seats]`

    As a covariate it helps where each deal is played in one seating. Between balanced duplicates
    it cancels exactly: an agent holds all cards of the deal once, whatever they are worth.
    """
    states = np.repeat(initial_state(*find(game)), deals)
    luck, whims, sets = np.empty((3, deals), np.uint64)
    start_lineups(states, 1, first, seed, luck, whims)
    loops.deal(states, np.ones(deals, bool), luck, np.empty(deals, np.int8), sets)
    return value(states)
