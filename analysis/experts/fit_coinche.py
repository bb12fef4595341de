"""Fit the weights of Coinche's expert player to play-outs: policy iteration with a linear value.

    python -m analysis.experts.fit_coinche --start=zeros --json=runs/fit.json

Each round deals cards to line-ups that mix the expert with the players of the paper. At an eighth
of the expert's cards, every legal card is played and the true deal played on; the marks of the
cards are regressed on the points of difference that follow, within each decision. At each call, the
contract in every suit, and the opponents' own, is played out; features are regressed on the points.

The committed weights began as such a fit. A search by coordinates in duels (`tune`), against that
player and those of the paper, then raised the panel's mean from 31 to 52 points per deal (tuning
seeds).
"""

import json
from pathlib import Path

import numpy as np
from absl import flags
from numba import prange

from analysis.experts.least_squares import ROWS, Rows, empty_rows, fit
from analysis.experts.players import CoincheWeights, choice, stacked
from analysis.experts.weights import define_start, start_from, tables_of
from analysis.figures import save_text, table
from spielgames.coinche import expert, expert_bidding
from spielgames.coinche.bidding import EXPERT, SIMPLE, STRONG
from spielgames.coinche.expert_bidding import Bids
from spielgames.coinche.rules import FIRST_BID, PASS, PLAYERS, are_partners, suit_of_bid
from spielgames.coinche.tables import RANKS, SUITS
from spielgames.command import check_place, run, user_input
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


@inlined
def act(s: State, level: int, weights: CoincheWeights) -> Cards:
    """The choices of a player; the expert's with these weights."""
    return choice(s, weights, 0) if level == EXPERT else choose(s, level)


@linked
def play_out(row: np.ndarray, levels: np.ndarray, weights: CoincheWeights, luck: Luck) -> None:
    s = row[0]
    while s.turn != TERMINAL:
        luck = forward(luck)
        actions = act(s, levels[s.turn], weights)
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
    weights: CoincheWeights,
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
        play_out(scratch, levels, weights, luck)
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
    weights: CoincheWeights,
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
    play_out(scratch, levels, weights, luck)
    out.worth[i, k] = forced.points[int64(s.turn) & 1]
    out.kind[i, k] = role


@Kernel
def gather(
    states: np.ndarray,
    levels: np.ndarray,
    weights: CoincheWeights,
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
                        row, scratch, suit, role, said, experts, weights, luck, contracts, i
                    )
                if s.contract != PASS and not are_partners(s.turn, s.bidder):
                    suit, role = suit_of_bid(s.contract), expert_bidding.DEFENCE
                    note_contract(
                        row, scratch, suit, role, said, experts, weights, luck, contracts, i
                    )
            elif expert_moves and fraction(luck) < SHARE and legal(s) & (legal(s) - ONE) != NONE:
                note_cards(row, scratch, levels[i], weights, luck, cards, i)
            luck = forward(luck)
            actions = act(s, levels[i, s.turn], weights)
            advance(s, nth(actions, below(luck, count(actions))))


def mixed_line_ups(deals: int, rng: np.random.Generator) -> np.ndarray:
    """Experts alone; against others; with other partners' opponents; and all mixed."""
    paper = rng.integers(STRONG, SIMPLE + 1, (deals, 1))
    line_ups = np.full((4, deals, PLAYERS), EXPERT)
    line_ups[1, :, 1::2] = paper
    line_ups[2, :, 0::2] = paper
    line_ups[3] = rng.choice([STRONG, SIMPLE, EXPERT, EXPERT], (deals, PLAYERS))
    return line_ups[rng.integers(0, 4, deals), np.arange(deals)]


def improve(weights: CoincheWeights, deals: int, seed: int) -> CoincheWeights:
    """Weights fitted to deals that are played with those given."""
    game, variant = find("python_coinche")
    states = np.repeat(initial_state(game, variant), deals)
    cards, contracts = empty_rows(deals, expert.MARKS), empty_rows(deals, expert_bidding.FEATURES)
    line_ups = mixed_line_ups(deals, np.random.default_rng(seed))
    gather(states, line_ups, stacked([weights]), seed, cards, contracts)
    return weights._replace(
        cards=fit(cards, weights.cards.shape[1], True),
        calls=fit(contracts, weights.calls.shape[1], False),
    )


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        weights = start_from("python_coinche", chosen.start)
        if chosen.json:
            check_place(Path(chosen.json))
    for k in range(chosen.rounds):
        weights = improve(weights, chosen.deals, chosen.seed + k)
    for title, fitted in (("cards", weights.cards), ("calls", weights.calls)):
        heading = [title, *[""] * (fitted.shape[1] - 1)]
        print(f"{table([heading, *([f'{x:.1f}' for x in row] for row in fitted)])}\n")
    if chosen.json:
        save_text(Path(chosen.json), json.dumps({"weights": tables_of(weights)}, indent=1))


if __name__ == "__main__":
    define_start()
    flags.DEFINE_integer("deals", 60_000, "deals per round", lower_bound=1)
    flags.DEFINE_integer("rounds", 4, "rounds", lower_bound=1)
    flags.DEFINE_integer("seed", 1, "seed of the first round")
    flags.DEFINE_string("json", "", "a file for the weights, from which `tune` can start")
    run(main)
