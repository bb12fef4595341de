"""The card play of Coinche's expert player.

Each card gets marks, such as the chance that its trick is won and what the card is worth if kept,
and the card with the largest weighted sum is played. The weights were fitted to play-outs, in
points of difference between the two sides (`analysis.experts.fit_coinche`), then improved in duels
(`analysis.experts.tune`).
"""

import numpy as np

from spielgames.coinche.rules import PLAYERS, are_partners
from spielgames.coinche.tables import (
    BEATERS,
    PLAIN_STRENGTH,
    POINTS,
    RANKS,
    SUITS,
    TRUMP_STRENGTH,
)
from spielgames.core.cards import NONE, ONE, Cards, bit, count, has, inlined, int64, lane, lowest
from spielgames.core.record import State

LEAD_IN_ATTACK, LEAD_IN_DEFENCE, FOLLOW = range(3)

WEIGHTS = np.array(  # one row per mark; leads in attack, leads in defence, other cards
    [
        (3.5, 1.0, 9.5),  # the points on the table, as far as the trick is likely to be won
        (-1.0, -1.0, 5.0),  # the chance to win it, from −1 to 1
        (-4.0, -6.0, -9.0),  # the card's points
        (-12.0, -10.5, -19.5),  # a trump
        (2.0, 6.5, 5.0),  # the card's strength
        (3.5, 3.5, -6.5),  # the highest card left of a plain suit
        (2.5, 0.5, -17.0),  # the highest trump left
        (9.0, 4.0, 0.0),  # opponents who must play a trump to it
        (-3.5, -7.0, 0.0),  # a partner who must
        (-6.5, -10.0, -6.0),  # the cards of a plain suit that others have
    ]
)
MARKS = len(WEIGHTS)
STRENGTH = np.array([PLAIN_STRENGTH, TRUMP_STRENGTH], np.int64)

HAND, OTHERS = RANKS, (PLAYERS - 1) * RANKS
# The chance that a hand of some cards, among so many unseen ones, has none of n given cards of
# these, as if each lay there or not by itself. [hand * (OTHERS + 1) + unseen, n]
NONE_OF = np.array(
    [
        [(1.0 - min(hand / max(places, 1), 1.0)) ** n for n in range(RANKS + 1)]
        for hand in range(HAND + 1)
        for places in range(OTHERS + 1)
    ]
)
Hands = tuple[int, int, int]  # the rows of NONE_OF for the next seat, the partner and the last one


@inlined
def choose_card(s: State, cards: Cards, weights: np.ndarray) -> Cards:
    if cards & (cards - ONE) == NONE:
        return cards
    unseen, kind = s.deck & ~(s.hands[s.turn] | s.public), situation(s)
    trumps = hands_with(s, s.trump)
    led = hands_with(s, suit_led(s, 0))
    kept = chance_if_kept(s, led, trumps, unseen)
    best, found = -np.inf, NONE
    for suit in range(SUITS):
        same = cards & lane(suit, RANKS)
        if same != NONE and s.in_trick == 0:
            led = hands_with(s, suit)
        while same != NONE:
            card = lowest(same)
            same ^= bit(card)
            told = marks(s, card, chance_with(s, card, kept, led, trumps, unseen), led, unseen)
            value = 0.0
            for k in range(MARKS):
                value += weights[k, kind] * told[k]
            if value > best:
                best, found = value, NONE
            if value == best:
                found |= bit(card)
    return found


@inlined
def suit_led(s: State, otherwise: int) -> int:
    return int64(otherwise) if s.in_trick == 0 else s.trick[0] // RANKS


@inlined
def situation(s: State) -> int:
    if s.in_trick > 0:
        return FOLLOW
    return LEAD_IN_ATTACK if are_partners(s.turn, s.bidder) else LEAD_IN_DEFENCE


@inlined
def marks(s: State, card: int, chance: float, led: Hands, unseen: Cards) -> tuple[float, ...]:
    """What the weights belong to, with the chance to win the trick."""
    win = 2.0 * chance - 1.0
    is_trump, points = card // RANKS == s.trump, POINTS[s.trump, card]
    mates = unseen & lane(card // RANKS, RANKS)
    boss = mates & BEATERS[s.trump, card] == NONE
    drawn, partners = 0.0, 0.0
    if is_trump and s.in_trick == 0:
        drawn = chance_of(led[0], mates) + chance_of(led[2], mates)
        partners = chance_of(led[1], mates)
    return (
        win * (s.stake + points) / 10.0,
        win,
        points / 10.0,
        1.0 if is_trump else 0.0,
        STRENGTH[1 if is_trump else 0, card % RANKS] / 7.0,
        1.0 if boss and not is_trump else 0.0,
        1.0 if boss and is_trump else 0.0,
        drawn,
        partners,
        0.0 if is_trump else count(mates) / 8.0,
    )


@inlined
def chance_with(
    s: State, card: int, kept: float, led: Hands, trumps: Hands, unseen: Cards
) -> float:
    """The chance that the side of the seat to move wins the trick with this card."""
    if not has(s.beaters, card):
        return kept
    suit = suit_led(s, card // RANKS)
    return chance_to_win(s, 1.0, suit, BEATERS[s.trump, card], led, trumps, unseen)


@inlined
def chance_if_kept(s: State, led: Hands, trumps: Hands, unseen: Cards) -> float:
    """The same if the card does not take the trick; 0 for a lead, which always does for now."""
    if s.in_trick == 0:
        return 0.0
    ours = 1.0 if are_partners(s.turn, s.winning) else 0.0
    return chance_to_win(s, ours, suit_led(s, 0), s.beaters, led, trumps, unseen)


@inlined
def chance_to_win(
    s: State, ours: float, suit: int, beaters: Cards, led: Hands, trumps: Hands, unseen: Cards
) -> float:
    """The chance that the side of the seat to move wins the trick, if each seat to come beats what
    is winning when it can. `ours` is 1 if the side is winning, else 0.
    """
    if s.in_trick < 3:
        ours -= ours * chance_to_beat(s, suit, beaters, led[0], trumps[0], unseen)
    if s.in_trick < 2:
        ours += (1.0 - ours) * chance_to_beat(s, suit, beaters, led[1], trumps[1], unseen)
    if s.in_trick < 1:
        ours -= ours * chance_to_beat(s, suit, beaters, led[2], trumps[2], unseen)
    return ours


@inlined
def chance_to_beat(
    s: State, suit: int, beaters: Cards, led: int, trumps: int, unseen: Cards
) -> float:
    """The chance that a seat has a stronger card which it may play."""
    mates = unseen & lane(suit, RANKS)
    over = chance_of(led, mates & beaters)
    if suit == s.trump:
        return over
    return over + NONE_OF[led, count(mates)] * chance_of(
        trumps, unseen & lane(s.trump, RANKS) & beaters
    )


@inlined
def chance_of(hand: int, cards: Cards) -> float:
    """The chance that a hand (a row of NONE_OF) has one of these unseen cards."""
    return 1.0 - NONE_OF[hand, count(cards)]


@inlined
def hands_with(s: State, suit: int) -> Hands:
    """What the others' hands may have of a suit."""
    seat = int64(s.turn)
    a, b, c = room(s, seat + 1, suit), room(s, seat + 2, suit), room(s, seat + 3, suit)
    places = a + b + c
    return (OTHERS + 1) * a + places, (OTHERS + 1) * b + places, (OTHERS + 1) * c + places


@inlined
def room(s: State, seat: int, suit: int) -> int:
    """The cards that the seat holds; none if it has shown that it lacks the suit."""
    void = int64(s.voids[seat & 3]) >> int64(suit) & 1 != 0
    return 0 if void else int64(count(s.hands[seat & 3]))
