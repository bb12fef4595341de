"""One of our games as an environment: positions are its state records."""

import numpy as np
from numba import prange

from solvers.deep_cfr.environment import Positions
from solvers.networks import shape_of
from spielgames.core.cards import NONE, ONE, inlined, lowest
from spielgames.core.game import initial_state
from spielgames.core.infostate import fill_infostates, infostate_pieces
from spielgames.core.loops import Kernel, final_returns, observe_all, options
from spielgames.core.luck import Luck, stream
from spielgames.core.pieces import put_set
from spielgames.core.play import advance, settle
from spielgames.core.record import TERMINAL, State
from spielgames.core.registry import find
from spielgames.core.tree import Tree, decisions
from spielgames.core.verbs import reset

ENCODINGS = ("compact", "recall")


@inlined
def to_choice(s: State, luck: Luck) -> Luck:
    """Plays what is forced."""
    luck = settle(s, luck)
    while s.turn != TERMINAL:
        actions = options(s)
        if actions & (actions - ONE) != NONE:
            break
        advance(s, lowest(actions))
        luck = settle(s, luck)
    return luck


@Kernel
def begin_deals(
    states: np.ndarray,
    first: int,
    seed: int,
    luck: np.ndarray,
    actors: np.ndarray,
    sets: np.ndarray,
) -> None:
    for i in prange(len(states)):
        s = states[i]
        reset(s)
        luck[i] = to_choice(s, stream(seed, first + i))
        actors[i] = s.turn
        sets[i] = options(s)


@Kernel
def follow_all(
    states: np.ndarray,
    parents: np.ndarray,
    streams: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    luck: np.ndarray,
    actors: np.ndarray,
    sets: np.ndarray,
) -> None:
    for j in prange(len(states)):
        states[j] = parents[rows[j]]
        s = states[j]
        advance(s, actions[j])
        luck[j] = to_choice(s, stream(streams[rows[j]], actions[j]))
        actors[j] = s.turn
        sets[j] = options(s)


@Kernel
def show_hands(states: np.ndarray, viewer: int, cards: int, out: np.ndarray) -> None:
    """Whose move it is, then every hand, the viewer's first, then the piles."""
    for i in prange(len(states)):
        s = states[i]
        players = len(s.played)
        out[i, :] = 0
        if s.turn >= 0:
            out[i, (s.turn - viewer) % players] = 1
        for place in range(len(s.hands)):
            holder = (place + viewer) % players if place < players else place
            put_set(out[i], players + cards * place, s.hands[holder])


class Records:
    """`compact` encodings are what the game's paper shows a network, `recall` all that the seat
    has ever seen.
    """

    def __init__(self, name: str, encoding: str = "compact") -> None:
        if encoding not in ENCODINGS:
            raise ValueError(f"encoding={encoding} is not allowed; it is one of {ENCODINGS}")
        self.name, self.encoding = name, encoding
        self.game, self.variant = find(name)
        self.players, self.actions = self.game.players, self.game.actions
        self.teams, self.slots = self.game.teams, min(self.variant.choices, self.actions)
        self.cards = 4 * len(self.game.ranks)
        compact = encoding == "compact"
        self.pieces = self.game.pieces if compact else infostate_pieces(self.game, self.variant)
        self.width = self.pieces.size
        self.shape = shape_of(self.pieces, self.actions, self.cards, len(self.game.ranks))
        self.numbers = self.history_numbers = self.pieces.number_columns
        self.history_width = self.width + self.players + self.game.places * self.cards

    def deal(self, first: int, count: int, seed: int) -> Positions:
        dealt = self._blank(count)
        begin_deals(dealt.states, first, seed, *dealt[1:])
        return dealt

    def follow(self, positions: Positions, rows: np.ndarray, actions: np.ndarray) -> Positions:
        children = self._blank(len(rows))
        given = positions.states, positions.luck, rows, actions
        follow_all(children.states, *given, *children[1:])
        return children

    def _blank(self, n: int) -> Positions:
        states = np.repeat(initial_state(self.game, self.variant), n)
        luck, sets = np.zeros((2, n), np.uint64)
        return Positions(states, luck, np.zeros(n, np.int8), sets)

    def returns(self, positions: Positions) -> np.ndarray:
        out = np.empty((len(positions.states), self.players))
        final_returns(positions.states, out)
        return out

    def encode(self, positions: Positions) -> np.ndarray:
        return self._encode(positions.states, positions.actors.astype(np.int64))

    def encode_history(self, positions: Positions, viewer: int) -> np.ndarray:
        states = positions.states
        seen = self._encode(states, np.full(len(states), viewer))
        hands = np.empty((len(states), self.history_width - self.width), np.float32)
        show_hands(states, viewer, self.cards, hands)
        return np.hstack([seen, hands])

    def _encode(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        out = np.empty((len(states), self.width), np.float32)
        if self.encoding == "compact":
            observe_all(states, seats, out)
        else:
            fill_infostates(states, seats, self.cards, self.actions + self.players, out)
        return out

    def encode_decisions(self, tree: Tree) -> list[np.ndarray]:
        parts: list[list[np.ndarray]] = [[] for _ in tree.seats]
        for states in decisions(self.name):
            turns = states["turn"].astype(np.int64)
            seen = self._encode(states, turns)
            for seat, part in enumerate(parts):
                part.append(seen[turns == seat])
        return [np.concatenate(part) for part in parts]
