"""The rules by which deals add up to a match."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from spielgames.core.loops import final_returns


@dataclass(frozen=True)
class Match:
    """A match to `goal` points: the winner of a deal scores what it is worth, and a side that has
    reached the goal and leads has won. A match still open after `limit` deals counts as it stands.

    That is how Snapszer is played; another game overrides what differs. Arrays have one row per
    match. Players keep their points and change seats: `states`, `scores` and the totals that
    `prepare` and `scores` are given go by seat, all other totals by player.
    """

    goal: int
    limit: int = 1000
    takes_turns: ClassVar[bool] = False  # whether more players than seats may share the table

    def prepare(
        self, states: np.ndarray, totals: np.ndarray, deals: int, carried: np.ndarray
    ) -> None:
        """Write into new deals what they inherit from a match that is `deals` deals old."""

    def parameters(self, given: dict[str, Any], deals: int, carried: int) -> dict[str, Any]:
        """The same for a single new deal: the game's parameters, with what it inherits."""
        return given

    def is_void(self, states: np.ndarray) -> np.ndarray:
        """Whether finished deals do not count, and are dealt again. `[rows] bool`"""
        return np.zeros(len(states), bool)

    def scores(self, states: np.ndarray, totals: np.ndarray) -> np.ndarray:
        """The points that finished deals add. `[rows, seats]`"""
        return np.maximum(utilities(states), 0)

    def carries(self, states: np.ndarray, carried: np.ndarray) -> np.ndarray:
        """A number carried from deal to deal beside the totals. `[rows]`"""
        return carried

    def next_opener(self, opener: np.ndarray, scores: np.ndarray, players: int) -> np.ndarray:
        """The player, of so many, who has seat 0 in the next deal; the others follow in order.
        `[rows]`
        """
        return (opener + 1) % players

    def is_decided(self, totals: np.ndarray) -> np.ndarray:
        highest = totals.max(axis=1)
        return (highest >= self.goal) & (highest > totals.min(axis=1))

    def is_over(self, totals: np.ndarray, deals: int) -> np.ndarray:
        return self.is_decided(totals) | (deals >= self.limit)

    def utilities(self, totals: np.ndarray) -> np.ndarray:
        """The value of each player's result: the highest total wins."""
        return shared_pot(totals == totals.max(axis=1, keepdims=True))


def utilities(states: np.ndarray) -> np.ndarray:
    """The utilities of finished deals. `[rows, seats]`"""
    out = np.empty(states["played"].shape)
    final_returns(states, out)
    return out


def shared_pot(winners: np.ndarray) -> np.ndarray:
    """Everybody puts in 1, and the winners share: +1 and −1 between two sides, 0 for a draw; +3 for
    one winner among four.
    """
    return winners * winners.shape[1] / winners.sum(axis=1, keepdims=True) - 1
