"""Fit the weights of Coinche's expert player to play-outs: policy iteration with a linear value.

    python -m analysis.coinche.fit_expert --deals=60000 --rounds=4

Each round deals cards to line-ups that mix the expert with the players of the paper. At an eighth
of the expert's cards, every legal card is played and the true deal played on; the marks of the
cards are regressed on the points of difference that follow, within each decision. At each call, the
contract in every suit, and the opponents' own, is played out; features are regressed on the points.

The committed weights began as such a fit. A search by coordinates in duels, against that player and
those of the paper, then raised the panel's mean from 31 to 52 points per deal (tuning seeds).
"""

from typing import NamedTuple

import numpy as np
from absl import flags
from numba import prange

from analysis.figures import table
from spielgames.coinche import expert, expert_bidding
from spielgames.coinche.bidding import EXPERT, SIMPLE, STRONG
from spielgames.coinche.expert_bidding import PREMIUM, SURE, SURER, Bids
from spielgames.coinche.rules import FIRST_BID, PASS, PLAYERS, are_partners, suit_of_bid
from spielgames.coinche.tables import RANKS, SUITS
from spielgames.command import run
from spielgames.core.advance import advance, settle
from spielgames.core.cards import NONE, ONE, Cards, bit, count, inlined, int64, lowest, nth
from spielgames.core.game import initial_state
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import Luck, below, forward, fraction, stream
from spielgames.core.record import TERMINAL, State
from spielgames.core.registry import find
from spielgames.core.verbs import choose, legal, reset

SHARE = 0.125  # of the expert's cards
ROWS = 64  # rows per deal
RIDGE = 1e-3


class Rows(NamedTuple):
    """What the kernels fill in, per deal and row."""

    told: np.ndarray  # marks or features
    worth: np.ndarray
    kind: np.ndarray  # the column of the weights
    decision: np.ndarray
    filled: np.ndarray  # rows per deal


def empty_rows(deals: int, columns: int) -> Rows:
    return Rows(
        told=np.zeros((deals, ROWS, columns)),
        worth=np.zeros((deals, ROWS)),
        kind=np.zeros((deals, ROWS), np.int64),
        decision=np.zeros((deals, ROWS), np.int64),
        filled=np.zeros(deals, np.int64),
    )


@inlined
def act(s: State, level: int, weights: np.ndarray, expected: np.ndarray) -> Cards:
    """The choices of a player; the expert's with these weights."""
    if level != EXPERT:
        return choose(s, level)
    if s.playing:
        return expert.choose_card(s, legal(s), weights)
    return expert_bidding.call(s, expected, PREMIUM, SURE, SURER)


@linked
def play_out(
    row: np.ndarray, levels: np.ndarray, weights: np.ndarray, expected: np.ndarray, luck: Luck
) -> None:
    s = row[0]
    while s.turn != TERMINAL:
        luck = forward(luck)
        actions = act(s, levels[s.turn], weights, expected)
        advance(s, nth(actions, below(luck, count(actions))))


@inlined
def marks_of(s: State, card: int, unseen: Cards) -> tuple[float, ...]:
    trumps = expert.hands_with(s, s.trump)
    led = expert.hands_with(s, expert.suit_led(s, card // RANKS))
    kept = expert.chance_if_kept(s, led, trumps, unseen)
    chance = expert.chance_with(s, card, kept, led, trumps, unseen)
    return expert.marks(s, card, chance, led, unseen)


@linked
def note_cards(
    row: np.ndarray,
    scratch: np.ndarray,
    levels: np.ndarray,
    weights: np.ndarray,
    expected: np.ndarray,
    luck: Luck,
    out: Rows,
    i: int,
) -> None:
    """Note the marks of every legal card, and what follows it."""
    s = row[0]
    seat, cards, first = int64(s.turn), legal(s), out.filled[i]
    if count(cards) > ROWS - first:
        return
    unseen = s.deck & ~(s.hands[seat] | s.public)
    while cards != NONE:
        card = lowest(cards)
        cards ^= bit(card)
        k = out.filled[i]
        out.filled[i] += 1
        told = marks_of(s, card, unseen)
        for j in range(expert.MARKS):
            out.told[i, k, j] = told[j]
        scratch[0] = s
        advance(scratch[0], card)
        play_out(scratch, levels, weights, expected, luck)
        points = scratch[0].points
        out.worth[i, k] = points[seat & 1] - points[1 - (seat & 1)]
        out.kind[i, k] = expert.situation(s)
        out.decision[i, k] = i * ROWS + first


@linked
def note_contract(
    row: np.ndarray,
    scratch: np.ndarray,
    suit: int,
    role: int,
    said: Bids,
    levels: np.ndarray,
    weights: np.ndarray,
    expected: np.ndarray,
    luck: Luck,
    out: Rows,
    i: int,
) -> None:
    """Note the features of a suit, and the points of the caller's side when it is trump."""
    s, k = row[0], out.filled[i]
    if k == ROWS:
        return
    out.filled[i] += 1
    told = expert_bidding.features(s, suit, said)
    for j in range(expert_bidding.FEATURES):
        out.told[i, k, j] = told[j]
    scratch[0] = s
    forced = scratch[0]
    forced.playing = 1
    forced.trump = suit
    forced.contract = FIRST_BID + suit
    forced.bidder = s.turn if role == expert_bidding.ATTACK else s.bidder
    forced.turn = 0
    play_out(scratch, levels, weights, expected, luck)
    out.worth[i, k] = forced.points[int64(s.turn) & 1]
    out.kind[i, k] = role


@Kernel
def gather(
    states: np.ndarray,
    levels: np.ndarray,
    weights: np.ndarray,
    expected: np.ndarray,
    seed: int,
    cards: Rows,
    contracts: Rows,
) -> None:
    experts = np.full(PLAYERS, EXPERT)
    for i in prange(len(states)):
        row = states[i : i + 1]
        s, scratch = row[0], row.copy()
        reset(s)
        luck = settle(s, stream(seed, i))
        while s.turn != TERMINAL:
            luck = forward(luck)
            expert_moves = levels[i, s.turn] == EXPERT
            if not s.playing:
                said = expert_bidding.last_bids(s)
                for suit in range(SUITS):
                    role = expert_bidding.ATTACK
                    note_contract(
                        row,
                        scratch,
                        suit,
                        role,
                        said,
                        experts,
                        weights,
                        expected,
                        luck,
                        contracts,
                        i,
                    )
                if s.contract != PASS and not are_partners(s.turn, s.bidder):
                    suit, role = suit_of_bid(s.contract), expert_bidding.DEFENCE
                    note_contract(
                        row,
                        scratch,
                        suit,
                        role,
                        said,
                        experts,
                        weights,
                        expected,
                        luck,
                        contracts,
                        i,
                    )
            elif expert_moves and fraction(luck) < SHARE and legal(s) & (legal(s) - ONE) != NONE:
                note_cards(row, scratch, levels[i], weights, expected, luck, cards, i)
            luck = forward(luck)
            actions = act(s, levels[i, s.turn], weights, expected)
            advance(s, nth(actions, below(luck, count(actions))))


def mixed_line_ups(deals: int, rng: np.random.Generator) -> np.ndarray:
    """Experts alone; against others; with other partners' opponents; and all mixed."""
    paper = rng.integers(STRONG, SIMPLE + 1, (deals, 1))
    line_ups = np.full((4, deals, PLAYERS), EXPERT)
    line_ups[1, :, 1::2] = paper
    line_ups[2, :, 0::2] = paper
    line_ups[3] = rng.choice([STRONG, SIMPLE, EXPERT, EXPERT], (deals, PLAYERS))
    return line_ups[rng.integers(0, 4, deals), np.arange(deals)]


def flat(rows: Rows) -> Rows:
    """The filled rows of all deals, one after the other."""
    used = np.arange(ROWS) < rows.filled[:, None]
    told, worth, kind, decision, filled = rows
    return Rows(told[used], worth[used], kind[used], decision[used], filled)


def fit(rows: Rows, columns: int, within: bool) -> np.ndarray:
    """Least squares for each kind of row; `within` decisions if only differences count."""
    rows = flat(rows)
    fitted = np.zeros((rows.told.shape[1], columns))
    for kind in range(columns):
        told, worth = rows.told[rows.kind == kind], rows.worth[rows.kind == kind]
        if within:
            told, worth = (centred(x, rows.decision[rows.kind == kind]) for x in (told, worth))
        ridge = RIDGE * len(told) * np.eye(told.shape[1])
        fitted[:, kind] = np.linalg.solve(told.T @ told + ridge, told.T @ worth)
    return fitted


def centred(x: np.ndarray, decision: np.ndarray) -> np.ndarray:
    _, group, size = np.unique(decision, return_inverse=True, return_counts=True)
    sums = np.zeros((len(size), *x.shape[1:]))
    np.add.at(sums, group, x)
    return x - (sums.T / size).T[group]


def improve(
    weights: np.ndarray, expected: np.ndarray, deals: int, seed: int
) -> tuple[np.ndarray, np.ndarray]:
    """Weights and expectations fitted to deals that are played with those given."""
    game, variant = find("python_coinche")
    states = np.repeat(initial_state(game, variant), deals)
    cards, contracts = empty_rows(deals, expert.MARKS), empty_rows(deals, expert_bidding.FEATURES)
    line_ups = mixed_line_ups(deals, np.random.default_rng(seed))
    gather(states, line_ups, weights, expected, seed, cards, contracts)
    return fit(cards, weights.shape[1], True), fit(contracts, expected.shape[1], False)


def main() -> None:
    flag = flags.FLAGS
    weights, expected = expert.WEIGHTS, expert_bidding.EXPECTED
    for k in range(flag.rounds):
        weights, expected = improve(weights, expected, flag.deals, flag.seed + k)
    for title, fitted in (("WEIGHTS", weights), ("EXPECTED", expected)):
        print(f"\n{title}\n\n{table([[f'{x:.1f}' for x in row] for row in fitted])}")


if __name__ == "__main__":
    flags.DEFINE_integer("deals", 60_000, "deals per round", lower_bound=1)
    flags.DEFINE_integer("rounds", 4, "rounds", lower_bound=1)
    flags.DEFINE_integer("seed", 1, "seed of the first round")
    run(main)
