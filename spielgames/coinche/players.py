"""The two rule-based players of Günlük and Saulus, "Playing Coinche with Deep Counterfactual Regret
Minimization", appendices B.2 and B.3; bids are in `bidding`.

A card's value is the points it counts (their table 1). The paper does not say how to choose among
cards of equal value: here trumps are worth more than plain cards, and then stronger cards more than
weaker ones; between equal cards of two suits the player is indifferent.
"""

import numpy as np

from spielgames.coinche.bidding import ACES, EXPERT, SIMPLE, choose_call
from spielgames.coinche.expert import WEIGHTS, choose_card
from spielgames.coinche.expert_bidding import EXPECTED, PREMIUM, SURE, SURER, call
from spielgames.coinche.rules import are_partners
from spielgames.coinche.tables import (
    CARDS,
    PLAIN_STRENGTH,
    POINTS,
    RANKS,
    SUITS,
    TRUMP_STRENGTH,
)
from spielgames.core.cards import NONE, Cards, bit, count, inlined, lane, lowest, unless_empty
from spielgames.core.record import State
from spielgames.core.verbs import legal

LOW, HIGH = 1, -1


def value_of(trump: int, card: int) -> int:
    """Order cards by points, then trumps above plain cards, then by strength."""
    suit, rank = divmod(card, RANKS)
    if suit == trump:
        return 2 * RANKS * POINTS[trump, card] + RANKS + TRUMP_STRENGTH[rank]
    return 2 * RANKS * POINTS[trump, card] + PLAIN_STRENGTH[rank]


VALUES = np.array([[value_of(t, c) for c in range(CARDS)] for t in range(SUITS)], np.int64)


def choose(s: State, level: int) -> Cards:
    if level == EXPERT:
        return choose_well(s, WEIGHTS, EXPECTED, PREMIUM, SURE, SURER)
    if not s.playing:
        return choose_call(s, level)
    if level == SIMPLE:
        return most_valuable(s, legal(s))
    if s.in_trick > 0:
        return follow(s, legal(s))
    hand, trumps = s.hands[s.turn], lane(s.trump, RANKS)
    if are_partners(s.turn, s.bidder):
        return lead_in_attack(s, hand & trumps, hand & ~trumps)
    return lead_in_defence(s, hand & trumps, hand & ~trumps)


@inlined
def choose_well(
    s: State,
    weights: np.ndarray,
    expected: np.ndarray,
    premium: float,
    sure: float,
    surer: float,
) -> Cards:
    """The choices of an expert player with these weights."""
    if s.playing:
        return choose_card(s, legal(s), weights)
    return call(s, expected, premium, sure, surer)


@inlined
def lead_in_attack(s: State, trumps: Cards, plain: Cards) -> Cards:
    """The largest trump; else an ace of the longest suit; else the lowest card of the shortest suit
    (the paper does not say which card).
    """
    if trumps != NONE:
        return most_valuable(s, trumps)
    aces = of_length(plain & ACES, plain, HIGH)
    return unless_empty(aces, least_valuable(s, of_length(plain, plain, LOW)))


@inlined
def lead_in_defence(s: State, trumps: Cards, plain: Cards) -> Cards:
    """An ace of the shortest suit; else the plain card of lowest value, or the lowest trump."""
    aces = of_length(plain & ACES, plain, LOW)
    return unless_empty(aces, least_valuable(s, unless_empty(plain, trumps)))


@inlined
def follow(s: State, cards: Cards) -> Cards:
    """The smallest card that beats the best so far (even the partner's); else the card of lowest
    value.
    """
    return least_valuable(s, unless_empty(cards & s.beaters, cards))


@inlined
def most_valuable(s: State, cards: Cards) -> Cards:
    """The card of highest value; trumps come before all others."""
    return of_value(s, unless_empty(cards & lane(s.trump, RANKS), cards), HIGH)


@inlined
def least_valuable(s: State, cards: Cards) -> Cards:
    return of_value(s, cards, LOW)


@inlined
def of_value(s: State, cards: Cards, sign: int) -> Cards:
    """The cards of the lowest value (LOW), or of the highest (HIGH)."""
    found, least = NONE, 1000
    while cards != NONE:
        card = lowest(cards)
        cards ^= bit(card)
        value = sign * VALUES[s.trump, card]
        if value < least:
            found, least = NONE, value
        if value == least:
            found |= bit(card)
    return found


@inlined
def of_length(cards: Cards, hand: Cards, sign: int) -> Cards:
    """The cards whose suit is the shortest in the hand (LOW), or the longest (HIGH)."""
    found, least = NONE, RANKS + 1
    for suit in range(SUITS):
        same = cards & lane(suit, RANKS)
        length = sign * count(hand & lane(suit, RANKS))
        if same != NONE and length < least:
            found, least = NONE, length
        if length == least:
            found |= same
    return found
