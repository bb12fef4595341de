"""A public position as a game of its own, small enough to be solved exactly.

    game = subgame(SNAPSZER, deals)  # states with the same public past
    nash_conv(game.tree(weights), game.profile_of(agent))  # where deals are not equally likely

Chance draws the deal; each seat sees its own cards, and what is done from then on. A deal ends
where nothing is hidden any more, with the value of perfect play.
"""

from dataclasses import dataclass
from typing import NamedTuple, Self

import numpy as np

from solvers.exact.profiles import Profile, normalised
from solvers.search.endings import exact_values, open_rows
from spielgames.agents import Agent, legal_flags
from spielgames.core.arrays import take
from spielgames.core.game import Game
from spielgames.core.loops import final_returns
from spielgames.core.record import TERMINAL
from spielgames.core.tree import Tree, Treeplex
from spielgames.core.walk import Level

PATH = 64  # more than there are actions


@dataclass(frozen=True)
class Subgame:
    game: Game
    seats: list[Treeplex]
    asked: list[np.ndarray]  # for each seat, a state in each of its information sets
    leaves: np.ndarray  # [leaves, 2] the last sequence of each seat
    deal: np.ndarray  # [leaves]
    value: np.ndarray  # [leaves] to seat 0

    def tree(self, weights: np.ndarray) -> Tree:
        """The tree if chance deals in proportion to the weights. `[deals]`"""
        worth, payoff = np.unique(self.value, return_inverse=True)
        return Tree(
            name=self.game.name,
            seats=self.seats,
            leaves=self.leaves,
            chance=weights[self.deal] / weights.sum(),
            payoff=payoff.astype(np.int32),
            payoffs=np.stack([worth, -worth], axis=1),
        )

    def profile_of(self, agent: Agent) -> Profile:
        """What an agent does in each seat."""
        return [
            strategy_of(agent, plex, states)
            for plex, states in zip(self.seats, self.asked, strict=True)
        ]


def strategy_of(agent: Agent, plex: Treeplex, states: np.ndarray) -> np.ndarray:
    chances = agent.probabilities(states).astype(float)
    sets = np.repeat(np.arange(plex.sets), np.diff(plex.first))
    return normalised(plex, np.concatenate([[1.0], chances[sets, plex.action[1:]]]))


class Seat:
    """The information sets of a seat, as they are found."""

    def __init__(self, hands: np.ndarray) -> None:
        self.hand = np.unique(hands, return_inverse=True)[1]  # [deals]
        self.parent: list[np.ndarray] = []
        self.actions: list[np.ndarray] = []
        self.states: list[np.ndarray] = []
        self.counts: list[np.ndarray] = []
        self.sequences = 1

    def add(self, at: "Histories", seat: int, actions: int) -> np.ndarray:
        """Add the sets of some histories, which the hand and the path tell apart; return the
        sequence of each action there. `[histories, actions]`
        """
        keys = np.stack([at.path, self.hand[at.deal]])
        _, first, which = np.unique(keys, axis=1, return_index=True, return_inverse=True)
        legal = legal_flags(take(at.states, first), actions)
        numbers = self.sequences + np.cumsum(legal).reshape(legal.shape) - 1
        self.parent.append(at.last[first, seat])
        self.actions.append(np.nonzero(legal)[1])
        self.states.append(take(at.states, first))
        self.counts.append(legal.sum(axis=1))
        self.sequences += int(legal.sum())
        return numbers[which.ravel()]

    def treeplex(self) -> Treeplex:
        parent, actions, counts = map(np.concatenate, (self.parent, self.actions, self.counts))
        return Treeplex(
            parent=parent.astype(np.int32),
            first=np.cumsum([1, *counts]).astype(np.int32),
            action=np.concatenate([[-1], actions]).astype(np.int8),
            key=np.arange(len(parent)),
        )


class Histories(NamedTuple):
    """Histories of the same length."""

    states: np.ndarray  # [n]
    deal: np.ndarray  # [n]
    last: np.ndarray  # [n, 2] int32: the last sequence of each seat
    path: np.ndarray  # [n] what has been done, as a number

    def take(self, rows: np.ndarray) -> Self:
        return type(self)(take(self.states, rows), *(column[rows] for column in self[1:]))

    def next(self, seats: list[Seat], actions: int) -> Self:
        """The histories that are one step longer; the seats note their information sets."""
        movers, numbers = self.states["turn"], np.zeros((len(self.states), actions), np.int32)
        for k, seat in enumerate(seats):
            rows = np.flatnonzero(movers == k)
            if len(rows):
                numbers[rows] = seat.add(self.take(rows), k, actions)
        level = Level.root(self.states).next()
        above, done = self.take(level.parents), np.flatnonzero(movers[level.parents] >= 0)
        chosen = level.actions[done]
        above.last[done, movers[level.parents[done]]] = numbers[level.parents[done], chosen]
        above.path[done] = above.path[done] * PATH + chosen + 1
        return above._replace(states=level.states)


def subgame(game: Game, deals: np.ndarray) -> Subgame:
    """Deals that look alike to a spectator, as a game between two seats."""
    seats, leaves = [Seat(deals["hands"][:, seat]) for seat in range(2)], []
    at = Histories(
        *(deals, np.arange(len(deals)), np.zeros((len(deals), 2), np.int32)),
        np.zeros(len(deals), np.int64),
    )
    while len(at.states):
        over = (at.states["turn"] == TERMINAL) | open_rows(at.states)
        ends, at = at.take(np.flatnonzero(over)), at.take(np.flatnonzero(~over))
        leaves.append((ends.last, ends.deal, values_of(game, ends.states)))
        at = at.next(seats, game.actions)
    parts = map(np.concatenate, zip(*leaves, strict=True))
    asked = [np.concatenate(seat.states) for seat in seats]
    return Subgame(game, [seat.treeplex() for seat in seats], asked, *parts)


def values_of(game: Game, states: np.ndarray) -> np.ndarray:
    """What ends are worth to seat 0: the result, or that of perfect play."""
    out = np.empty((len(states), game.players))
    final_returns(states, out)
    rows = np.flatnonzero(states["turn"] != TERMINAL)
    values = exact_values(game, take(states, rows))
    out[rows, 0] = np.where(states["turn"][rows] == 0, values, -values)
    return out[:, 0]
