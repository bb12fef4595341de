"""Snapszer's rule-based player: it marries, closes if it counts to 66, and otherwise weighs its
cards.

A card is weighed in card points: those that its trick is likely to bring or to cost, less what the
card is worth if kept. The numbers are the best found in duels between players that differ in one of
them. Once the talon is exhausted, `standard` plays perfectly; `quick`, ten times as fast, goes on
weighing. `expert` weighs by other numbers, which are in `expert`.
"""

import numpy as np

from spielgames.core.cards import (
    NONE,
    ONE,
    Cards,
    bit,
    count,
    has,
    inlined,
    lane,
    lowest,
    unless_empty,
)
from spielgames.core.record import State
from spielgames.core.verbs import legal
from spielgames.snapszer.endgame import best_action, is_solvable
from spielgames.snapszer.expert import CLOSING, WEIGHTS, gains_by_closing, weigh_cards
from spielgames.snapszer.record import (
    CARDS,
    CLOSE,
    EXCHANGE,
    HIGHER,
    JACK,
    MARRY,
    NO_CARD,
    POINTS,
    RANKS,
    UPCARD,
    couple_of,
    is_open,
)
from spielgames.snapszer.rules import beats

LEVELS = ("standard", "quick", "expert")
STANDARD, QUICK, EXPERT = range(len(LEVELS))

ALL_CARDS = lane(0, CARDS)
MARRIAGES = lane(0, 4) << np.uint64(MARRY)

# The value of keeping a card:
TRUMP = 24.0  # a trump;
BOSS = 4.0  # the highest card of its suit;
COUPLE = 18.0  # half of a marriage in the hand (twice as much in trumps);
HOPE = 2.0  # half of a marriage that can still come
INITIATIVE = 5.0  # the value of winning a trick besides its points

DISCARD = 4.25  # the points expected from the card that follows a winner
RUFFED = 0.25  # the share of a winner's value that remains while trumps are out
RESERVE = 14.0  # points wanted beyond 66 before closing
BOLDNESS = 20.0  # how many fewer if closing wins, and costs, three


def choose(s: State, level: int) -> Cards:
    return choose_with(s, level, WEIGHTS, CLOSING)


@inlined
def choose_with(s: State, level: int, weights: np.ndarray, closing: np.ndarray) -> Cards:
    """The same with other weights for the expert."""
    options = legal(s)
    if options & (options - ONE) == NONE:
        return options
    if level != QUICK and is_solvable(s):
        return bit(best_action(s, options))
    if level == EXPERT:
        return choose_well(s, options, weights, closing)
    if s.led != NO_CARD:
        return answer(s, options)
    return lead(s, options)


@inlined
def lead(s: State, options: Cards) -> Cards:
    """Before leading: exchange, declare a marriage (preferably in trumps), close."""
    if has(options, EXCHANGE):
        return bit(EXCHANGE)
    marriages = options & MARRIAGES
    if marriages != NONE and s.couple == NONE:
        return unless_empty(marriages & bit(MARRY + s.trump), marriages)
    if has(options, CLOSE) and counts_to_win(s):
        return bit(CLOSE)
    return lead_card(s, options & ALL_CARDS)


@inlined
def choose_well(s: State, options: Cards, weights: np.ndarray, closing: np.ndarray) -> Cards:
    """Choose like the other levels, but weigh cards and closing by fitted numbers, and close before
    a marriage is declared.
    """
    if s.led != NO_CARD:
        decisive = options & winning_cards(s, options)
        return unless_empty(decisive, weigh_cards(s, options, weights))
    if has(options, EXCHANGE):
        return bit(EXCHANGE)
    if has(options, CLOSE) and gains_by_closing(s, closing):
        return bit(CLOSE)
    marriages = options & MARRIAGES
    if marriages != NONE and s.couple == NONE:
        return unless_empty(marriages & bit(MARRY + s.trump), marriages)
    return weigh_cards(s, options & ALL_CARDS, weights)


@inlined
def winning_cards(s: State, options: Cards) -> Cards:
    """The answers that win the deal."""
    found, points = NONE, s.points[s.turn] + s.pending[s.turn] + POINTS[s.led]
    while options != NONE:
        card = lowest(options)
        options ^= bit(card)
        if beats(s, card, s.led) and points + POINTS[card] >= s.target:
            found |= bit(card)
    return found


@inlined
def unseen(s: State) -> Cards:
    """The cards that may be in the opponent's hand."""
    return s.deck & ~(s.hands[s.turn] | s.played[0] | s.played[1] | s.hands[UPCARD])


@inlined
def counts_to_win(s: State) -> bool:
    """Whether to close: failing costs more than winning brings, so count well beyond 66."""
    other = 1 - s.turn
    wanted = s.target + RESERVE - (BOLDNESS if s.tricks[other] == 0 else 0.0)
    return s.points[s.turn] + s.pending[s.turn] + winners_worth(s) >= wanted


@inlined
def winners_worth(s: State) -> float:
    """The points expected from cards that nothing of their suit can beat. Unless the top trumps
    draw all others, such cards of other suits are likely to be trumped.
    """
    hand, out, trumps = s.hands[s.turn], unseen(s), lane(s.trump, RANKS)
    worth, plain = 0.0, 0.0
    pulled = 0
    while hand != NONE:
        card = lowest(hand)
        hand ^= bit(card)
        if out & HIGHER[card] != NONE:
            continue
        if has(trumps, card):
            worth += POINTS[card] + DISCARD
            pulled += 1
        else:
            plain += POINTS[card] + DISCARD
    return worth + plain * (1.0 if count(out & trumps) <= pulled else RUFFED)


@inlined
def lead_card(s: State, options: Cards) -> Cards:
    """The lead with the best balance of gain and risk."""
    best, found = -np.inf, NONE
    while options != NONE:
        card = lowest(options)
        options ^= bit(card)
        risk = risk_in_open(s, card) if is_open(s) else risk_when_strict(s, card)
        value = (POINTS[card] + INITIATIVE) * (1.0 - 2.0 * risk)
        if is_open(s):
            value -= keeping(s, card)
        if value > best:
            best, found = value, bit(card)
    return found


@inlined
def share(s: State, cards: Cards) -> float:
    """The expected number of a set's unseen cards in the opponent's hand; at most 1."""
    out = unseen(s)
    return min(1.0, count(out & cards) * count(s.hands[1 - s.turn]) / max(count(out), 1))


@inlined
def risk_in_open(s: State, card: int) -> float:
    """The probability that a lead is beaten. A trump is not spent on a card without points."""
    ruff = 0.0 if card // RANKS == s.trump else share(s, lane(s.trump, RANKS)) * POINTS[card] / 10
    return min(1.0, share(s, HIGHER[card]) + ruff)


@inlined
def risk_when_strict(s: State, card: int) -> float:
    """The same where suit must be followed: the highest card of a suit loses only to a trump,
    played by an opponent who has none of the suit.
    """
    trumps = lane(s.trump, RANKS)
    if unseen(s) & HIGHER[card] != NONE:
        return share(s, HIGHER[card])
    if has(trumps, card) or unseen(s) & trumps == NONE:
        return 0.0
    return 1.0 - share(s, lane(card // RANKS, RANKS))


@inlined
def answer(s: State, options: Cards) -> Cards:
    """Take the trick if its points are worth the card; otherwise give away as little as
    possible.
    """
    best, found = -np.inf, NONE
    while options != NONE:
        card = lowest(options)
        options ^= bit(card)
        value = answer_value(s, card)
        if value > best:
            best, found = value, bit(card)
    return found


@inlined
def answer_value(s: State, card: int) -> float:
    points = POINTS[s.led] + POINTS[card]
    if beats(s, card, s.led):
        decides = s.points[s.turn] + s.pending[s.turn] + points >= s.target
        return np.inf if decides else points + INITIATIVE - keeping(s, card)
    return -points - keeping(s, card)


@inlined
def keeping(s: State, card: int) -> float:
    """The value of keeping a card, besides its points."""
    in_trumps = card // RANKS == s.trump
    value = TRUMP if in_trumps else 0.0
    if unseen(s) & HIGHER[card] == NONE and card % RANKS != JACK:
        value += BOSS
    couple = couple_of(card // RANKS)
    if has(couple, card):
        marriage = hope_to_marry(s, couple ^ bit(card))
        value += 2.0 * marriage if in_trumps else marriage
    return value


@inlined
def hope_to_marry(s: State, spouse: Cards) -> float:
    if s.hands[s.turn] & spouse != NONE:
        return COUPLE
    return HOPE if is_open(s) and unseen(s) & spouse != NONE else 0.0
