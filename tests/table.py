"""A deal told in words, move by move: what the tables of Hokm and Hearts share."""

import pyspiel

import spielgames  # noqa: F401  (registers the games)
from spielgames.core.cards import lowest
from spielgames.core.words import RANKS_13, parse_card


def ids(words):
    return [parse_card(word, RANKS_13) for word in words.split()]


def cards(words):
    return set(ids(words))


class Table:
    """One deal, whose cards lie where the test says; an illegal move is an error."""

    def __init__(self, name, hands, **params):
        self.state = pyspiel.load_game(name, params).new_initial_state()
        self.hands = [cards(hand) for hand in hands]

    @property
    def s(self):
        return self.state.row[0]

    @property
    def legal(self):
        return set(self.state.legal_actions())

    @property
    def turn(self):
        return self.state.current_player()

    @property
    def over(self):
        return self.state.is_terminal()

    def deal(self):
        """Chance places every card where it belongs."""
        while self.s.undealt:
            self.state.apply_action(self.place_of(lowest(self.s.undealt)))

    def place_of(self, card):
        return next(seat for seat in range(4) if card in self.hands[seat])

    def play(self, words):
        """Each card by the seat whose turn it is."""
        for card in ids(words):
            self.state.apply_action(card)
        return self
