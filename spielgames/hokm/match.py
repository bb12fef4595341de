"""A match of Hokm: to 7, a deal won counting 1, 2 or 3."""

import numpy as np

from spielgames.core.match import Match


class HokmMatch(Match):
    def next_opener(self, opener: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """The Hakem stays while his team wins; else it is the next player (RULES.md, "Hokm")."""
        return (opener + (scores[:, 0] == 0)) % scores.shape[1]
