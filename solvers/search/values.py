"""Values: what the results of play-outs are worth.

    pimc(value=utility)      the mean utility
    pimc(value=win_chance)   the chance of winning the deal, from fitted numbers

The numbers are measured by `python -m solvers.search.win_chance` and kept in win_chance.json.
"""

import json
from abc import abstractmethod
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from spielgames.specs import Part

FITS = Path(__file__).with_name("win_chance.json")


class Value(Part):
    """The worth of results."""

    wins: ClassVar[bool] = (
        False  # whether only winning counts, so that results are signs and margins
    )
    unit: ClassVar[str] = ""  # of the values; the game's own if it is empty

    @abstractmethod
    def of(self, ends: np.ndarray, left: np.ndarray) -> np.ndarray:
        """The worth of results `[games, worlds, actions, ways, 2]` to a mover who still has `left`
        cards. `[games, worlds, actions]`
        """


@dataclass(frozen=True)
class Utility(Value):
    """The utility of the last way of playing on."""

    kind: ClassVar[str] = "utility"

    def of(self, ends: np.ndarray, left: np.ndarray) -> np.ndarray:
        return ends[..., -1, 0]


@dataclass(frozen=True)
class WinChance(Value):
    """The probability of winning minus that of losing. `fit` names the numbers, as win_chance.json
    has them: the log-odds are `bias` plus, for each way of playing on, `margin` times the margin,
    and ±`won` divided by the number of cards that the mover has left.
    """

    fit: str = "hokm"
    kind: ClassVar[str] = "win_chance"
    wins: ClassVar[bool] = True
    unit: ClassVar[str] = "chance of winning − of losing"

    def __post_init__(self) -> None:
        if self.fit not in fits():
            raise ValueError(
                f"fit={self.fit} is not allowed; it must be one of {', '.join(fits())}"
            )

    def of(self, ends: np.ndarray, left: np.ndarray) -> np.ndarray:
        fit = fits()[self.fit]
        won, margin = np.moveaxis(ends.sum(axis=-2), -1, 0)
        told = fit["won"] / left[:, None, None] * won + fit["margin"] * margin
        return np.tanh((fit["bias"] + told) / 2)


@cache
def fits() -> dict[str, dict[str, Any]]:
    """All fitted numbers, by name."""
    return json.loads(FITS.read_text(encoding="utf-8"))
