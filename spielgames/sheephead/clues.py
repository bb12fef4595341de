"""What a learner with a belief state predicts the others' plays of Sheephead from: table 2 of Brau
(2011), and after it what the thesis does not have, above all who is on whose side.
"""

import numpy as np

from spielgames.core.cards import NONE, ONE, Cards, count, inlined, lowest
from spielgames.core.pieces import Pieces
from spielgames.core.record import State
from spielgames.sheephead.cards import CARDS, CLUBS, HEARTS, SPADES, TRUMPS, points
from spielgames.sheephead.rules import PLAYERS, strength_of
from spielgames.sheephead.tensors import ACE_CARDS, HONOUR_CARDS, TEN_BELOW_ACE, seats_on

LED_SUITS = np.array([TRUMPS, CLUBS, SPADES, HEARTS])  # in the order of the tables
WHERE = {  # of tables 2 and 3: a column for each card with a merit of its own
    **{int(card): 8 + i for i, card in enumerate(HONOUR_CARDS)},
    **{int(card): 17 + i for i, card in enumerate(ACE_CARDS)},
    **{int(card) - TEN_BELOW_ACE: 21 + i for i, card in enumerate(ACE_CARDS)},
}
OWN_COLUMN = np.array([WHERE.get(card, -1) for card in range(CARDS)])
WEAKER, STRONGER = 0, 1

CLUES = Pieces(
    {
        "led": (4, 2),
        "holds": (17,),
        "leader": (1,),  # table 2
        "sides": (3,),  # with the picker: the mover; the winner so far; both on the same side
        "trick": (5,),  # whether led, cards, points, the best so far, points of an ally
        "rest": (2,),  # trumps expected, cards left
    }
)
LEADER, SIDES, IN_TRICK, REST = CLUES.starts()[2:]


@inlined
def expected(row: np.ndarray, cards: Cards) -> float:
    """How many of some cards a hand is expected to hold."""
    total = 0.0
    while cards != NONE:
        total += row[lowest(cards)]
        cards &= cards - ONE
    return total


def clues(s: State, beliefs: np.ndarray, out: np.ndarray) -> None:
    """Table 2, the expected numbers of cards as shares of a hand; and who is on whose side."""
    row = beliefs[s.turn]
    for i in range(4):
        if s.in_trick > 0 and s.led == LED_SUITS[i]:
            put_led(s, row, LED_SUITS[i], 2 * i, out)
    for card in range(CARDS):
        if OWN_COLUMN[card] >= 0:
            out[OWN_COLUMN[card]] = row[card]
    out[LEADER] = seats_on(s.turn, s.leader) / (PLAYERS - 1)
    put_sides(s, beliefs, out)
    out[IN_TRICK] = s.in_trick == 0
    out[IN_TRICK + 1] = s.in_trick / (PLAYERS - 1)
    out[IN_TRICK + 2] = points(s.trick_cards) / 30
    out[IN_TRICK + 3] = s.best / 20
    out[IN_TRICK + 4] = out[SIDES + 2] * out[IN_TRICK + 2]
    out[REST] = expected(row, TRUMPS) / s.hand
    out[REST + 1] = count(s.hands[s.turn]) / s.hand


@inlined
def put_sides(s: State, beliefs: np.ndarray, out: np.ndarray) -> None:
    mover = with_picker(s, s.turn, beliefs)
    out[SIDES] = mover
    if s.in_trick > 0:
        winner = with_picker(s, s.winning, beliefs)
        out[SIDES + 1] = winner
        out[SIDES + 2] = mover * winner + (1.0 - mover) * (1.0 - winner)


@inlined
def with_picker(s: State, seat: int, beliefs: np.ndarray) -> float:
    """The probability that a seat is on the picker's side: that it holds the called card."""
    if seat == s.picker:
        return 1.0
    if s.called == NONE:
        return 0.0
    if s.called & s.public != NONE:
        return 1.0 if s.partner == seat else 0.0
    return beliefs[seat, lowest(s.called)]


@inlined
def put_led(s: State, row: np.ndarray, cards: Cards, start: int, out: np.ndarray) -> None:
    while cards != NONE:
        card = lowest(cards)
        cards &= cards - ONE
        stronger = strength_of(s, card, s.led) > s.best
        out[start + (STRONGER if stronger else WEAKER)] += row[card] / s.hand
