"""A session of Sheephead: a number of deals for money (docs/rules/sheephead.md, "Matches")."""

from typing import Any, ClassVar

import numpy as np
from numba import prange

from spielgames.core.loops import Kernel
from spielgames.core.match import Match, utilities
from spielgames.core.record import NOBODY
from spielgames.sheephead.scoring import is_tied

DOUBLED = 5  # deals are doubled after one that ends 60–60


class SheepheadMatch(Match):
    """The goal is the number of deals, and what is carried is how many more of them are doubled.
    Another 60–60 doubles the five deals after it: doublings neither add up nor multiply. Of more
    than five players, the dealer and those before the dealer sit out.
    """

    takes_turns: ClassVar[bool] = True

    def prepare(
        self, states: np.ndarray, totals: np.ndarray, deals: int, carried: np.ndarray
    ) -> None:
        states["doubled"] |= carried > 0

    def parameters(self, given: dict[str, Any], deals: int, carried: int) -> dict[str, Any]:
        return given | ({"doubled": True} if carried > 0 else {})

    def is_void(self, states: np.ndarray) -> np.ndarray:
        return (states["picker"] == NOBODY) & (states["nola"] == 0)

    def scores(self, states: np.ndarray, totals: np.ndarray) -> np.ndarray:
        return utilities(states)

    def carries(self, states: np.ndarray, carried: np.ndarray) -> np.ndarray:
        tied = np.empty(len(states), bool)
        find_ties(states, tied)
        return np.where(tied, DOUBLED, np.maximum(carried - 1, 0))

    def is_over(self, totals: np.ndarray, deals: int) -> np.ndarray:
        return np.full(len(totals), deals >= self.goal)

    def utilities(self, totals: np.ndarray) -> np.ndarray:
        """The money won or lost."""
        return totals


@Kernel
def find_ties(states: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        out[i] = is_tied(states[i])
