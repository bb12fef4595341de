"""The auction of Coinche's expert player.

It expects a number of points for each suit, from its own cards and from what was called, and
thereby a chance to make a contract and its mean score. It makes the cheapest bid if it promises
more than what stands, and doubles what is likely to fail. The weights were fitted to play-outs of
forced contracts (`analysis.experts.fit_coinche`), then improved in duels (`analysis.experts.tune`).
"""

import numpy as np

from spielgames.coinche.bidding import ACES, last_bid, ranks_in
from spielgames.coinche.rules import (
    COINCHE,
    FIRST_BID,
    LADDER,
    PASS,
    SURCOINCHE,
    are_partners,
    level_of,
    suit_of_bid,
)
from spielgames.coinche.scores import STEP
from spielgames.coinche.tables import RANKS, SUITS
from spielgames.core.cards import NONE, Cards, bit, count, has, inlined, int64, lane, lowest
from spielgames.core.record import State
from spielgames.core.verbs import legal

NINE, TEN, JACK, ACE = 2, 3, 4, 7
ATTACK, DEFENCE = range(2)

EXPECTED = np.array(  # one row per feature: points if one's side attacks, and if it defends
    [
        (42.0, 14.0),  # any hand
        (18.0, 31.0),  # the jack of trump
        (8.0, 12.0),  # the nine
        (4.0, 4.0),  # both
        (3.0, 7.0),  # the ace
        (3.0, 6.0),  # the ten
        (7.0, 4.0),  # each trump
        (10.0, 18.0),  # three trumps
        (14.0, 16.0),  # five trumps
        (10.0, 9.0),  # each ace beside
        (3.0, 7.0),  # each ten beside that is guarded
        (4.0, 6.0),  # each suit missing, with a trump
        (30.0, 41.0),  # the partner bid this suit
        (-13.0, -9.0),  # the partner bid another
        (0.0, 2.0),  # the partner passed
        (-21.0, 0.0),  # an opponent bid this suit
        (5.0, 10.0),  # an opponent bid
        (3.0, 0.0),  # each opponent passed
    ]
)
FEATURES = len(EXPECTED)
Bids = tuple[int, int, int]  # the last ones of the next seat, the partner and the last seat
FULL = 80.0  # the lowest bid that these points belong to; small decks have fewer
TOTAL = 162.0

DOUBT = 15.0  # the scale of the logistic chance to make a contract
PREMIUM = 30.0  # what a bid must promise beyond passing
SURE = 40.0  # the mean score at which to double
SURER = 0.8  # the chance at which to redouble


@inlined
def call(s: State, expected: np.ndarray, premium: float, sure: float, surer: float) -> Cards:
    options, said = legal(s), last_bids(s)
    stands = 0.0
    if s.contract != PASS:
        p = chance_made(s, said, expected)
        stands = score(s, level_of(s.contract), p)
        if has(options, SURCOINCHE) and p > surer:
            return bit(SURCOINCHE)
        if not are_partners(s.turn, s.bidder):
            stands = -stands
            if has(options, COINCHE) and stands > sure:
                return bit(COINCHE)
    return bid_more(s, said, stands + premium, expected)


@inlined
def chance_made(s: State, said: Bids, expected: np.ndarray) -> float:
    """The chance that the contract which stands is made."""
    suit, level = suit_of_bid(s.contract), level_of(s.contract)
    if are_partners(s.turn, s.bidder):
        return chance(s, level, expect(s, suit, said, ATTACK, expected))
    return chance(s, level, TOTAL * s.lowest / FULL - expect(s, suit, said, DEFENCE, expected))


@inlined
def bid_more(s: State, said: Bids, best: float, expected: np.ndarray) -> Cards:
    """The cheapest bids, short of capot, with the highest mean score; pass if none is better than
    `best`.
    """
    found = bit(PASS)
    bids = s.open & (bit(FIRST_BID + 4 * LADDER) - bit(0))
    level = level_of(lowest(bids)) if bids != NONE else 0
    for suit in range(SUITS):
        action = FIRST_BID + 4 * level + suit
        if has(bids, action):
            value = score(s, level, chance(s, level, expect(s, suit, said, ATTACK, expected)))
            if value > best:
                best, found = value, NONE
            if value == best:
                found |= bit(action)
    return found


@inlined
def chance(s: State, level: int, points: float) -> float:
    """The chance of making so many points if `points` are expected."""
    return 1.0 / (1.0 + np.exp((s.lowest + STEP * level - points) / DOUBT))


@inlined
def score(s: State, level: int, p: float) -> float:
    """The attackers' mean score if the contract is made with chance p."""
    return (s.lowest + STEP * level) * p - s.penalty * (1.0 - p)


@inlined
def expect(s: State, suit: int, said: Bids, role: int, expected: np.ndarray) -> float:
    total, told = 0.0, features(s, suit, said)
    for k in range(FEATURES):
        total += expected[k, role] * told[k]
    return total * s.lowest / FULL


@inlined
def features(s: State, suit: int, said: Bids) -> tuple[float, ...]:
    hand = s.hands[s.turn]
    trumps = ranks_in(hand, suit)
    length, tens, missing = count(trumps), 0.0, 0.0
    for other in range(SUITS):
        held = ranks_in(hand, other)
        if other != suit and s.deck & lane(other, RANKS) != NONE:
            tens += 1.0 if has(held, TEN) and count(held) >= 2 else 0.0
            missing += 1.0 if held == NONE and length > 0 else 0.0
    left, partner, right = said
    opposed = left != PASS or right != PASS
    against = bids_suit(left, suit) or bids_suit(right, suit)
    silent = 0.0 if opposed else min(2.0, (s.calls + 1) // 2)
    return (
        1.0,
        1.0 if has(trumps, JACK) else 0.0,
        1.0 if has(trumps, NINE) else 0.0,
        1.0 if has(trumps, JACK) and has(trumps, NINE) else 0.0,
        1.0 if has(trumps, ACE) else 0.0,
        1.0 if has(trumps, TEN) else 0.0,
        float(length),
        1.0 if length >= 3 else 0.0,
        1.0 if length >= 5 else 0.0,
        float(count(hand & ACES & ~lane(suit, RANKS))),
        tens,
        missing,
        1.0 if bids_suit(partner, suit) else 0.0,
        1.0 if partner != PASS and not bids_suit(partner, suit) else 0.0,
        1.0 if partner == PASS and s.calls >= 2 else 0.0,
        1.0 if against else 0.0,
        1.0 if opposed else 0.0,
        silent,
    )


@inlined
def last_bids(s: State) -> Bids:
    seat = int64(s.turn)
    return last_bid(s, (seat + 1) & 3), last_bid(s, (seat + 2) & 3), last_bid(s, (seat + 3) & 3)


@inlined
def bids_suit(bid: int, suit: int) -> bool:
    return bid != PASS and suit_of_bid(bid) == suit
