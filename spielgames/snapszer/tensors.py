"""Snapszer's compact encoding: the 126 features of sztriga's Trickster, then what they leave out.

The pieces up to `led_trump` are Trickster's groups. The observer comes before the opponent.
`opponent_holds` are the cards that the opponent is known to hold: all of them once the talon is
exhausted, as in Trickster; before that, those that were shown.
"""

from dataclasses import replace

import numpy as np

from spielgames.core.cards import NONE, Cards, count, has, inlined, int64, lane, lowest
from spielgames.core.pieces import Pieces, put_bits, put_set
from spielgames.core.record import NOBODY, State
from spielgames.snapszer.record import (
    CARDS,
    GOAL,
    NO_CARD,
    PLAYERS,
    POINTS,
    RANKS,
    TALON,
    UNKNOWN,
    UPCARD,
    is_open,
)

PIECES = Pieces(
    {
        "hand": (CARDS,),
        "suit_counts": (4,),
        "suit_best": (4,),
        "hand_size": (1,),
        "talon": (1,),
        "strict": (1,),
        "trump": (4,),
        "upcard": (2,),  # whether there is one, and its rank
        "taken": (PLAYERS, CARDS),
        "taken_counts": (PLAYERS,),
        "unseen": (CARDS,),
        "opponent_holds": (CARDS,),
        "following": (1,),
        "led_suit": (4,),
        "led_rank": (1,),
        "led_trump": (1,),  # the last of Trickster's 126
        "points": (PLAYERS,),
        "pending": (PLAYERS,),
        "tricks": (PLAYERS,),
        "trickless": (PLAYERS,),
        "marriages": (PLAYERS, 4),
        "must_lead": (CARDS,),  # king and queen of the marriage just declared
        "exchanger": (PLAYERS,),
        "closer": (PLAYERS + 1,),  # the last flag: nobody
        "closing_points": (PLAYERS,),
        "closing_tricks": (PLAYERS,),
    },
    numbers=(
        *("suit_counts", "suit_best", "hand_size", "talon", "upcard", "taken_counts", "led_rank"),
        *("points", "pending", "tricks", "closing_points", "closing_tricks"),
    ),
    suited=("suit_counts", "suit_best", "trump", "led_suit", "marriages"),
)
(
    HAND,
    SUIT_COUNTS,
    SUIT_BEST,
    HAND_SIZE,
    TALON_LEFT,
    STRICT,
    TRUMP,
    UP,
    TAKEN,
    TAKEN_COUNTS,
    UNSEEN,
    OPPONENT_HOLDS,
    FOLLOWING,
    LED_SUIT,
    LED_RANK,
    LED_TRUMP,
    SCORE,
    PENDING,
    TRICKS,
    TRICKLESS,
    MARRIAGES,
    MUST_LEAD,
    EXCHANGER,
    CLOSER,
    CLOSING_POINTS,
    CLOSING_TRICKS,
) = PIECES.starts()
MATCH = PIECES.size
MATCH_PIECES = replace(PIECES, shapes=PIECES.shapes | {"score": (PLAYERS, GOAL)})  # in a match
PAPER = SCORE  # the size of Trickster's encoding
STRENGTH = (POINTS / POINTS.max()).astype(np.float32)  # of a card in its suit; the ace is 1
FULL_HAND, FULL_TALON, FULL_TRICKS = 5, 10, 10


def observe(s: State, seat: int, out: np.ndarray) -> None:
    put_hand(s.hands[seat], out)
    put_talon(s, out)
    put_set(out, UNSEEN, s.deck & ~(s.dealt[seat] | s.gained[seat] | s.public))
    put_set(out, OPPONENT_HOLDS, opponent_holds(s, 1 - seat))
    if s.led != NO_CARD:
        put_led(s, s.led, out)
    for k in range(PLAYERS):
        put_score(s, (seat + k) & 1, k, out)
        put_deeds(s, (seat + k) & 1, k, out)
        put_match_points(s, (seat + k) & 1, k, out)
    put_set(out, MUST_LEAD, s.couple)
    out[CLOSER + PLAYERS] = s.closer == NOBODY


@inlined
def put_hand(hand: Cards, out: np.ndarray) -> None:
    put_set(out, HAND, hand)
    out[HAND_SIZE] = count(hand) / FULL_HAND
    while hand != NONE:
        card = lowest(hand)
        hand &= hand - np.uint64(1)
        suit = card // RANKS
        out[SUIT_COUNTS + suit] += 1
        out[SUIT_BEST + suit] = max(out[SUIT_BEST + suit], STRENGTH[card])


@inlined
def put_talon(s: State, out: np.ndarray) -> None:
    upcard = s.hands[UPCARD]
    out[TALON_LEFT] = count(s.hands[TALON] | upcard) / FULL_TALON
    out[STRICT] = not is_open(s)
    if s.trump < 4:
        out[TRUMP + s.trump] = 1
    if upcard != NONE:
        out[UP] = 1
        out[UP + 1] = STRENGTH[lowest(upcard)]


@inlined
def opponent_holds(s: State, other: int) -> Cards:
    hand = s.hands[other]
    return hand if s.hands[TALON] == NONE else hand & s.public


@inlined
def put_led(s: State, led: int, out: np.ndarray) -> None:
    out[FOLLOWING] = 1
    out[LED_SUIT + led // RANKS] = 1
    out[LED_RANK] = STRENGTH[led]
    out[LED_TRUMP] = has(lane(s.trump, RANKS), led)


@inlined
def put_score(s: State, seat: int, k: int, out: np.ndarray) -> None:
    """Add what a seat has won; k = 0 is the observer."""
    put_set(out, TAKEN + CARDS * k, s.taken[seat])
    out[TAKEN_COUNTS + k] = count(s.taken[seat]) / CARDS
    out[SCORE + k] = s.points[seat] / s.target
    out[PENDING + k] = s.pending[seat] / s.target
    out[TRICKS + k] = s.tricks[seat] / FULL_TRICKS
    out[TRICKLESS + k] = s.tricks[seat] == 0


@inlined
def put_deeds(s: State, seat: int, k: int, out: np.ndarray) -> None:
    """Add what a seat has declared; k = 0 is the observer."""
    put_bits(out, MARRIAGES + 4 * k, s.married[seat], 4)
    out[EXCHANGER + k] = s.exchanger == seat
    out[CLOSER + k] = s.closer == seat
    out[CLOSING_POINTS + k] = s.closing_points[seat] / s.target
    out[CLOSING_TRICKS + k] = s.closing_tricks[seat] / FULL_TRICKS


@inlined
def put_match_points(s: State, seat: int, k: int, out: np.ndarray) -> None:
    """Add a seat's match points, where an encoding has room for them; k = 0 is the observer."""
    points = int64(s.score[seat])
    if points != UNKNOWN and len(out) > MATCH:
        out[MATCH + GOAL * k + points] = 1
