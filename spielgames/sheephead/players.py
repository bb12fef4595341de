"""Sheephead's rule-based player: every card is weighed by the points it should win or lose.

The weight of a card is the points in the trick, its own included, times how likely the player's
side is to take them, less the value of keeping a trump. Schmearing, ducking, winning cheaply and
trumping in all follow from that sum. The numbers are the best found in duels between players that
differ in one of them. Picking, burying and calling are in `bidding.py`.
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
    int64,
    lowest,
    make_set,
)
from spielgames.core.record import State
from spielgames.core.verbs import legal
from spielgames.sheephead.bidding import bid, bury, call
from spielgames.sheephead.cards import CARDS, CLUBS, HEARTS, RANKS, SPADES, STRENGTH, TRUMPS, points
from spielgames.sheephead.rules import (
    ALONE,
    BIDDING,
    BURIED,
    BURYING,
    CALLING,
    LAYING,
    PLAYERS,
    UNDER,
    is_nola,
    strength_of,
    suit_of,
)

LEVELS = ("standard", "random_cards")  # the second bids, buries and calls like the first
RANDOM_CARDS = 1

LOWEST_TRUMP = min(STRENGTH[c] for c in range(CARDS) if has(TRUMPS, c))
PARTNER_ODDS = 1 / 4  # for the picker, that a seat is the hidden partner
DEFENDER_ODDS = 2 / 3  # for a defender, that a seat other than the picker is one too

TO_COME = 1.0  # points expected of each seat still to play
TRUMP, PER_STEP = 0.5, 0.5  # the value of keeping the lowest trump, and of each step above it
PICKER_DRAWS, PARTNER_DRAWS, DEFENDER_DRAWS = 10.0, 14.0, -5.0  # for leading a trump
FLUSH = 2.0  # for leading the called suit against the hidden partner


def beaters(card: int) -> Cards:
    """The cards that beat a card that is winning its trick."""
    suit = next(int(suit) for suit in (TRUMPS, CLUBS, HEARTS, SPADES) if has(suit, card))
    rivals = suit | int(TRUMPS)
    return make_set(c for c in range(CARDS) if rivals >> c & 1 and STRENGTH[c] > STRENGTH[card])


def chance_of_none(some: int, cards: int, hand: int) -> float:
    """The probability that a hand drawn from so many cards has none of `some`."""
    chance = 1.0
    for k in range(hand):
        chance *= max(cards - some - k, 0) / max(cards - k, 1)
    return chance


BEATERS = np.array([beaters(card) for card in range(CARDS)])
NONE_OF = np.array(  # as chance_of_none says: [some, cards, hand]
    [
        [[chance_of_none(some, cards, hand) for hand in range(7)] for cards in range(CARDS + 1)]
        for some in range(CARDS + 1)
    ]
)
RANKS_ABOVE = np.array(
    [make_set(range(card + 1, RANKS * (card // RANKS + 1))) for card in range(CARDS)]
)


def choose(s: State, level: int) -> Cards:
    options = legal(s)
    if options & (options - ONE) == NONE:
        return options
    if s.phase == BIDDING:
        return bid(s)
    if s.phase == BURYING:
        return bury(s, options)
    if s.phase == CALLING:
        return call(s, options)
    if s.phase == LAYING or level == RANDOM_CARDS:
        return options  # which card lies face down has not been found to matter
    return shed(s, options) if is_nola(s) else best_card(s, options)


@inlined
def unseen(s: State) -> Cards:
    """The cards that others may hold."""
    own = s.hands[s.turn]
    if s.turn == s.picker:
        own |= s.hands[BURIED] | s.hands[UNDER]
    return s.deck & ~(own | s.public)


@inlined
def shed(s: State, options: Cards) -> Cards:
    """In Nola only the last trick counts: get rid of the cards that others can least beat."""
    out = unseen(s)
    fewest, found = CARDS, NONE
    while options != NONE:
        card = lowest(options)
        options ^= bit(card)
        above = count(out & RANKS_ABOVE[card])
        if above <= fewest:
            found = bit(card) | (found if above == fewest else NONE)
            fewest = above
    return found


@inlined
def best_card(s: State, options: Cards) -> Cards:
    out = unseen(s)
    stake = points(s.trick_cards) + TO_COME * (PLAYERS - 1 - s.in_trick)
    best, found = -np.inf, NONE
    while options != NONE:
        card = lowest(options)
        options ^= bit(card)
        gain = 2.0 * chance_to_take(s, card, out) - 1.0
        value = (stake + points(bit(card))) * gain - keeping(card)
        if s.in_trick == 0:
            value += leading(s, card)
        if value >= best:
            found = bit(card) | (found if value == best else NONE)
            best = value
    return found


@inlined
def keeping(card: int) -> float:
    """The value of keeping a card: high trumps are for later tricks, unless this one is worth
    them.
    """
    if not has(TRUMPS, card):
        return 0.0
    return TRUMP + PER_STEP * (STRENGTH[card] - LOWEST_TRUMP)


@inlined
def leading(s: State, card: int) -> float:
    """Picker and partner draw trumps; the others lead fail, preferably the called suit."""
    with_picker = is_with_picker(s, s.turn)
    if has(TRUMPS, card):
        if s.turn == s.picker:
            return PICKER_DRAWS
        return PARTNER_DRAWS if with_picker else DEFENDER_DRAWS
    return FLUSH if has(s.suit, card) and not s.answered and not with_picker else 0.0


@inlined
def is_with_picker(s: State, seat: int) -> bool:
    """Whether a seat knows that it is on the picker's side."""
    return seat == s.picker or s.called & s.dealt[seat] != NONE


@inlined
def trust(s: State, seat: int, other: int) -> float:
    """The probability, in a seat's view, that another seat is on its side. Until the called card is
    played only its holder knows; a seat that lacks its suit does not have it.
    """
    with_picker = is_with_picker(s, seat)
    if other == seat:
        return 1.0
    if other == s.picker:
        return 1.0 if with_picker else 0.0
    if s.call == ALONE or s.called & (s.dealt[seat] | s.voids[other]) != NONE:
        return 0.0 if with_picker else 1.0
    if s.called & s.public != NONE:
        return 1.0 if (s.partner == other) == with_picker else 0.0
    return PARTNER_ODDS if with_picker else DEFENDER_ODDS


@inlined
def chance_to_take(s: State, card: int, out: Cards) -> float:
    """The probability that the player's side takes the trick with a card: each seat to come that
    can beat what is winning does so against its enemies.
    """
    suit = suit_of(s, card)
    led = suit if s.in_trick == 0 else s.led
    if s.best == 0 or strength_of(s, card, suit) > s.best:
        top, own = card, 1.0
    else:
        top, own = winning_card(s), trust(s, s.turn, s.winning)
    for k in range(1, PLAYERS - int64(s.in_trick)):
        other = (int64(s.turn) + k) % PLAYERS
        beats = chance_to_beat(s, other, top, led, out)
        friend = trust(s, s.turn, other)
        own += beats * ((1.0 - own) * friend - own * (1.0 - friend))
    return own


@inlined
def winning_card(s: State) -> int:
    return int64(s.trick[(int64(s.winning) - int64(s.leader) + PLAYERS) % PLAYERS])


@inlined
def chance_to_beat(s: State, other: int, top: int, led: Cards, out: Cards) -> float:
    """The probability that a seat can beat a card: in the suit led, or void in it, with a trump."""
    out_of_reach = s.voids[other]
    hand, cards = count(s.hands[other]), count(out)
    higher = out & BEATERS[top] & ~out_of_reach
    no_trump = NONE_OF[count(higher & TRUMPS), cards, hand]
    if led == TRUMPS:
        return 1.0 - no_trump
    void = NONE_OF[count(out & led & ~out_of_reach), cards, hand]
    return void * (1.0 - no_trump) + 1.0 - NONE_OF[count(higher & led), cards, hand]
