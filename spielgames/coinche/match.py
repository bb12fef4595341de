"""A match of Coinche: to 1000. Deals that all pass are dealt again, and nobody scores."""

import numpy as np

from spielgames.coinche.scores import CLASSIC, MADE_AND_ANNOUNCED
from spielgames.core.match import Match, utilities


class CoincheMatch(Match):
    """A side scores what it made and announced if that is the variant's reward; otherwise what the
    classic reward gives, whatever the deal's utility is: the other rewards take points away, so
    that no total would be sure to reach the goal. If both sides reach it at once, the higher total
    wins; level, they play on.
    """

    def scores(self, states: np.ndarray, totals: np.ndarray) -> np.ndarray:
        scored = states.copy()
        scored["reward"][states["reward"] != MADE_AND_ANNOUNCED] = CLASSIC
        return utilities(scored)
