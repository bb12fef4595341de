"""The state record of a Snapszer deal, and its start (docs/rules/snapszer.md, "Seats and deal")."""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, lowest, make_set
from spielgames.core.record import CHANCE, NOBODY, State, clear, state_dtype

PLAYERS = 2
RANKS = 5
CARDS = 20
TALON, UPCARD = 2, 3  # places after the two hands
CLOSE, MARRY, EXCHANGE = 20, 21, 25  # a marriage in suit s is MARRY + s
ACTIONS = 26
SNAPSZER, SCHNAPSEN = range(2)
TEN, JACK, QUEEN, KING, ACE = range(RANKS)
NO_TRUMP = 4  # before the deal, and where no card is left to turn up: a suit without cards
NO_CARD = -1
GOAL = 7  # the game points that win a match

POINTS = np.array([10, 2, 3, 4, 11] * 4)
QUEENS = make_set(range(QUEEN, CARDS, RANKS))
# The cards of its suit that beat a card: those worth more (J Q K 10 A).
HIGHER = np.array(
    [
        make_set(c for c in range(CARDS) if c // RANKS == a // RANKS and POINTS[c] > POINTS[a])
        for a in range(CARDS)
    ]
)

UNKNOWN = -1  # match points that chance has yet to draw

EVENTS = 42  # 20 cards, 15 draws to hands of two, 4 marriages, the exchange, two scores
SNAPSZER_STATE = state_dtype(
    PLAYERS,
    2,
    EVENTS,
    [
        ("rules", "i1"),  # parameter: SNAPSZER or SCHNAPSEN
        ("hand_size", "i1"),  # parameter
        ("target", "i1"),  # the points that win: 66
        ("half", "i1"),  # the points that save from losing two: 33
        ("marriage", "i1"),  # its points, outside trumps: 20
        ("match", "i1"),  # parameter: whether the deal is part of a match
        ("given", "i1", (PLAYERS,)),  # parameter: match points before the deal; UNKNOWN: drawn
        ("score", "i1", (PLAYERS,)),  # the same, once everybody knows them
        ("trump", "i1"),  # a suit, or NO_TRUMP
        ("leader", "i1"),  # who leads once all have drawn
        ("led", "i1"),  # the card led; NO_CARD between tricks
        ("couple", "u8"),  # king and queen of the marriage just declared
        ("married", "i1", (PLAYERS,)),  # suits declared, as bits
        ("taken", "u8", (PLAYERS,)),  # cards in tricks
        ("tricks", "i1", (PLAYERS,)),
        ("points", "i1", (PLAYERS,)),  # of tricks and marriages
        ("pending", "i1", (PLAYERS,)),  # marriage points that wait for the first trick
        ("closer", "i1"),  # the seat that closed the talon, or NOBODY
        ("closing_tricks", "i1", (PLAYERS,)),  # tricks and points when it did
        ("closing_points", "i1", (PLAYERS,)),
        ("exchanger", "i1"),  # the seat that exchanged the trump jack, or NOBODY
        ("lacked", "i1", (PLAYERS,)),  # the event by which a seat last lacked the trump jack
        ("winner", "i1"),  # NOBODY until the deal is over
        ("worth", "i1"),  # game points
    ],
)


def reset(s: State) -> None:
    clear(s)
    s.room[TALON] = count(s.deck) - 2 * s.hand_size
    if s.room[TALON] > 0:
        s.room[TALON] -= 1
        s.room[UPCARD] = 1
    s.trump = NO_TRUMP
    s.leader = 0
    s.led = NO_CARD
    s.couple = NONE
    s.closer = NOBODY
    s.exchanger = NOBODY
    s.winner = NOBODY
    s.worth = 0
    for seat in range(PLAYERS):
        reset_seat(s, seat)


@inlined
def reset_seat(s: State, seat: int) -> None:
    s.room[seat] = s.hand_size
    s.score[seat] = UNKNOWN
    s.married[seat] = 0
    s.taken[seat] = NONE
    s.tricks[seat] = 0
    s.points[seat] = 0
    s.pending[seat] = 0
    s.closing_tricks[seat] = 0
    s.closing_points[seat] = 0
    s.lacked[seat] = 0


def begin(s: State) -> None:
    for place in range(len(s.hands)):
        s.hands[place] = s.dealt[place]
    upcard = s.dealt[UPCARD]
    if upcard != NONE:
        s.trump = lowest(upcard) // RANKS
    s.public = upcard
    for seat in range(PLAYERS):
        s.gained[seat] = upcard  # no event names it, yet both recall it
    s.turn = CHANCE if s.match else 0


@inlined
def scores_next(s: State) -> int:
    """The seat whose match points chance tells now, or NOBODY. That comes first after the deal."""
    if s.match:
        for seat in range(PLAYERS):
            if s.score[seat] == UNKNOWN:
                return seat
    return NOBODY


@inlined
def trump_jack(s: State) -> int:
    return RANKS * s.trump + JACK


@inlined
def couple_of(suit: int) -> Cards:
    """The king and the queen of a suit."""
    return bit(RANKS * suit + QUEEN) | bit(RANKS * suit + KING)


@inlined
def is_open(s: State) -> bool:
    """Whether cards are drawn and suit need not be followed. The upcard is the last card drawn; at
    a lead an open talon is even, so it has the two cards that an exchange needs.
    """
    return s.closer == NOBODY and s.hands[UPCARD] != NONE
