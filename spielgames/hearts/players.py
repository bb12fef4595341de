"""The rule-based player of Hearts: every card has a cost in points, and the cheapest is played.

    cost = chance of taking the trick × price of the trick − relief of being rid of the card

The numbers come from self-play: change all of them at random, many times; keep the mean of the
changes that scored best against the unchanged player; repeat.
"""

import numpy as np

from spielgames.core.cards import NONE, ONE, Cards, bit, count, inlined, int64, lane, lowest
from spielgames.core.record import State
from spielgames.core.verbs import legal
from spielgames.hearts.moon import alarm, dares_moon, giving_away, shot, stopping_power
from spielgames.hearts.passing import card_to_pass, danger
from spielgames.hearts.rules import (
    HEARTS,
    JACK,
    JACK_BONUS,
    NO_POINTS_FIRST,
    PLAYERS,
    QUEEN,
    RANKS,
    SPADES,
    first_trick,
)

ABOVE_QUEEN = SPADES & ~(QUEEN | (QUEEN - ONE))

# LACKS[m, n]: the chance that a given one of m players has none of the n cards that they share.
LACKS = np.array([[(1 - 1 / m) ** n if m else 0.0**n for n in range(RANKS + 1)] for m in range(4)])
# By suit: the points that a sure winner of a later trick costs, and that a new void is worth.
DANGER = np.array([0.9, 0.9, 1.2, 0.75])
VOID = np.array([0.6, 0.6, 0.5, 0.5])
WILLING = 0.15  # how often a card is beaten though a lower one could be played


def choose(s: State, level: int) -> Cards:
    options = legal(s)
    if s.passing:
        return card_to_pass(s)
    if count(options) == 1:
        return options
    hand, unseen = s.hands[s.turn], unseen_cards(s)
    if dares_moon(s, hand, unseen):
        return shot(s, options, hand, unseen)
    return cheapest(s, options, hand, unseen)


@inlined
def unseen_cards(s: State) -> Cards:
    """The cards that the other three hold."""
    return s.deck & ~(s.hands[s.turn] | s.played[0] | s.played[1] | s.played[2] | s.played[3])


@inlined
def cheapest(s: State, options: Cards, hand: Cards, unseen: Cards) -> Cards:
    fear = alarm(s)
    best, least = NONE, np.inf
    while options != NONE:
        a = lowest(options)
        options ^= bit(a)
        cost = cost_of(s, a, hand, unseen, fear)
        if cost < least:
            best, least = bit(a), cost
    return best


@inlined
def cost_of(s: State, a: int, hand: Cards, unseen: Cards, fear: float) -> float:
    """The points expected from playing card `a`; `fear` is the value of stopping a moon."""
    card, suit = bit(a), a // RANKS
    mine, theirs = hand & lane(suit, RANKS), unseen & lane(suit, RANKS)
    risk = chance_to_take(s, card, suit, theirs)
    cost = risk * price(s, card, suit, theirs, unseen, fear)
    cost -= relief(card, suit, mine, theirs)
    if s.in_trick == 0 and card & SPADES != NONE and unseen & QUEEN != NONE:
        cost -= smoking_out(hand)
    if fear > 0:
        cost += fear * (stopping_power(theirs, card) + (1 - risk) * giving_away(s, card))
    return cost


@inlined
def smoking_out(hand: Cards) -> float:
    """Leading spades flushes out ♠Q; safe without a spade above her."""
    return 4.7 if hand & ABOVE_QUEEN == NONE else 0.0


@inlined
def worth(s: State, cards: Cards) -> float:
    """The penalty points of a set of cards."""
    points = 1.0 * count(cards & HEARTS) + (13.0 if cards & QUEEN != NONE else 0.0)
    return points - 10.0 if s.options & JACK_BONUS and cards & JACK != NONE else points


@inlined
def followers(s: State, suit: int, seats: int) -> int:
    """The number of the next `seats` players who may still hold the suit."""
    found = 0
    for k in range(1, seats + 1):
        found += 0 if int64(s.voids[(s.turn + k) & 3]) >> suit & 1 else 1
    return found


@inlined
def chance_to_take(s: State, card: Cards, suit: int, theirs: Cards) -> float:
    """A player still to come beats the card if they must, having higher cards and no lower one, and
    seldom of their own free will.
    """
    if s.in_trick > 0 and (s.trick[0] // RANKS != suit or s.trick_cards & lane(suit, RANKS) > card):
        return 0.0
    holders = followers(s, suit, PLAYERS - 1)
    lower = count(theirs & (card - ONE))
    higher = count(theirs) - lower
    ducks = (1 - WILLING) * (1 - LACKS[holders, lower])
    stays_under = 1 - (1 - LACKS[holders, higher]) * (1 - ducks)
    chance = 1.0
    for _ in range(followers(s, suit, PLAYERS - 1 - s.in_trick)):
        chance *= stays_under
    return chance


@inlined
def price(s: State, card: Cards, suit: int, theirs: Cards, unseen: Cards, fear: float) -> float:
    """The cost of taking the trick: its points and those that may still fall on it. Taking points
    from a moon shooter is worth `fear`.
    """
    points = worth(s, s.trick_cards) + worth(s, card)
    points += may_fall(s, card, suit, theirs, unseen)
    return points - (fear if points > 0.5 else 0.0)


@inlined
def may_fall(s: State, card: Cards, suit: int, theirs: Cards, unseen: Cards) -> float:
    """The points expected from the players still to come: whatever hurts from those void in the
    suit, hearts on hearts and ♠Q on a higher spade from the others.
    """
    to_come = PLAYERS - 1 - s.in_trick
    following = followers(s, suit, to_come)
    void = LACKS[followers(s, suit, PLAYERS - 1), count(theirs)]
    points = (to_come - following + following * void) * discard(s, unseen)
    if suit == 2:
        points += following * (1 - void)
    if theirs & QUEEN != NONE:
        points += following * (7.2 if card > QUEEN else 0.4)
    return points


@inlined
def discard(s: State, unseen: Cards) -> float:
    """The points that a void player throws on a trick, on average."""
    if first_trick(s) and s.options & NO_POINTS_FIRST:
        return 0.0
    hearts = 1.1 if unseen & HEARTS != NONE else 0.0
    return hearts + (10.4 if unseen & QUEEN != NONE else 0.0)


@inlined
def relief(card: Cards, suit: int, mine: Cards, theirs: Cards) -> float:
    """The cost of keeping a card: it may take tricks, and it delays a void."""
    if suit == 3 and (mine | theirs) & QUEEN != NONE:
        return relief_around_queen(card, mine)
    return DANGER[suit] * danger(card, mine, theirs) + VOID[suit] / count(mine)


@inlined
def relief_around_queen(card: Cards, mine: Cards) -> float:
    """♠Q goes first, best from a short suit; her holder keeps the other spades as a guard. While
    another seat has her, ♠A and ♠K are a burden and low spades are safe.
    """
    if card == QUEEN:
        return 2.6 - 0.3 * count(mine)
    if mine & QUEEN != NONE:
        return -0.9 if card > QUEEN else -2.3
    return 2.5 - 0.5 * count(mine) if card > QUEEN else 0.0
