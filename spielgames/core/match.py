"""How deals add up to a match."""

from dataclasses import dataclass

import numpy as np

from spielgames.core.loops import final_returns


@dataclass(frozen=True)
class Match:
    """To `goal` points: who wins a deal adds what it is worth, and a side that has the goal and
    leads has won. A match still open after `limit` deals counts as it stands.

    That is how Snapszer is played; another game overrides what differs. Arrays have a row for each
    of many matches. Players keep their points and change seats: `states`, `scores` and the totals
    that `scores` is given go by seat, all other totals by player.
    """

    goal: int
    limit: int = 1000

    def prepare(self, states: np.ndarray, deals: int, carried: np.ndarray) -> None:
        """Tells new deals what they owe to the match, `deals` deals old."""

    def scores(self, states: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """What the finished deals add. `[rows, seats]`"""
        return np.maximum(utilities(states), 0)

    def carries(self, states: np.ndarray, carried: np.ndarray) -> np.ndarray:
        """A number that goes from deal to deal beside the totals. `[rows]`"""
        return carried

    def next_opener(self, opener: np.ndarray, scores: np.ndarray) -> np.ndarray:
        """Which player has seat 0 in the next deal; the others follow in order. `[rows]`"""
        return (opener + 1) % scores.shape[1]

    def is_decided(self, totals: np.ndarray) -> np.ndarray:
        highest = totals.max(axis=1)
        return (highest >= self.goal) & (highest > totals.min(axis=1))

    def is_over(self, totals: np.ndarray, deals: int) -> np.ndarray:
        return self.is_decided(totals) | (deals >= self.limit)

    def utilities(self, totals: np.ndarray) -> np.ndarray:
        """The highest total wins."""
        return shared_pot(totals == totals.max(axis=1, keepdims=True))


def utilities(states: np.ndarray) -> np.ndarray:
    """Those of finished deals. `[rows, seats]`"""
    out = np.empty(states["played"].shape)
    final_returns(states, out)
    return out


def shared_pot(winners: np.ndarray) -> np.ndarray:
    """Everybody puts in 1 and the winners share: +1 and −1 between two sides, 0 for a draw; +3 for
    one winner of four.
    """
    return winners * winners.shape[1] / winners.sum(axis=1, keepdims=True) - 1
