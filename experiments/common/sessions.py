"""Sessions: hands among the same players, who keep their places at the table.

All hands of a session are played at once, as no player looks at what earlier hands have brought.
What one hand carries to the next, such as doubled payments, is worked out afterwards.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from spielgames.agents import Agent
from spielgames.contest import play_states
from spielgames.core.game import initial_state
from spielgames.core.luck import PLAYERS_SEED
from spielgames.core.match import Match, utilities
from spielgames.core.players import fork_streams
from spielgames.matches import match_of


class Session(NamedTuple):
    finals: np.ndarray  # [hands] the finished deals
    players: np.ndarray  # [hands, seats] who had each seat
    money: np.ndarray  # [hands, players] what each has won


def streams(seed: int, first: int, count: int) -> np.ndarray:
    """The streams of luck `first` … of a seed."""
    base, out = np.empty(1, np.uint64), np.empty(count, np.uint64)
    fork_streams(np.array([seed], np.uint64), 0, base)
    for k in range(count):
        fork_streams(base, first + k, out[k : k + 1])
    return out


def play_session(
    agents: Sequence[Agent], order: np.ndarray, hands: int, seed: int, first: int
) -> Session:
    """Play hands `first` … of a seed. Player p plays like `agents[p]`, and `order` says who sits in
    which place; the first of them has seat 0 in the first hand, and the deal moves on.
    """
    game, start = agents[0].game, initial_state(agents[0].game, agents[0].variant)
    match, seats = match_of(game, hands), np.arange(game.players)
    players = np.asarray(order)[(np.arange(hands)[:, None] + seats) % len(order)]
    finals, again, tries = np.repeat(start, hands), np.arange(hands), 0
    luck, whims = (streams(seed ^ salt, first, hands) for salt in (0, PLAYERS_SEED))
    while len(again):
        some = np.repeat(start, len(again))
        play_states(agents, some, players[again], luck[again].copy(), whims[again].copy())
        finals[again] = some
        again, tries = again[match.is_void(some)], tries + 1
        for each in (luck, whims):
            each[again] += np.uint64(tries)
    return Session(finals, players, money_of(match, finals, players))


def money_of(match: Match, finals: np.ndarray, players: np.ndarray) -> np.ndarray:
    """What each player wins in each hand, with what earlier hands carry over. `[hands, players]`"""
    money, carried = np.zeros(players.shape), np.zeros(1, np.int64)
    for h in range(len(finals)):
        hand = finals[h : h + 1].copy()
        match.prepare(hand, money[: h + 1].sum(axis=0, keepdims=True), h, carried)
        money[h, players[h]] = utilities(hand)[0]
        carried = match.carries(hand, carried)
    return money
