"""A deal of Coinche told in words, and the deals and variants that several tests play."""

import numpy as np

from spielgames.coinche.game import COINCHE
from spielgames.core.batch import Batch
from spielgames.core.cards import make_set, members
from spielgames.core.record import TERMINAL
from spielgames.core.words import RANKS_8, parse_card

CLUBS, DIAMONDS, HEARTS, SPADES = range(4)

# A suit each: whoever holds the trumps takes all tricks, whatever is played.
SOLO = [" ".join(rank + suit for rank in RANKS_8) for suit in "CDHS"]

# Played as in MIXED_PLAY with hearts as trump, seats 0 and 2 make 62 and the others 100.
# Seat 2 holds the king and queen of hearts.
MIXED = [
    "JH 9H TC KC QC JC 9C 9D",
    "AH TH AC AD TD KD QD JD",
    "KH QH AS TS KS QS JS 9S",
    "8H 7H 8C 7C 8D 7D 8S 7S",
]
MIXED_PLAY = (
    "JH TH QH 7H  9H AH KH 8H  TC AC 9S 7C  AD JS 7D 9D  "
    "TD QS 8D 9C  KD KS 8C JC  QD TS 7S QC  JD AS 8S KC"
)
SMALL = [
    "suits=1,ranks=4",
    "suits=2,ranks=4,levels=1",
    "suits=2,ranks=4,levels=1,capot=false,doubling=false",
    "suits=2,ranks=6,undertrump=true",
    "suits=3,ranks=4,belote=true,reward=made_and_announced",
    "suits=4,ranks=2,reward=good,penalty=70",
    "suits=4,ranks=3,reward=classic",
    "suits=4,ranks=5,reward=no_defense,levels=2",
    "suits=1,ranks=8,belote=true",
]


def cards(words):
    return [parse_card(word, RANKS_8) for word in words.split()]


def suit_of(card):
    return card // 8


class Table:
    """One deal, told in words."""

    def __init__(self, hands=None, **params):
        given = ",".join(f"{k}={v}" for k, v in params.items()).lower()
        self.batch = Batch(f"python_coinche({given})", games=1, seed=1)
        self.s = self.batch.states[0]
        if hands is not None:
            self.hold([make_set(cards(hand)) for hand in hands])

    def hold(self, sets):
        """Replace what was dealt."""
        self.s.hands[:] = sets
        self.s.dealt[:] = sets

    def do(self, a):
        self.batch.step(np.array([a]))
        return self

    def say(self, words):
        for word in words.split():
            names = {COINCHE.action_name(self.s, a): a for a in range(43)}
            self.do(names[word])
        return self

    def play(self, words):
        for card in cards(words):
            self.do(card)
        return self

    def finish(self):
        """Play the lowest legal cards to the end."""
        while self.turn != TERMINAL:
            self.do(min(self.legal))
        return self

    @property
    def legal(self):
        return set(members(self.batch.legal_sets()[0]))

    @property
    def turn(self):
        return int(self.batch.actors()[0])

    @property
    def teams(self):
        """Utilities of the two teams, which are those of each of their seats."""
        out = self.batch.returns()[0]
        assert out[0] == out[2] and out[1] == out[3]
        return [out[0], out[1]]


def at_trick(trick, hand, trump, undertrump):
    """Seat 0 led; the seat after the trick holds `hand`, and those before hold what they play."""
    table = Table(undertrump=undertrump)
    sets = [make_set(cards(card)) for card in trick] + [make_set(cards(" ".join(hand)))]
    table.hold(sets + [0] * (4 - len(sets)))
    return table.say(f"80{trump} pass pass pass").play(" ".join(trick))
