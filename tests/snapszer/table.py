"""A deal of Snapszer played in words, and the positions that several tests start from."""

import numpy as np

from spielgames.core import loops
from spielgames.core.advance import advance
from spielgames.core.cards import make_set, members
from spielgames.core.game import initial_state
from spielgames.core.record import CHANCE, NOBODY, TERMINAL
from spielgames.core.registry import find
from spielgames.core.verbs import chance, reset
from spielgames.core.words import RANKS_5, parse_card
from spielgames.snapszer import words
from spielgames.snapszer.record import ACTIONS, CARDS, CLOSE, EXCHANGE, MARRY, TALON
from spielgames.testing.positions import random_actions

SCHNAPSEN = "python_snapszer(rules=schnapsen)"
DEAL = ("A♥ 10♥ J♠ Q♦ K♦", "K♥ Q♥ J♥ A♦ Q♠", "A♠")
STOCK = {"talon": "J♣ Q♣ K♣", "upcard": "10♠"}


def cards(words):
    return [parse_card(word, RANKS_5) for word in words.split()]


class Table:
    """A deal played move by move. Words are cards, `close`, `exchange`, `marry♠`; `+A♠` is a draw,
    `=J♠` the automatic exchange."""

    def __init__(self, name="python_snapszer"):
        self.game, self.variant = find(name)
        self.states = initial_state(self.game, self.variant)

    @property
    def s(self):
        return self.states[0]

    def deal(self, first, second, upcard):
        """The two hands and the upcard; the rest is the talon."""
        reset_all(self.states)
        known = [set(cards(first)), set(cards(second)), set(), set(cards(upcard))]
        for card in members(self.s.deck):
            place = next((k for k in range(4) if card in known[k]), TALON)
            if self.s.undealt:
                advance_one(self.states, place)
        assert [set(members(x)) for x in self.s.dealt[[0, 1, 3]]] == [known[0], known[1], known[3]]
        return self

    def endgame(self, first, second, trump, points, turn=0, talon="", upcard="", **fields):
        """A position in the middle of a deal; both seats have a trick if they have points."""
        reset_all(self.states)
        s = self.s
        s.undealt = 0
        s.hands = [make_set(cards(words)) for words in (first, second, talon, upcard)]
        s.public = make_set(cards(upcard))
        s.trump = "CDHS".index(trump)
        s.points = points
        s.tricks = [int(p > 0) for p in points]
        s.turn = turn
        for name, value in fields.items():
            s[name] = value
        return self

    def play(self, words):
        for word in words.split():
            self.move(word)
        return self

    def move(self, word):
        kind = {"+": "draw", "=": "exchange"}.get(word[0], "")
        assert (self.s.turn == CHANCE) == bool(kind), (word, self.s.turn)
        a = action(word.lstrip("+="))
        if kind:
            assert self.chances()[a] > 0
            assert (self.s.drawer == NOBODY) == (kind == "exchange")
        else:
            assert a in self.legal(), f"{word} is not in {self.names()}"
        advance_one(self.states, a)

    def legal(self):
        sets, actors = np.zeros(1, np.uint64), np.zeros(1, np.int8)
        loops.look(self.states, actors, sets)
        return members(sets[0])

    def names(self):
        return {words.action_name(self.s, a) for a in self.legal()}

    def chances(self):
        p = np.zeros(CARDS)
        fill_chances(self.states, p)
        return p

    def hand(self, seat):
        return set(members(self.s.hands[seat]))

    def utilities(self):
        assert self.s.turn == TERMINAL
        out = np.zeros((1, 2))
        loops.final_returns(self.states, out)
        return out[0].tolist()


@loops.Kernel
def reset_all(states):
    for i in range(len(states)):
        reset(states[i])


@loops.Kernel
def advance_one(states, a):
    advance(states[0], a)


@loops.Kernel
def fill_chances(states, p):
    chance(states[0], p)


def action(word):
    if word in ("close", "exchange"):
        return {"close": CLOSE, "exchange": EXCHANGE}[word]
    if word.startswith("marry"):
        return MARRY + "♣♦♥♠".index(word[-1])
    return parse_card(word, RANKS_5)


def play_randomly(batch, seed, close=1.0):
    """Steps a batch with random legal actions (`close`: its weight), yielding before each step."""
    rng = np.random.default_rng(seed)
    weights = np.where(np.arange(ACTIONS) == CLOSE, close, 1.0)
    while batch.running():
        yield
        batch.step(random_actions(batch, rng, weights))
