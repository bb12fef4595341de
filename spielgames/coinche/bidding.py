"""Bidding of the two rule-based players of Günlük and Saulus (their appendices B.2 and B.3).

They count jacks, nines, tens and aces, bid what they want if it is legal, and pass otherwise. They
never coinche. In variants "80" is the ladder's first level, and ten points are one level.
"""

import numpy as np

from spielgames.coinche.rules import FIRST_BID, LAST_BID, PASS, PLAYERS, level_of, suit_of_bid
from spielgames.coinche.tables import RANKS, SUITS
from spielgames.core.cards import NONE, Cards, bit, count, inlined, lane, make_set, unless_empty
from spielgames.core.record import State, event_action

STRONG, SIMPLE, EXPERT = range(3)  # the levels of `choose`

EIGHTY, NINETY, HUNDRED_TEN = 0, 1, 3  # levels of the ladder
NOTHING = -1

NINE, TEN, JACK, ACE = (make_set([rank]) for rank in (2, 3, 4, 7))  # within a suit
JACK_AND_NINE = JACK | NINE
TOP_FOUR = JACK_AND_NINE | ACE | TEN
ACES = make_set(range(7, SUITS * RANKS, RANKS))


@inlined
def choose_call(s: State, level: int) -> Cards:
    """Answer the partner's last bid, or bid a suit of one's own if the partner has not bid."""
    partners = last_bid(s, (s.turn + 2) & 3)
    wanted = opening(s, level) if partners == PASS else answer(s, partners, level)
    return unless_empty(wanted & s.open, bit(PASS))


@inlined
def last_bid(s: State, seat: int) -> int:
    """The seat's last bid; PASS if there is none. Calls are the first events, in turn from
    seat 0.
    """
    last = PASS
    for t in range(seat, s.calls, PLAYERS):
        if FIRST_BID <= event_action(s.events[t]) <= LAST_BID:
            last = event_action(s.events[t])
    return last


@inlined
def opening(s: State, level: int) -> Cards:
    """The highest bid that a suit is good for, ten more over the opponents' 80; none over a higher
    bid of theirs. The player is indifferent between suits that are good for the same bid.
    """
    if s.contract != PASS and level_of(s.contract) > EIGHTY:
        return NONE
    more = 0 if s.contract == PASS else 1
    bids, most = NONE, EIGHTY
    for suit in range(SUITS):
        worth = worth_of_suit(s.hands[s.turn], suit, level)
        if worth > most:
            bids, most = NONE, worth
        if worth == most:
            bids |= bit(FIRST_BID + 4 * (worth + more) + suit)
    return bids


@inlined
def worth_of_suit(hand: Cards, suit: int, level: int) -> int:
    ranks = ranks_in(hand, suit)
    return simple_worth(ranks, aces_beside(hand, suit)) if level == SIMPLE else strong_worth(ranks)


@inlined
def simple_worth(ranks: Cards, aces: int) -> int:
    """90 with jack, nine and a third card or an ace elsewhere; 80 with one of the two and two more
    cards, or with one more card and an ace elsewhere.
    """
    length = count(ranks)
    if ranks & JACK_AND_NINE == JACK_AND_NINE and (length >= 3 or aces > 0):
        return NINETY
    if ranks & JACK_AND_NINE != NONE and (length >= 3 or (length == 2 and aces > 0)):
        return EIGHTY
    return NOTHING


@inlined
def strong_worth(ranks: Cards) -> int:
    """110 with jack, nine, ace and ten; 90 with jack, nine and a third card (the "either" in their
    text names no alternative); 80 with one of the two and the ace or two more cards.
    """
    length = count(ranks)
    if ranks & TOP_FOUR == TOP_FOUR:
        return HUNDRED_TEN
    if ranks & JACK_AND_NINE == JACK_AND_NINE and length >= 3:
        return NINETY
    if ranks & JACK_AND_NINE != NONE and (ranks & ACE != NONE or length >= 3):
        return EIGHTY
    return NOTHING


@inlined
def answer(s: State, bid: int, level: int) -> Cards:
    """Raise the partner's 80 or 90 by 20 for the jack, and by 10 for the nine (the strong player:
    not if it is alone) and for each ace elsewhere. Not in a suit that one has bid oneself: that bid
    has already shown these cards.
    """
    suit = suit_of_bid(bid)
    own = last_bid(s, s.turn)
    if level_of(bid) > NINETY or (own != PASS and suit_of_bid(own) == suit):
        return NONE
    ranks = ranks_in(s.hands[s.turn], suit)
    steps = aces_beside(s.hands[s.turn], suit)
    if ranks & JACK != NONE:
        steps += 2
    if ranks & NINE != NONE and (level == SIMPLE or ranks != NINE):
        steps += 1
    return bit(bid + 4 * steps)


@inlined
def ranks_in(hand: Cards, suit: int) -> Cards:
    """The cards of a suit, shifted to where the first suit is."""
    return hand >> np.uint64(RANKS * suit) & lane(0, RANKS)


@inlined
def aces_beside(hand: Cards, suit: int) -> int:
    """The number of aces of other suits."""
    return count(hand & ACES & ~lane(suit, RANKS))
