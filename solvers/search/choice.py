"""The choice of an action from its values in worlds that all actions have met."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

NEARLY = 1e-9  # values closer than this are equal
UNLIKELY = 0.0025  # an action that the base never plays counts as if it did so often
FIRST_BLOCK = 8  # worlds before anything is eliminated


class Evidence(NamedTuple):
    """The values of actions in the worlds of some positions, NaN where one was not tried."""

    values: np.ndarray  # [games, worlds, actions]
    weights: np.ndarray  # [games, worlds]
    complete: np.ndarray  # [games] whether these are all worlds there are

    def spread(self, rows: np.ndarray, games: int) -> "Evidence":
        """The same as the evidence of some rows among more games."""
        values = np.full((games, *self.values.shape[1:]), np.nan)
        weights = np.zeros((games, self.weights.shape[1]))
        values[rows], weights[rows] = self.values, self.weights
        complete = np.zeros(games, bool)
        complete[rows] = self.complete
        return Evidence(values, weights, complete)

    def shares(self) -> np.ndarray:
        """The weight of each world among those in which an action was tried, NaN if in none.
        `[games, worlds, actions]`
        """
        weights = np.where(np.isnan(self.values), 0.0, self.weights[:, :, None])
        with np.errstate(invalid="ignore"):
            return weights / weights.sum(axis=1, keepdims=True)

    def means(self) -> np.ndarray:
        """The mean value of each action, −∞ if it was never tried. `[games, actions]`"""
        shares = self.shares()
        means = (shares * np.nan_to_num(self.values)).sum(axis=1)
        return np.where(np.isnan(means), -np.inf, means)

    def finished(self) -> np.ndarray:
        """The actions that have met as many worlds as any. `[games, actions]`"""
        tries = (~np.isnan(self.values)).sum(axis=1)
        return tries == tries.max(axis=1, keepdims=True)

    def errors(self, usual: np.ndarray) -> np.ndarray:
        """The standard error of each action's gain on the usual one, in the worlds that both have
        met; 0 if it was never tried. `[games, actions]`
        """
        gains = self.values - np.take_along_axis(self.values, usual[:, None, None], axis=2)
        return self._replace(values=gains).uncertainty()

    def uncertainty(self) -> np.ndarray:
        """The standard error of each mean; 0 where all worlds are known. `[games, actions]`"""
        shares, known = self.shares(), np.nan_to_num(self.values)
        means = (shares * known).sum(axis=1, keepdims=True)
        variances = (shares * (known - means) ** 2).sum(axis=1)
        errors = np.nan_to_num(np.sqrt(variances * (shares**2).sum(axis=1)))
        return np.where(self.complete[:, None], 0.0, errors)

    def best_in(self) -> np.ndarray:
        """The share of worlds in which no other action is better. `[games, actions]`"""
        values = np.where(np.isnan(self.values), -np.inf, self.values)
        best = values >= values.max(axis=2, keepdims=True) - NEARLY
        return np.nan_to_num((self.shares() * best).sum(axis=1))


def join(parts: Sequence[Evidence]) -> Evidence:
    """The evidence of several blocks of worlds, each block counting by its size."""
    if len(parts) == 1:
        return parts[0]
    sizes = [part.values.shape[1] for part in parts]
    weights = [size / sum(sizes) * part.weights for size, part in zip(sizes, parts, strict=True)]
    values = np.concatenate([part.values for part in parts], axis=1)
    return Evidence(values, np.concatenate(weights, axis=1), parts[0].complete)


@dataclass(frozen=True)
class Choice:
    """The budget of worlds or of time, and what is made of the evidence."""

    worlds: int = 50
    caution: float = 1.0  # the standard errors by which an action must be better than the base's
    eliminate: float = 0.0  # the standard errors behind at which an action is dropped; 0: never
    ms: float = 0.0  # the time for a decision, in which the worlds are doubled; 0: no limit
    prior: float = 0.0  # the value of an action that the base plays e times as often as another

    def __post_init__(self) -> None:
        if self.worlds < 1:
            raise ValueError(f"worlds={self.worlds} is not allowed; it must be at least 1")
        for name in ("caution", "eliminate", "ms", "prior"):
            if not getattr(self, name) >= 0:
                raise ValueError(
                    f"{name}={getattr(self, name)} is not allowed; it must be at least 0"
                )

    def size(self, block: int) -> int:
        """The number of worlds in a block: all of them; or, to eliminate on the way, 8, 8, 16, …"""
        if self.ms:
            return self.worlds << max(block - 1, 0)
        if not self.eliminate:
            return self.worlds
        start = FIRST_BLOCK << block - 1 if block else 0
        return min(start or FIRST_BLOCK, self.worlds - start)

    def is_done(self, blocks: int, spent: float) -> bool:
        """Whether to stop after some blocks and so many seconds; with a time budget, if the next
        block, as large as all before, would not fit.
        """
        if self.ms:
            return 2 * spent > self.ms / 1000
        return not self.eliminate or FIRST_BLOCK << blocks - 1 >= self.worlds

    def survivors(self, evidence: Evidence, usual: np.ndarray) -> np.ndarray:
        """The actions that are not far behind the best, and the usual one. `[games, actions]`"""
        means, keeps = evidence.means(), evidence.finished()
        if not self.eliminate:
            return keeps
        best, rows = np.where(keeps, means, -np.inf).argmax(axis=1), np.arange(len(usual))
        behind = means[rows, best][:, None] - means
        keeps &= behind <= self.eliminate * evidence.errors(best) + NEARLY
        keeps[rows, usual] = True
        return keeps

    def probabilities(
        self, evidence: Evidence, usual: np.ndarray, loyal: bool, likely: np.ndarray | None = None
    ) -> np.ndarray:
        """The best action, or uniformly the best ones; a loyal search keeps the usual one if that
        is among them. A prior needs to know how `likely` the base is to play each action.
        `[games, actions] float32`
        """
        rows = np.arange(len(usual))
        worth = evidence.means() - self.caution * evidence.errors(usual)
        if likely is not None:
            worth += self.prior * np.log(np.maximum(likely, UNLIKELY))
        worth[~evidence.finished()] = -np.inf
        best = worth >= worth.max(axis=1, keepdims=True) - NEARLY
        stays = best[rows, usual] & loyal
        best[stays] = False
        best[rows[stays], usual[stays]] = True
        return (best / best.sum(axis=1, keepdims=True)).astype(np.float32)
