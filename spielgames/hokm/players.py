"""Hokm's two rule-based players.

STANDARD  trumps first, then winners, and no card higher than the trick needs. All it knows of
          another hand is which cards are still out and which suits were not followed. Each piece of
          advice is here because a player with it wins more deals than one without.
BASIC     high cards win tricks, whoever else may have won them: about as strong as the heuristic
          player of the Hokm paper, which beats a random one in more than 70 % of the deals.
"""

import numpy as np

from spielgames.core.cards import (
    NONE,
    Cards,
    bit,
    count,
    highest,
    inlined,
    int64,
    lane,
    lowest,
    unless_empty,
)
from spielgames.core.record import State
from spielgames.core.verbs import legal
from spielgames.hokm.rules import CARDS, NAME, NO_TRUMP_YET, RANKS, longest_suit


def lanes(suits: int) -> int:
    """All cards of a set of suits, such as a seat's voids."""
    return sum(int(lane(suit, RANKS)) for suit in range(4) if suits >> suit & 1)


LEVELS = "standard", "basic"
STANDARD, BASIC = range(len(LEVELS))
LANES = np.array([lanes(suits) for suits in range(16)], np.uint64)
ABOVE = np.array(  # the higher cards of a card's suit
    [int(lane(c // RANKS, RANKS)) >> c + 1 << c + 1 for c in range(CARDS)], np.uint64
)

# Reasons to lead a suit, the best last: low up to TOWARDS_PARTNER, high from RUFF on.
TRUMP, ALONE, TOWARDS_PARTNER, RUFF, CASH, DRAW = range(6)


def choose(s: State, level: int) -> Cards:
    if s.trump == NO_TRUMP_YET:
        return bit(NAME + longest_suit(s.hands[0]))
    if level == BASIC:
        return play_simply(s, legal(s))
    return lead(s) if s.in_trick == 0 else follow(s, legal(s))


@inlined
def play_simply(s: State, cards: Cards) -> Cards:
    """Lead the highest plain card; later win with the highest card that can, and ruff only if no
    other wins; else throw the lowest plain card.
    """
    plain = cards & ~trumps(s)
    if s.in_trick == 0:
        return bit(highest_rank(unless_empty(plain, cards)))
    winners = cards & beaters(s, s.best)
    if winners == NONE:
        return bit(lowest_rank(unless_empty(plain, cards)))
    return bit(highest_rank(unless_empty(winners & plain, winners)))


@inlined
def highest_rank(cards: Cards) -> int:
    """The card of highest rank; of several, that of the last suit."""
    best = lowest(cards)
    for suit in range(4):
        own = cards & lane(suit, RANKS)
        if own != NONE and highest(own) % RANKS >= best % RANKS:
            best = highest(own)
    return best


@inlined
def lowest_rank(cards: Cards) -> int:
    """The card of lowest rank; of several, that of the first suit."""
    best = highest(cards)
    for suit in range(3, -1, -1):
        own = cards & lane(suit, RANKS)
        if own != NONE and lowest(own) % RANKS <= best % RANKS:
            best = lowest(own)
    return best


@inlined
def unseen(s: State) -> Cards:
    """The cards that the others hold."""
    return s.deck & ~(s.public | s.hands[s.turn])


@inlined
def may_hold(s: State, places_on: int) -> Cards:
    """The cards that the seat `places_on` places further on may hold."""
    return unseen(s) & ~LANES[int64(s.voids[(s.turn + places_on) & 3])]


@inlined
def trumps(s: State) -> Cards:
    return lane(s.trump, RANKS)


@inlined
def lead(s: State) -> Cards:
    """Lead the suit with the best reason; of several, the one of which fewest cards are out."""
    best, most = 0, 0
    for suit in range(4):
        mine = s.hands[s.turn] & lane(suit, RANKS)
        if mine != NONE:
            reason = reason_to_lead(s, suit, highest(mine))
            merit = RANKS * (reason + 1) - count(unseen(s) & lane(suit, RANKS))
            if merit > most:
                best, most = highest(mine) if reason >= RUFF else lowest(mine), merit
    return bit(best)


@inlined
def reason_to_lead(s: State, suit: int, top: int) -> int:
    """Draw the opponents' trumps while holding the highest; cash what nobody can beat or ruff; lead
    high where the partner can ruff, else low towards a partner who may hold a higher card. Trumps
    that draw nothing come last.
    """
    left, partner, right = may_hold(s, 1), may_hold(s, 2), may_hold(s, 3)
    wins = (left | right) & ABOVE[top] == NONE
    if suit == s.trump:
        return DRAW if wins and (left | right) & trumps(s) != NONE else TRUMP
    risky = may_ruff(s, left, suit) or may_ruff(s, right, suit)
    if wins and not risky:
        return CASH
    if may_ruff(s, partner, suit):
        return RUFF
    return TOWARDS_PARTNER if partner & ABOVE[top] != NONE and not risky else ALONE


@inlined
def may_ruff(s: State, held: Cards, suit: int) -> bool:
    """Whether a seat that may hold these cards has shown out of a suit, but not of trumps."""
    return held & lane(suit, RANKS) == NONE and held & trumps(s) != NONE


@inlined
def follow(s: State, cards: Cards) -> Cards:
    """Waste nothing on a trick that is surely the partner's; else take it with the lowest card that
    is sure to. If none is sure, third hand plays as high as helps, and second hand low.
    """
    winners = cards & beaters(s, s.best)
    ours = (s.winning ^ s.turn) & 1 == 0
    if winners == NONE or (ours and threats(s, s.best) == NONE):
        return throw_away(s, cards)
    sure = cheapest(s, winners, NONE)
    if sure != NONE or s.in_trick == 1:
        return unless_empty(sure, throw_away(s, cards))
    least = threats(s, highest(winners))
    if ours and threats(s, s.best) == least:
        return throw_away(s, cards)
    return cheapest(s, winners, least)


@inlined
def beaters(s: State, card: int) -> Cards:
    """The cards that beat `card`."""
    return ABOVE[card] | (NONE if card // RANKS == s.trump else trumps(s))


@inlined
def threats(s: State, card: int) -> Cards:
    """The cards with which the opponent still to play may beat `card`; a ruff is feared only from
    an opponent who has shown out.
    """
    if s.in_trick == 3:
        return NONE
    held = may_hold(s, 1)
    return unless_empty(held & lane(s.trick[0] // RANKS, RANKS), held) & beaters(s, card)


@inlined
def cheapest(s: State, winners: Cards, tolerated: Cards) -> Cards:
    """The lowest winner that faces no threat beyond the tolerated ones; empty if there is none."""
    while winners != NONE:
        card = lowest(winners)
        winners ^= bit(card)
        if threats(s, card) & ~tolerated == NONE:
            return bit(card)
    return NONE


@inlined
def throw_away(s: State, cards: Cards) -> Cards:
    """The lowest card of the suit led; else the plain card least worth keeping, or the lowest
    trump.
    """
    plain = cards & ~trumps(s)
    if plain == NONE or cards & lane(s.trick[0] // RANKS, RANKS) != NONE:
        return bit(lowest(cards))
    best, least = 0, CARDS
    while plain != NONE:
        card = lowest(plain)
        plain ^= bit(card)
        loss = regret(s, card)
        if loss < least:
            best, least = card, loss
    return bit(best)


@inlined
def regret(s: State, card: int) -> int:
    """The cost of parting with a card: its rank, and more for a winner or a guard. Without the
    guard a higher card of the suit would fall before it is the highest out.
    """
    suit = s.hands[s.turn] & lane(card // RANKS, RANKS)
    higher = count(unseen(s) & ABOVE[highest(suit)])
    guard = 0 < higher < count(suit) <= higher + 1
    winner = unseen(s) & ABOVE[card] == NONE
    return card % RANKS + (4 if guard else 0) + (5 if winner else 0)
