"""A match of Coinche, to 1000. Deals in which all pass are redealt, and nobody scores."""

import numpy as np

from spielgames.coinche.scores import CLASSIC, MADE_AND_ANNOUNCED
from spielgames.core.match import Match, utilities


class CoincheMatch(Match):
    """A side scores what it made and announced if that is the variant's reward, and the classic
    reward otherwise, whatever the utility is: other rewards take points away, and a match might
    never end. If both sides reach the goal at once, the higher total wins; if level, they play on.
    """

    def scores(self, states: np.ndarray, totals: np.ndarray) -> np.ndarray:
        scored = states.copy()
        scored["reward"][states["reward"] != MADE_AND_ANNOUNCED] = CLASSIC
        return utilities(scored)
