"""A deal of Sheephead laid out by hand, and the deals and variants of several tests."""

import numpy as np
from numba import njit

from spielgames.core.advance import advance
from spielgames.core.batch import Batch
from spielgames.core.cards import NONE, lowest, make_set, members
from spielgames.core.game import initial_state
from spielgames.core.record import TERMINAL
from spielgames.core.registry import find
from spielgames.core.verbs import reset
from spielgames.core.words import RANKS_8, parse_card
from spielgames.sheephead import rules
from spielgames.sheephead.game import SHEEPHEAD
from spielgames.testing.positions import random_actions

NAME = "python_sheephead"
ONE_CARD = NAME + "(hand=1,blind=27)"  # any five cards make a deal of one trick
FREE = NAME + "(duties=false)"
SMALL = NAME + "(ranks=3)"
VARIANTS = [NAME, FREE, SMALL, NAME + "(suits=2,duties=false)", NAME + "(ranks=2)"]
VARIANTS += [NAME + "(suits=3,ranks=5,doubled=true)", NAME + "(suits=2,ranks=6)"]
WORDS = {"pass": 32, "pick": 33, "alone": 34}
WORDS |= {f"call:{c}": 35 + i for i, c in enumerate(("AC", "AS", "AH", "TC", "TS", "TH"))}
WORDS |= {f"unknown:{c}": 41 + i for i, c in enumerate(("AC", "AS", "AH"))}


def card(word: str) -> int:
    return 8 if word == "JK" else parse_card(word, RANKS_8)


def cards(words: str) -> np.uint64:
    return make_set(card(word) for word in words.split())


def action(word: str) -> int:
    return WORDS[word] if word in WORDS else card(word)


@njit
def lay_out(states, places):
    """Deals card c to places[c], through the chance outcomes of the deal."""
    s = states[0]
    reset(s)
    while s.undealt != NONE:
        advance(s, places[lowest(s.undealt)])


class Table:
    """One deal laid out by hand: the seats' hands and the blind; what is not named is filled up."""

    def __init__(self, *places: str, name: str = NAME) -> None:
        game, variant = find(name)
        states = initial_state(game, variant)
        lay_out(states, self.fill(states[0], [cards(p) for p in places]))
        self.batch = Batch.of_states(game, variant, states)

    @staticmethod
    def fill(s, named: list) -> np.ndarray:
        named += [NONE] * (6 - len(named))
        room = [int(s.hand)] * 5 + [int(s.blind)]
        where = np.zeros(32, np.int64)
        spare = set(members(s.deck)) - set(members(np.bitwise_or.reduce(named)))
        for place, chosen in enumerate(named):
            chosen = members(chosen)
            while len(chosen) < room[place]:
                chosen.append(min(spare))
                spare.remove(chosen[-1])
            where[chosen] = place
        return where

    @property
    def s(self):
        return self.batch.states[0]

    def play(self, words: str) -> "Table":
        for word in words.split():
            self.batch.step(np.array([action(word)]))
        return self

    def legal(self) -> set[int]:
        return set(members(self.batch.legal_sets()[0]))

    def may(self, words: str) -> bool:
        """Whether the legal actions are exactly these."""
        return self.legal() == {action(word) for word in words.split()}

    def play_lowest(self, n: int) -> "Table":
        """The next n seats play their lowest legal card."""
        for _ in range(n):
            self.batch.step(np.array([min(self.legal())]))
        return self

    def returns(self) -> list[float]:
        assert self.s.turn == TERMINAL
        return self.batch.returns()[0].tolist()


def one_trick(words: str) -> Table:
    """Seat 0 picks and buries all but its card; the five cards are then played in order."""
    five = words.split()
    table = Table(*five, name=ONE_CARD).play("pick")
    for c in members(table.s.hands[0] & ~cards(five[0])):
        table.batch.step(np.array([c]))
    return table.play("alone").play(words)


def winner(table: Table) -> int:
    return int(np.flatnonzero(table.s.taken)[0])


DEAL = (  # seat 0 picks and calls ♣A, which seat 1 has
    "KC QD QH JH AH TH",
    "AC TC QC 7S 8S 9S",
    "7C 8C JC JS TS KS",
    "9C QS JK AS 7H 8H",
    "JD AD TD KD 9H KH",
    "8D 9D",
)


def called_ace(name: str = NAME) -> Table:
    return Table(*DEAL, name=name).play("pick 8D 9D call:AC")


UNKNOWN = (  # seat 0 picks and calls ♠A, which seat 1 has, with an unknown card
    "AC 7C QC QS QH QD",
    "AS TS 8S TH KH 8C",
    "KS 9S 7S 7H TC KC",
    "9C JK JC JS JH JD",
    "AD TD KD AH 8H 9H",
    "8D 9D",
)


def unknown_called(name: str = NAME) -> Table:
    return Table(*UNKNOWN, name=name).play("pick 8D 9D unknown:AS")


NOLA = ("AC QC", "KC QH", "KH AH", "AS KS", "QS AD", "KD QD")
PASSES = "pass pass pass pass pass "


def random_play(name: str, games: int, seed: int):
    """A batch before each of its moves, and at the end; playing alone is rarer than calling."""
    batch, rng = Batch(name, games, seed), np.random.default_rng(seed)
    weights = np.where(np.arange(SHEEPHEAD.actions) == rules.ALONE, 0.2, 1.0)
    while batch.running():
        yield batch
        batch.step(random_actions(batch, rng, weights))
    yield batch
