"""A match of Snapszer, to 7: a deal with `match=True` is told how it stands."""

import numpy as np

from spielgames.core.match import Match
from spielgames.snapszer.record import GOAL


class SnapszerMatch(Match):
    def prepare(
        self, states: np.ndarray, totals: np.ndarray, deals: int, carried: np.ndarray
    ) -> None:
        """The score says what is missing to 7, whatever the match goes to."""
        states["given"] = np.clip(totals + GOAL - self.goal, 0, GOAL - 1)

    def scores(self, states: np.ndarray, totals: np.ndarray) -> np.ndarray:
        won = states["winner"][:, None] == np.arange(totals.shape[1])
        return np.where(won, states["worth"][:, None], 0.0)
