"""One seat of full Coinche that bids by a fixed rule while the three others pass on.

rule = tune(seat, players, deals=100_000, seed=1)["mirror"]  # on some deals
bids, gains = play_rule(rule, seat, players, "mirror", deals=100_000, seed=2)  # on others

For each trump suit, a hand is classed by which of its jack, nine, ace and ten it holds, by its
number of trumps, and by its number of other aces. The rule says for each class which bid was worth
most on average on the tuning deals, and passes where that was nothing. All-pass is worth exactly 0,
so that what the bidder wins on average is what it gains.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numba import prange

from spielgames.agents import Agent
from spielgames.coinche.bidding import ACES
from spielgames.coinche.rules import FIRST_BID, LADDER, PASS, PLAYERS
from spielgames.coinche.scores import REWARDS
from spielgames.coinche.tables import RANKS, SUITS
from spielgames.contest import decide
from spielgames.core import loops
from spielgames.core.cards import ONE, lane
from spielgames.core.game import initial_state
from spielgames.core.players import play_on, start_lineups
from spielgames.core.registry import find

GAME = "python_coinche"
BIDS = LADDER + 1  # values of a bid, capot included
HONOURS = (4, 2, 7, 3)  # jack, nine, ace, ten
CLASSES = 16 * (RANKS + 1) * SUITS
ENOUGH = 50  # a class with fewer tuning deals passes
PORTION = 50_000  # deals at once


@dataclass(frozen=True)
class Deals:
    """Dealt games, and the random streams of their players."""

    states: np.ndarray
    luck: np.ndarray
    whims: np.ndarray

    def of(self, rows: np.ndarray) -> "Deals":
        return Deals(self.states[rows], self.luck[rows], self.whims[rows])


def deal(first: int, deals: int, seed: int) -> Deals:
    states = np.repeat(initial_state(*find(GAME)), deals)
    luck, whims, sets = np.empty((3, deals), np.uint64)
    start_lineups(states, 1, first, seed, luck, whims)
    loops.deal(states, np.ones(deals, bool), luck, np.empty(deals, np.int8), sets)
    return Deals(states, luck, whims)


def classes(hands: np.ndarray, suit: int) -> np.ndarray:
    """The class of each hand if a suit were trump."""
    ranks = hands >> np.uint64(RANKS * suit)
    held = [(ranks >> np.uint64(rank) & ONE).astype(np.int64) for rank in HONOURS]
    honours = sum(one << k for k, one in enumerate(held))
    length = np.bitwise_count(hands & lane(suit, RANKS))
    aces = np.bitwise_count(hands & ACES & ~lane(suit, RANKS))
    return (honours * (RANKS + 1) + length) * SUITS + aces


def bid_alone(deals: Deals, seat: int, bids: np.ndarray) -> Deals:
    """Play the auction in which the seat bids and all others pass."""
    begun = Deals(deals.states.copy(), deals.luck.copy(), deals.whims.copy())
    actors, sets = np.empty(len(bids), np.int8), np.empty(len(bids), np.uint64)
    for turn in range(seat + PLAYERS):
        calls = bids if turn == seat else np.full(len(bids), PASS)
        loops.step(begun.states, calls, begun.luck, actors, sets)
    return begun


@loops.Kernel
def play_cards(states: np.ndarray, levels: np.ndarray, luck: np.ndarray, whims: np.ndarray) -> None:
    """Play to the end with a compiled player of some level in each seat."""
    for i in prange(len(states)):
        play_on(states[i], levels, luck[i], whims[i])


def play_out(deals: Deals, players: list[Agent]) -> None:
    """Play to the end with any agents, in place."""
    levels = [agent.level for agent in players]
    if None not in levels:
        play_cards(deals.states, np.array(levels), deals.luck, deals.whims)
        return
    n = len(deals.states)
    actors, sets, actions = np.empty(n, np.int8), np.empty(n, np.uint64), np.zeros(n, np.int64)
    loops.look(deals.states, actors, sets)
    while (actors >= 0).any():
        for seat in np.unique(actors[actors >= 0]):
            rows = np.flatnonzero(actors == seat)
            decide(players[seat], deals.states, actors, sets, deals.whims, rows, actions)
        loops.step(deals.states, actions, deals.luck, actors, sets)


def worth(states: np.ndarray, seat: int, reward: str) -> np.ndarray:
    """The worth of each finished deal to a seat. `[deals]`"""
    states["reward"] = REWARDS.index(reward)
    out = np.empty((len(states), PLAYERS))
    loops.final_returns(states, out)
    return out[:, seat]


def tune(seat: int, players: list[Agent], deals: int, seed: int) -> dict[str, np.ndarray]:
    """The rule for each reward: what each class's bids were worth on average. `[classes, bids]`"""
    sums = {reward: np.zeros((CLASSES, BIDS)) for reward in REWARDS}
    counts = np.zeros(CLASSES)
    for part in portions(deals, seed):
        for suit in range(SUITS):
            held = classes(part.states["hands"][:, seat], suit)
            counts += np.bincount(held, minlength=CLASSES)
            # One play serves all bids of a suit: rule-based players look at the suit alone.
            begun = bid_alone(part, seat, np.full(len(held), FIRST_BID + suit))
            play_out(begun, players)
            for level in range(BIDS):
                begun.states["contract"] = FIRST_BID + SUITS * level + suit
                for reward, total in sums.items():
                    values = worth(begun.states, seat, reward)
                    total[:, level] += np.bincount(held, values, CLASSES)
    sizes = np.maximum(counts, 1)[:, None]
    return {reward: np.where(sizes < ENOUGH, -1, sums[reward] / sizes) for reward in REWARDS}


def portions(deals: int, seed: int) -> Iterator[Deals]:
    for first in range(0, deals, PORTION):
        yield deal(first, min(PORTION, deals - first), seed)


def choose_bids(rule: np.ndarray, hands: np.ndarray) -> np.ndarray:
    """The bid that the rule thinks worth most for each hand, or a pass. `[hands]`"""
    values = np.stack([rule[classes(hands, suit)] for suit in range(SUITS)], axis=2)
    flat = values.reshape(len(hands), BIDS * SUITS)  # in the order of the bids' ids
    return np.where(flat.max(axis=1) > 0, FIRST_BID + flat.argmax(axis=1), PASS)


def play_rule(
    rule: np.ndarray, seat: int, players: list[Agent], reward: str, deals: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """The seat's bids, and what it wins: 0 where it passes. `[deals]`"""
    bidden, won = [], []
    for part in portions(deals, seed):
        bids = choose_bids(rule, part.states["hands"][:, seat])
        rows = np.flatnonzero(bids != PASS)
        begun = bid_alone(part.of(rows), seat, bids[rows])
        play_out(begun, players)
        values = np.zeros(len(bids))
        values[rows] = worth(begun.states, seat, reward)
        bidden.append(bids != PASS)
        won.append(values)
    return np.concatenate(bidden), np.concatenate(won)


def blind_gain(seat: int, players: list[Agent], reward: str, deals: int, seed: int) -> float:
    """The worth of the best bid that is made on every hand; in spades, as suits are alike."""
    sums = np.zeros(BIDS)
    for part in portions(deals, seed):
        begun = bid_alone(part, seat, np.full(len(part.luck), FIRST_BID + SUITS - 1))
        play_out(begun, players)
        for level in range(BIDS):
            begun.states["contract"] = FIRST_BID + SUITS * level + SUITS - 1
            sums[level] += worth(begun.states, seat, reward).sum()
    return float(sums.max() / deals)


def surely_above(values: np.ndarray, width: float, error: float = 0.05) -> float:
    """A bound that the mean of any distribution on a range of this width exceeds, except with
    this chance of error (Maurer and Pontil 2009, the empirical Bernstein bound).
    """
    n, doubt = len(values), np.log(2 / error)
    spread = np.sqrt(2 * values.var(ddof=1) * doubt / n)
    return float(values.mean() - spread - 7 * width * doubt / (3 * (n - 1)))
