"""A match of Hokm: to 7 game points; winning a deal scores 1, 2 or 3."""

import numpy as np

from spielgames.core.match import Match


class HokmMatch(Match):
    def next_opener(self, opener: np.ndarray, scores: np.ndarray, players: int) -> np.ndarray:
        """The Hakem stays while their team wins (docs/rules/hokm.md, "Matches")."""
        return (opener + (scores[:, 0] == 0)) % players
