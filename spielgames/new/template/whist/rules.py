"""Each seat gets `hand` cards, and nobody ever sees the rest, the stock. Seat 0 leads. Follow suit
if you can; the highest card of the suit led takes the trick, and its winner leads. Each trick above
the average is worth a point.
"""

# A state is a record, and a rule is a function on it. All of these functions are compiled, and
# those that they call, such as end_trick, carry @inlined.

import numpy as np
from spielgames.core import verbs
from spielgames.core.cards import (
    NONE,
    ONE,
    Cards,
    bit,
    count,
    inlined,
    lane,
    lowest,
    unless_empty,
)
from spielgames.core.pieces import Pieces, put_set
from spielgames.core.record import TERMINAL, State, clear, lay_open, state_dtype

PLAYERS = 2
SUITS, RANKS = 4, 13
CARDS = SUITS * RANKS  # a card is the number RANKS * suit + rank, and so is the action to play it
STOCK = PLAYERS  # the first place after the hands
NOTHING_LED = -1

# The fields that all games have (spielgames.core.record), and these:
WHIST_STATE = state_dtype(
    PLAYERS,
    1,  # pile: the stock
    CARDS,  # at most so many moves
    [
        ("hand", "i1"),  # parameter: how many cards each seat gets
        ("led", "i1"),  # the suit of this trick, or NOTHING_LED
        ("best", "i1"),  # the card that wins the trick so far
        ("winner", "i1"),  # and its seat
        ("in_trick", "i1"),  # how many cards the trick has
        ("tricks", "i1", (PLAYERS,)),  # won by each seat
    ],
)


def reset(s: State) -> None:
    """Go to the start of a deal: `room` says how many cards chance places in each hand and pile."""
    clear(s)
    for seat in range(PLAYERS):
        s.room[seat] = s.hand
        s.tricks[seat] = 0
    s.room[STOCK] = count(s.deck) - PLAYERS * s.hand
    s.led = NOTHING_LED
    s.winner = 0
    s.in_trick = 0


def begin(s: State) -> None:
    """Start the play, when all cards are placed."""
    for place in range(PLAYERS + 1):
        s.hands[place] = s.dealt[place]
    s.turn = 0


def legal(s: State) -> Cards:
    """The legal actions of the seat to move, as a set."""
    hand = s.hands[s.turn]
    if s.led == NOTHING_LED:
        return hand
    return unless_empty(hand & lane(s.led, RANKS), hand)


def apply(s: State, a: int) -> None:
    """Make a move."""
    lay_open(s, s.turn, bit(a))
    if s.led == NOTHING_LED:
        s.led = a // RANKS
    if s.in_trick == 0 or (a // RANKS == s.led and a > s.best):
        s.best = a
        s.winner = s.turn
    s.in_trick += 1
    s.turn = (s.turn + 1) % PLAYERS
    if s.in_trick == PLAYERS:
        end_trick(s)


@inlined
def end_trick(s: State) -> None:
    s.tricks[s.winner] += 1
    s.led = NOTHING_LED
    s.in_trick = 0
    s.turn = s.winner if s.hands[0] != NONE else TERMINAL


def returns(s: State, out: np.ndarray) -> None:
    """The utilities of a finished deal."""
    for seat in range(PLAYERS):
        out[seat] = s.tricks[seat] - s.hand / PLAYERS


# What a network is shown of a state: flags, unless said otherwise.
PIECES = Pieces(
    {"hand": (CARDS,), "played": (PLAYERS, CARDS), "led": (SUITS,), "tricks": (PLAYERS,)},
    numbers=("tricks",),
)
_, PLAYED, LED, TRICKS = PIECES.starts()


def observe(s: State, seat: int, out: np.ndarray) -> None:
    """Fill in what a seat sees, itself first: nothing that the others hold."""
    put_set(out, 0, s.hands[seat])
    for k in range(PLAYERS):
        other = (seat + k) % PLAYERS
        put_set(out, PLAYED + CARDS * k, s.played[other])
        out[TRICKS + k] = s.tricks[other]
    if s.led != NOTHING_LED:
        put_set(out, LED, bit(s.led))


def choose(s: State, level: int) -> Cards:
    """The moves that the rule-based player finds equally good: the lowest card that wins the trick
    so far, or else any.
    """
    cards = verbs.legal(s)
    if s.in_trick == 0:
        return cards
    higher = cards & lane(s.led, RANKS) & ~(bit(s.best) - ONE)
    return bit(lowest(higher)) if higher != NONE else cards
