"""Whole matches: deals add up until a side has won, in many matches at once.

result = play_matches(agents, pair_lineups(game), matches=100, seed=1)
result.utilities  # [matches, lineups, players]

Player p is the one that the line-up puts in seat p of the first deal. From deal to deal the players
move on against the seats, keeping their order, so partners stay partners.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from spielgames.agents import Agent
from spielgames.contest import ROWS, check_seats, play_states
from spielgames.core.game import Game, initial_state
from spielgames.core.match import Match
from spielgames.core.players import fork_streams, start_lineups


class MatchResult(NamedTuple):
    """The results of matches."""

    utilities: np.ndarray  # `[matches, lineups, players]`
    totals: np.ndarray  # points, or money, `[matches, lineups, players]`
    deals: np.ndarray  # the number played, `[matches, lineups]`


def match_of(game: Game, goal: int | None) -> Match:
    """The game's match, to another goal if one is given."""
    if game.match is None:
        raise ValueError(f"{game.name} has no matches")
    if goal is None:
        return game.match
    if goal < 1:
        raise ValueError(f"goal={goal} is not allowed; it must be at least 1")
    return replace(game.match, goal=goal)


def forked(seeds: np.ndarray, index: int) -> np.ndarray:
    """One stream from each seed."""
    out = np.empty_like(seeds)
    fork_streams(seeds, index, out)
    return out


class Matches:
    """Matches in play: each advances by one deal at a time, until all are over. `lineups`
    `[matches, lineups, seats]` are those of matches `first`, `first`+1, …
    """

    def __init__(
        self,
        agents: Sequence[Agent],
        lineups: np.ndarray,
        seed: int,
        first: int = 0,
        goal: int | None = None,
    ) -> None:
        self.agents, self.lineups = agents, lineups
        self.seatings = lineups.reshape(-1, lineups.shape[-1])
        game = agents[0].game
        self.match = match_of(game, goal)
        check_seats(agents, self.seatings, self.match.takes_turns)
        self.start = initial_state(game, agents[0].variant)
        self.totals = np.zeros(self.seatings.shape)
        self.deals, self.opener, self.carried = np.zeros((3, len(self.totals)), np.int64)
        self.luck, self.whims = np.empty((2, len(self.totals)), np.uint64)
        start_lineups(self.totals, lineups.shape[1], first, seed, self.luck, self.whims)
        self.rows = np.arange(len(self.totals))  # the matches that go on
        self.dealt = 0

    def running(self) -> bool:
        """Whether any match is not over."""
        return len(self.rows) > 0

    def players(self) -> np.ndarray:
        """The player in each seat of the next deal, in the matches that go on. `[rows, seats]`"""
        seats = np.arange(self.agents[0].game.players)
        return (self.opener[self.rows, None] + seats) % self.totals.shape[1]

    def play_deal(self) -> np.ndarray:
        """Play one more deal in every match that goes on; return what it adds. `[rows, seats]`"""
        rows, players = self.rows, self.players()
        before = np.take_along_axis(self.totals[rows], players, axis=1)
        states = self._states_after_play(rows, players, before)
        scores = self.match.scores(states, before)
        self.totals[rows[:, None], players] += scores
        self.carried[rows] = self.match.carries(states, self.carried[rows])
        opener = self.match.next_opener(self.opener[rows], scores, self.totals.shape[1])
        self.opener[rows] = opener
        self.deals[rows] += 1
        self.dealt += 1
        self.rows = rows[~self.match.is_over(self.totals[rows], self.dealt)]
        return scores

    def _states_after_play(
        self, rows: np.ndarray, players: np.ndarray, totals: np.ndarray
    ) -> np.ndarray:
        """The finished deals of some matches. Those that do not count are dealt again."""
        states = np.repeat(self.start, len(rows))
        seatings = np.take_along_axis(self.seatings[rows], players, axis=1)
        again, tries = np.arange(len(rows)), 0
        while len(again):
            some, deal = np.repeat(self.start, len(again)), self.dealt + (tries << 32)
            self.match.prepare(some, totals[again], self.dealt, self.carried[rows[again]])
            luck, whims = (forked(seeds[rows[again]], deal) for seeds in (self.luck, self.whims))
            play_states(self.agents, some, seatings[again], luck, whims)
            states[again] = some
            again, tries = again[self.match.is_void(some)], tries + 1
        return states

    def play(self) -> MatchResult:
        """Play all matches to the end."""
        while self.running():
            self.play_deal()
        return self.result()

    def result(self) -> MatchResult:
        """The results, or the standings of those that go on."""
        shape = self.lineups.shape
        utilities = self.match.utilities(self.totals)
        return MatchResult(
            utilities.reshape(shape), self.totals.reshape(shape), self.deals.reshape(shape[:2])
        )


def play_matches(
    agents: Sequence[Agent],
    lineups: np.ndarray,
    matches: int,
    seed: int,
    first: int = 0,
    goal: int | None = None,
) -> MatchResult:
    """Play matches `first` … `first + matches − 1` of a seed, each with every line-up (indices of
    agents, `[lineups, seats]`, or `[matches, lineups, seats]` if each match has its own). The cards
    of a match's k-th deal are the same in all its line-ups. `goal` is the number of points to play
    to, or of deals in a Sheephead session, if not the game's own.
    """
    if matches < 1:
        raise ValueError(f"matches={matches} is not allowed; it must be at least 1")
    lineups = np.broadcast_to(lineups, (matches, *lineups.shape[-2:]))
    at_once = max(1, ROWS // lineups.shape[1])
    parts = [
        Matches(agents, lineups[k : k + at_once], seed, first + k, goal).play()
        for k in range(0, matches, at_once)
    ]
    return MatchResult(*map(np.concatenate, zip(*parts, strict=True)))
