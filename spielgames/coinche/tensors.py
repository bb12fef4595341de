"""The observation of Günlük and Saulus: the auction call by call, the leader, every
card's place.
"""

import numpy as np

from spielgames.coinche.rules import (
    ACTIONS,
    LADDER,
    LONGEST_AUCTION,
    PASS,
    PLAYERS,
    are_partners,
    level_of,
    suit_of_bid,
)
from spielgames.coinche.tables import CARDS, SUITS
from spielgames.core.cards import NONE, Cards, bit, inlined, int64
from spielgames.core.pieces import Pieces, put_bits, put_set
from spielgames.core.record import State, event_action

PIECES = Pieces(
    {
        "auction": (LONGEST_AUCTION, ACTIONS),  # a row per call, empty if not made
        "speaker": (PLAYERS,),  # of the first call, counted from the observer as all seats are
        "leader": (PLAYERS,),  # of the current trick; empty in the auction
        "hand": (CARDS,),
        "finished": (PLAYERS, CARDS),  # played in finished tricks
        "trick": (PLAYERS - 1, CARDS),  # the current trick in order
        "trump": (SUITS,),  # of the standing bid, like the next three
        "contract": (LADDER + 1,),
        "doubled": (3,),
        "attackers": (2,),  # ours, theirs
        "points": (2,),  # ours, theirs; of 162
        "voids": (PLAYERS - 1, SUITS),
    },
    numbers=("points",),
    suited=("trump", "voids"),
)
(
    AUCTION,
    SPEAKER,
    LEADER,
    HAND,
    FINISHED,
    TRICK,
    TRUMP,
    CONTRACT,
    DOUBLED,
    ATTACKERS,
    POINTS,
    VOIDS,
) = PIECES.starts()
POINT = np.float32(1 / 162)


def observe(s: State, seat: int, out: np.ndarray) -> None:
    put_auction(s, seat, out)
    put_set(out, HAND, s.hands[seat])
    if s.playing:
        put_play(s, seat, out)


@inlined
def put_auction(s: State, seat: int, out: np.ndarray) -> None:
    """Add the calls, which are the first events."""
    for t in range(s.calls):
        out[AUCTION + ACTIONS * t + event_action(s.events[t])] = 1
    out[SPEAKER + ((PLAYERS - seat) & 3)] = 1
    if s.contract != PASS:
        out[TRUMP + suit_of_bid(s.contract)] = 1
        out[CONTRACT + level_of(s.contract)] = 1
        out[DOUBLED + int64(s.doubled)] = 1
        out[ATTACKERS + (0 if are_partners(seat, s.bidder) else 1)] = 1


@inlined
def put_play(s: State, seat: int, out: np.ndarray) -> None:
    out[LEADER + ((s.leader + PLAYERS - seat) & 3)] = 1
    out[POINTS] = POINT * s.points[seat & 1]
    out[POINTS + 1] = POINT * s.points[1 - (seat & 1)]
    for k in range(min(s.in_trick, PLAYERS - 1)):
        out[TRICK + CARDS * k + int64(s.trick[k])] = 1
    unfinished = trick_cards(s)
    for k in range(PLAYERS):
        other = (seat + k) & 3
        put_set(out, FINISHED + CARDS * k, s.played[other] & ~unfinished)
        if k > 0:
            put_bits(out, VOIDS + SUITS * (k - 1), s.voids[other], SUITS)


@inlined
def trick_cards(s: State) -> Cards:
    cards = NONE
    for k in range(s.in_trick):
        cards |= bit(s.trick[k])
    return cards
