"""The three properties by which Long, Sturtevant, Buro and Furtak ("Understanding the success of
perfect information Monte Carlo sampling in game tree search", AAAI 2010) explain where
perfect-information Monte Carlo does well, measured in whole games.

*Leaf correlation*: how often a last decision changes nothing, as its leaves are worth the same.
*Bias*: how much of what is below a position belongs to one side.
*Disambiguation*: how fast the worlds that a seat must reckon with become fewer.

Long et al. define them for synthetic trees of two players and two results. Here a last decision is
one after which all are forced, whatever it was; leaves are worth the same if the mover's utility
is. For the bias b two random play-outs of the true deal are compared at every decision: they have
the same winner with probability b² + (1 − b)². Worlds are counted exactly, as the ways in which the
unseen cards may lie by what the seat can deduce; `accepted` is the share of them that are possible.
"""

from typing import NamedTuple

import numpy as np
from numba import prange

from solvers.search.worlds import draw_all
from spielgames.agents import Agent
from spielgames.core.arrays import take
from spielgames.core.batch import Batch
from spielgames.core.cards import int64
from spielgames.core.deductions import find_bans, find_places, find_room
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.shares import SHARES
from spielgames.core.worlds import MAX_CASES, weigh_cases

SAMPLED = 4  # worlds drawn at each decision to see how many are rejected
BINS = 10  # of the deal


class Decisions(NamedTuple):
    """What was found at the decisions with a choice, one row each, in the order of the deal."""

    deal: np.ndarray
    seat: np.ndarray
    number: np.ndarray  # of the decision in its deal
    worlds: np.ndarray  # log2 of the number that the mover must reckon with
    agree: np.ndarray  # whether two random play-outs have the same winner
    tries: np.ndarray  # for `SAMPLED` worlds


class Measures(NamedTuple):
    """The properties of a variant under some player's play, each with its 95 % interval, and how
    they change in the course of the deal.
    """

    leaf_correlation: list[float]
    agreement: list[float]
    bias: list[float]
    disambiguation: list[float]
    accepted: float
    worlds_by_progress: list[float]  # log10
    agreement_by_progress: list[float]


@linked
def count_in(row: np.ndarray, scratch: np.ndarray, shares: np.ndarray) -> float:
    """The number of ways in which the cards may lie that the seat to move has not seen, in the only
    game of `row`.
    """
    s, seat = row[0], int64(row[0].turn)
    banned, room = np.zeros(len(s.played), np.uint64), np.zeros(len(s.hands), np.int64)
    places, allowed = np.zeros(64, np.int64), np.zeros(64, np.int64)
    weights = np.zeros(MAX_CASES)
    find_bans(scratch[0], s, seat, banned)
    find_room(s, seat, room)
    find_places(s, seat, banned, room, places)
    cases = weigh_cases(s, seat, room, places, allowed, shares[0], weights)
    return weights[cases - 1]


@linked
def count_one(row: np.ndarray) -> float:
    """`count_in` with its scratch memory."""
    return count_in(row, row.copy(), np.zeros(1, SHARES))


@Kernel
def count_worlds(states: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        out[i] = count_one(states[i : i + 1])


def play(player: Agent, deals: int, seed: int) -> tuple[Decisions, np.ndarray]:
    """What was found in so many deals, and the last decision with a choice of each."""
    batch, rng = Batch(player.name, deals, seed), np.random.default_rng(seed)
    last, has_choice = batch.states.copy(), np.zeros(deals, bool)
    numbers, parts = np.zeros(deals, int), []
    while batch.running():
        free = (batch.actors() >= 0) & (batch.legal_mask().sum(axis=1) > 1)
        rows = np.flatnonzero(free)
        if len(rows):
            last[rows], has_choice[rows] = take(batch.states, rows), True
            parts.append(look(batch, rows, numbers[rows], len(parts)))
            numbers[rows] += 1
        batch.step(chosen(player, batch, rng))
    columns = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Decisions(*columns), last[has_choice]


def chosen(player: Agent, batch: Batch, rng: np.random.Generator) -> np.ndarray:
    """An action of the player in each game, 0 where it is over."""
    actions, rows = np.zeros(len(batch), np.int64), np.flatnonzero(batch.actors() >= 0)
    chances = player.probabilities(take(batch.states, rows))
    actions[rows] = (chances.cumsum(axis=1) <= rng.random((len(rows), 1))).sum(axis=1)
    return np.minimum(actions, batch.game.actions - 1)


def look(batch: Batch, rows: np.ndarray, numbers: np.ndarray, seed: int) -> Decisions:
    states, seats = take(batch.states, rows), batch.actors()[rows].astype(np.int64)
    here, ways = Batch.of_states(batch.game, batch.variant, states), np.empty(len(rows))
    count_worlds(states, ways)
    worlds, tries = np.zeros((len(rows), SAMPLED), states.dtype), np.empty(len(rows), np.int64)
    draw_all(states, np.full(len(rows), seed), worlds, tries)
    winners = [np.sign(here.playouts(2 * seed + k)[np.arange(len(rows)), seats]) for k in range(2)]
    return Decisions(rows, seats, numbers, np.log2(ways), winners[0] == winners[1], tries)


def leaves_agree(batch: Batch) -> np.ndarray:
    """For each decision after which all are forced, whatever is done: whether the mover's utility
    is always the same.
    """
    legal, seats = batch.legal_mask(), batch.actors().astype(int)
    at, actions = np.nonzero(legal)
    after = Batch.of_states(batch.game, batch.variant, take(batch.states, at))
    after.step(actions)
    forced = np.ones(len(at), bool)
    while after.running():
        forced &= after.legal_mask().sum(axis=1) <= 1
        after.step(after.legal_mask().argmax(axis=1))
    utilities = after.returns()[np.arange(len(at)), seats[at]]
    low, high, last = (np.full(len(batch), fill) for fill in (np.inf, -np.inf, True))
    np.minimum.at(low, at, utilities)
    np.maximum.at(high, at, utilities)
    np.logical_and.at(last, at, forced)
    return (low == high)[last.astype(bool)]


def measure(player: Agent, deals: int, seed: int) -> Measures:
    """The properties of a variant in deals played by an agent."""
    found, last = play(player, deals, seed)
    same = leaves_agree(Batch.of_states(player.game, player.variant, last))
    agreement = interval(by_deal(found.agree, found.deal))
    length = np.bincount(found.deal)[found.deal]
    progress = found.number * BINS // length
    return Measures(
        leaf_correlation=interval(same),
        agreement=agreement,
        bias=[float((1 + np.sqrt(max(0.0, 2 * x - 1))) / 2) for x in agreement],
        disambiguation=shrinking(found),
        accepted=float(SAMPLED * len(found.tries) / found.tries.sum()),
        worlds_by_progress=curve(found.worlds * np.log10(2), progress),
        agreement_by_progress=curve(found.agree, progress),
    )


def shrinking(found: Decisions) -> list[float]:
    """The share of worlds ruled out from one decision of a seat to its next, as a geometric mean,
    with its interval.
    """
    order = np.lexsort((found.number, found.seat, found.deal))
    deal, seat, worlds = found.deal[order], found.seat[order], found.worlds[order]
    follows = (deal[1:] == deal[:-1]) & (seat[1:] == seat[:-1])
    change = by_deal(np.diff(worlds)[follows], deal[1:][follows])
    mean, low, high = interval(change)
    return [1 - 2.0**mean, 1 - 2.0**high, 1 - 2.0**low]


def by_deal(values: np.ndarray, deal: np.ndarray) -> np.ndarray:
    """The mean of each deal that has any values."""
    counts = np.bincount(deal)
    return np.bincount(deal, values)[counts > 0] / counts[counts > 0]


def interval(values: np.ndarray) -> list[float]:
    """The mean of independent values, and its 95 % interval."""
    mean, margin = float(values.mean()), 1.96 * float(values.std()) / np.sqrt(len(values))
    return [mean, float(mean - margin), float(mean + margin)]


def curve(values: np.ndarray, progress: np.ndarray) -> list[float]:
    """The means of each tenth of the deal."""
    return (np.bincount(progress, values, BINS) / np.bincount(progress, minlength=BINS)).tolist()
