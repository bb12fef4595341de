"""A match of Hearts: until somebody has 100 points; the lowest total wins, ties share."""

import numpy as np
from numba import prange

from spielgames.core.loops import Kernel
from spielgames.core.match import Match, shared_pot
from spielgames.hearts.rules import ANY, HOLD, PLAYERS
from spielgames.hearts.scoring import all_points, final_points, moon_shooter


class HeartsMatch(Match):
    def prepare(self, states: np.ndarray, deals: int, carried: np.ndarray) -> None:
        """Left, right, across, hold, and again, instead of any direction by chance."""
        states["pass_rule"][states["pass_rule"] == ANY] = deals % (HOLD + 1)

    def scores(self, states: np.ndarray, totals: np.ndarray) -> np.ndarray:
        out = np.empty(totals.shape)
        count_points(states, totals, out)
        return out

    def is_decided(self, totals: np.ndarray) -> np.ndarray:
        return totals.max(axis=1) >= self.goal

    def utilities(self, totals: np.ndarray) -> np.ndarray:
        return shared_pot(totals == totals.min(axis=1, keepdims=True))


@Kernel
def count_points(states: np.ndarray, totals: np.ndarray, out: np.ndarray) -> None:
    """The moon gives each other seat 26 points, unless the shooter would then not be (jointly)
    lowest: then it takes 26 from him (RULES.md, "Hearts").
    """
    for i in prange(len(states)):
        s = states[i]
        for seat in range(PLAYERS):
            out[i, seat] = final_points(s, seat)
        shooter = moon_shooter(s)
        if shooter >= 0:
            lowest = (totals[i] + out[i]).min()
            if totals[i, shooter] + out[i, shooter] > lowest:
                out[i] -= all_points(s)
