"""The rules of one deal of Hokm (docs/rules/hokm.md). Seat 0 is the Hakem."""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, lane, unless_empty
from spielgames.core.record import CHANCE, TERMINAL, State, clear, lay_open, state_dtype

PLAYERS = 4
RANKS = 13
CARDS = 52
PREVIEW, STOCK = 4, 5  # piles: the Hakem's first cards, and those dealt once trump is named
NAME = 52  # actions 52–55 name ♣ ♦ ♥ ♠ as trump
NO_TRUMP_YET = 4
CHOOSE, HEURISTIC = 0, 1  # who names trump: the Hakem, or a fixed rule

EVENTS = 1 + CARDS  # trump, cards
HOKM_STATE = state_dtype(
    PLAYERS,
    2,
    EVENTS,
    [
        ("preview", "i1"),  # parameter: how many cards the Hakem sees before naming trump
        ("naming", "i1"),  # parameter: CHOOSE or HEURISTIC
        ("trump", "i1"),  # a suit, or NO_TRUMP_YET
        ("trick", "i1", (PLAYERS,)),  # the cards of the current trick, in order
        ("in_trick", "i1"),  # how many of them have been played
        ("winning", "i1"),  # the seat that wins the trick so far
        ("best", "i1"),  # and its card
        ("tricks", "i1", (2,)),  # won by each team
        ("voids", "i1", (PLAYERS,)),  # suits that a seat has shown it lacks, as bits
    ],
)


def reset(s: State) -> None:
    clear(s)
    s.room[PREVIEW] = s.preview
    s.room[STOCK] = count(s.deck) - s.preview
    s.trump = NO_TRUMP_YET
    s.in_trick = 0
    for team in range(2):
        s.tricks[team] = 0
    for seat in range(PLAYERS):
        s.voids[seat] = 0


@inlined
def hand_size(s: State) -> int:
    return count(s.deck) // PLAYERS


def begin(s: State) -> None:
    """Deal to the Hakem first, to the others once trump is named ("Seats and deal")."""
    s.hands[0] = s.dealt[PREVIEW] | s.dealt[0]
    s.hands[STOCK] = s.dealt[STOCK]
    s.gained[0] = s.dealt[PREVIEW]
    for seat in range(1, PLAYERS):
        s.hands[seat] = s.dealt[seat]
    s.turn = 0


def legal(s: State) -> Cards:
    hand = s.hands[s.turn]
    if s.trump == NO_TRUMP_YET:
        return names(s)
    if s.in_trick == 0:
        return hand
    return unless_empty(hand & lane(s.trick[0] // RANKS, RANKS), hand)


@inlined
def names(s: State) -> Cards:
    """The suits that may be named: any of the deck, or the fixed rule's choice ("Naming trump")."""
    if s.naming == HEURISTIC:
        return bit(NAME + longest_suit(s.hands[0]))
    suits = NONE
    for suit in range(4):
        if s.deck & lane(suit, RANKS) != NONE:
            suits |= bit(NAME + suit)
    return suits


@inlined
def longest_suit(cards: Cards) -> int:
    """The longest suit; ties go to the suit with the higher ranks, compared from the top, then to
    the lower suit ("Naming trump").
    """
    best, strength = 0, NONE
    for suit in range(4):
        ranks = (cards >> np.uint64(RANKS * suit)) & lane(0, RANKS)
        here = np.uint64(count(ranks)) << np.uint64(RANKS) | ranks
        if here > strength:
            best, strength = suit, here
    return best


def apply(s: State, a: int) -> None:
    if a >= NAME:
        name_trump(s, a - NAME)
    else:
        play_card(s, a)


@inlined
def name_trump(s: State, suit: int) -> None:
    s.trump = suit
    s.undealt = s.dealt[STOCK]
    s.dealt[STOCK] = NONE
    s.hands[STOCK] = NONE
    for seat in range(PLAYERS):
        s.room[seat] = hand_size(s)
    s.room[0] -= s.preview
    s.turn = CHANCE


@inlined
def play_card(s: State, a: int) -> None:
    seat = s.turn
    card = bit(a)
    lay_open(s, seat, card)
    s.trick[s.in_trick] = a
    led = s.trick[0] // RANKS
    suit = a // RANKS
    if s.in_trick > 0 and suit != led:
        s.voids[seat] |= 1 << led
    if s.in_trick == 0 or beats(s, a, suit):
        s.best = a
        s.winning = seat
    s.in_trick += 1
    if s.in_trick == PLAYERS:
        end_trick(s)
    else:
        s.turn = (seat + 1) & 3


@inlined
def beats(s: State, a: int, suit: int) -> bool:
    """Whether a card takes the trick: a higher one of the winning suit, or the first trump."""
    winning_suit = s.best // RANKS
    return a > s.best if suit == winning_suit else suit == s.trump


@inlined
def end_trick(s: State) -> None:
    winner = s.winning
    s.tricks[winner & 1] += 1
    s.in_trick = 0
    decided = s.tricks[winner & 1] == majority(s)
    s.turn = TERMINAL if decided or s.hands[winner] == NONE else winner


@inlined
def majority(s: State) -> int:
    """The tricks that win the deal: 7 of 13."""
    return hand_size(s) // 2 + 1


@inlined
def worth(s: State, team: int) -> int:
    """The worth of the deal: 1, or more if the losers have no trick ("Scoring")."""
    return 1 if s.tricks[1 - team] > 0 else worth_of_kot(team)


@inlined
def worth_of_kot(team: int) -> int:
    """The worth of a deal without a trick for the losers: 2, or 3 if the Hakem is among them."""
    return 2 if team == 0 else 3


def returns(s: State, out: np.ndarray) -> None:
    """Fill zero-sum utilities ("Utilities"). With an even number of tricks, a tie is worth 0."""
    drawn = s.tricks[0] == s.tricks[1]
    winners = 0 if s.tricks[0] > s.tricks[1] else 1
    for seat in range(PLAYERS):
        sign = 1.0 if seat & 1 == winners else -1.0
        out[seat] = 0.0 if drawn else sign * worth(s, winners)


def margin(s: State, seat: int) -> float:
    """The number of tricks by which the seat's side has won."""
    return float(s.tricks[seat & 1] - s.tricks[1 - (seat & 1)])
