"""A small game of OpenSpiel's as an environment: positions are numbers of its listed histories."""

from typing import NamedTuple

import numpy as np
import pyspiel

from solvers.environments.environment import Environment, Positions, Skip
from solvers.exact.profiles import key_of
from solvers.networks.layout import Shape
from spielgames.core.arrays import pick_action
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, lowest, make_set
from spielgames.core.luck import Luck, forward, fraction, stream
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.registry import load_foreign
from spielgames.core.tree import TooLarge, Tree

MOST_HISTORIES = 200_000
MOST_ACTIONS = 64


class Histories(NamedTuple):
    """All histories of a game by number; 0 is the root."""

    mover: np.ndarray  # [histories] a seat, CHANCE or TERMINAL
    sets: np.ndarray  # [histories] uint64: the legal actions
    child: np.ndarray  # [histories, actions or outcomes] the history that follows
    chance: np.ndarray  # [histories, actions or outcomes] its probability, if chance decides
    utilities: np.ndarray  # [histories, players] at the end


class Listed(Environment):
    """A game of which every history is listed, by walking it once. Whatever the encoding is called,
    it is OpenSpiel's own tensors.
    """

    def __init__(self, name: str, encoding: str = "compact") -> None:
        game = load_foreign(name)
        self.name, self.encoding, self.players = name, encoding, game.num_players()
        self.actions = self.slots = game.num_distinct_actions()
        self.teams: tuple[int, ...] = ()
        outcomes = max(self.actions, game.max_chance_outcomes())
        if outcomes > MOST_ACTIONS:
            raise ValueError(
                f"{name} has {outcomes} actions or outcomes; at most {MOST_ACTIONS} are supported"
            )
        self.width = game.information_state_tensor_size()
        self.shape = Shape(self.width, self.actions)
        self.states: list[pyspiel.State] = []
        self.children: list[list[int]] = []
        self._visit(game.new_initial_state())
        self.histories = self._tabulate(outcomes)
        self.tensors = self._tensors()
        self.numbers = columns_of_numbers(self.tensors.reshape(-1, self.width))
        self.history_width = self.players * self.width + self.players
        self.history_shape = Shape(self.history_width, self.actions)
        self.history_numbers = tuple(
            viewer * self.width + column
            for viewer in range(self.players)
            for column in self.numbers
        )

    def _visit(self, state: pyspiel.State) -> int:
        """Number a history, then all that follow from it; return its number."""
        number = len(self.states)
        if number == MOST_HISTORIES:
            raise TooLarge(f"{self.name} has more than {MOST_HISTORIES} histories")
        self.states.append(state)
        self.children.append([])
        self.children[number] = [self._visit(state.child(a)) for a in state.legal_actions()]
        return number

    def _tabulate(self, outcomes: int) -> Histories:
        n = len(self.states)
        child, chance = np.zeros((n, outcomes), np.int32), np.zeros((n, outcomes))
        for i, (state, children) in enumerate(zip(self.states, self.children, strict=True)):
            child[i, state.legal_actions()] = children
            if state.is_chance_node():
                for action, probability in state.chance_outcomes():
                    chance[i, action] = probability
        return Histories(
            mover=np.array([mover_of(state) for state in self.states], np.int8),
            sets=np.array([make_set(state.legal_actions()) for state in self.states], np.uint64),
            child=child,
            chance=chance,
            utilities=np.array([returns_of(state) for state in self.states]),
        )

    def _tensors(self) -> np.ndarray:
        """Return what every seat knows. `[histories, players, width]`"""
        tensors = np.zeros((len(self.states), self.players, self.width), np.float32)
        for i, state in enumerate(self.states):
            if not state.is_chance_node():
                tensors[i] = [state.information_state_tensor(p) for p in range(self.players)]
        return tensors

    def deal(self, first: int, count: int, seed: int, skip: Skip | None = None) -> Positions:
        """Return deals; `skip` has no effect here."""
        numbers, luck = np.zeros(count, np.int64), np.empty(count, np.uint64)
        deal_numbers(self.histories, first, seed, numbers, luck)
        return self._at(numbers, luck, np.zeros(count, np.int16))

    def follow(
        self, positions: Positions, rows: np.ndarray, actions: np.ndarray, skip: Skip | None = None
    ) -> Positions:
        numbers, luck = np.empty(len(rows), np.int64), np.empty(len(rows), np.uint64)
        given = positions.states, positions.luck, rows, actions
        follow_numbers(self.histories, *given, numbers, luck)
        return self._at(numbers, luck, positions.depth[rows] + np.int16(1))

    def _at(self, numbers: np.ndarray, luck: np.ndarray, depth: np.ndarray) -> Positions:
        mover, sets = self.histories.mover[numbers], self.histories.sets[numbers]
        return Positions(numbers, luck, mover, sets, depth)

    def returns(self, positions: Positions) -> np.ndarray:
        return self.histories.utilities[positions.states]

    def encode(self, positions: Positions) -> np.ndarray:
        return self.tensors[positions.states, positions.actors]

    def encode_history(self, positions: Positions, viewers: np.ndarray) -> np.ndarray:
        order = (np.arange(self.players) + viewers[:, None]) % self.players
        seen = self.tensors[positions.states[:, None], order].reshape(len(viewers), -1)
        mover = (positions.actors[:, None] == order).astype(np.float32)
        return np.hstack([seen, mover])

    def tricks_ahead(self, states: np.ndarray) -> np.ndarray:
        raise ValueError(f"{self.name} does not count tricks")

    def partner_hands(self, positions: Positions) -> np.ndarray:
        raise ValueError(f"{self.name} has no hands of cards")

    def encode_decisions(self, tree: Tree) -> list[np.ndarray]:
        known = [{key: i for i, key in enumerate(plex.key.tolist())} for plex in tree.seats]
        out = [np.zeros((plex.sets, self.width), np.float32) for plex in tree.seats]
        for tensors, state in zip(self.tensors, self.states, strict=True):
            seat = mover_of(state)
            if seat >= 0 and len(state.legal_actions()) > 1:
                out[seat][known[seat][key_of(state, seat)]] = tensors[seat]
        return out


def mover_of(state: pyspiel.State) -> int:
    if state.is_terminal():
        return TERMINAL
    return CHANCE if state.is_chance_node() else state.current_player()


def returns_of(state: pyspiel.State) -> list[float]:
    return state.returns() if state.is_terminal() else [0.0] * state.num_players()


def columns_of_numbers(tensors: np.ndarray) -> tuple[int, ...]:
    """Return the columns that hold anything but 0 and 1."""
    return tuple(np.flatnonzero(((tensors != 0) & (tensors != 1)).any(axis=0)).tolist())


@compiled
def to_choice(histories: Histories, number: int, luck: Luck) -> tuple[int, Luck]:
    """Play what chance decides and what is forced; return the history and the luck then."""
    while histories.mover[number] != TERMINAL:
        actions = histories.sets[number]
        if histories.mover[number] == CHANCE:
            luck = forward(luck)
            number = histories.child[number, pick_action(histories.chance[number], fraction(luck))]
        elif actions & (actions - ONE) == NONE:
            number = histories.child[number, lowest(actions)]
        else:
            break
    return number, luck


@compiled
def deal_numbers(
    histories: Histories, first: int, seed: int, numbers: np.ndarray, luck: np.ndarray
) -> None:
    for i in range(len(numbers)):
        numbers[i], luck[i] = to_choice(histories, 0, stream(seed, first + i))


@compiled
def follow_numbers(
    histories: Histories,
    parents: np.ndarray,
    streams: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    numbers: np.ndarray,
    luck: np.ndarray,
) -> None:
    for j in range(len(rows)):
        child = histories.child[parents[rows[j]], actions[j]]
        numbers[j], luck[j] = to_choice(histories, child, stream(streams[rows[j]], actions[j]))
