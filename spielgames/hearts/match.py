"""A match of Hearts: until a player has 100 points; the lowest total wins, and ties share."""

from typing import Any

import numpy as np
from numba import prange

from spielgames.core.loops import Kernel
from spielgames.core.match import Match, shared_pot
from spielgames.hearts.rules import ANY, HOLD, PLAYERS
from spielgames.hearts.scoring import all_points, final_points, moon_shooter
from spielgames.hearts.words import DIRECTIONS

DRAWN = "any"  # the value of `pass` for which chance draws the direction


class HeartsMatch(Match):
    def prepare(
        self, states: np.ndarray, totals: np.ndarray, deals: int, carried: np.ndarray
    ) -> None:
        """Left, right, across, hold, and so on, where chance would draw the direction."""
        states["pass_rule"][states["pass_rule"] == ANY] = deals % (HOLD + 1)

    def parameters(self, given: dict[str, Any], deals: int, carried: int) -> dict[str, Any]:
        drawn = given.get("pass", DRAWN) == DRAWN
        return given | ({"pass": DIRECTIONS[deals % len(DIRECTIONS)]} if drawn else {})

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
    """A moon gives each other seat 26 points, or takes 26 from the shooter if they would otherwise
    not be (jointly) lowest (docs/rules/hearts.md, "Matches").
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
