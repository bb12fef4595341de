"""One of our games as an environment: positions are its state records."""

import numpy as np
from numba import prange

from solvers.environment import ASK, WHIMS, Positions, Skip, is_expanded
from solvers.networks import shape_of
from spielgames.core.cards import NONE, ONE, count, inlined, lowest, nth
from spielgames.core.game import initial_state
from spielgames.core.infostate import fill_infostates, infostate_pieces
from spielgames.core.loops import Kernel, final_returns, observe_all, options
from spielgames.core.luck import Luck, below, stream
from spielgames.core.pieces import put_set
from spielgames.core.play import advance, settle
from spielgames.core.players import choices
from spielgames.core.record import TERMINAL, State
from spielgames.core.registry import find
from spielgames.core.tree import Tree, decisions
from spielgames.core.verbs import reset

ENCODINGS = ("compact", "recall")


@inlined
def to_choice(s: State, luck: Luck, levels: np.ndarray, decay: float, depth: int) -> tuple:
    """Plays what is forced, and what compiled players decide: the luck and the depth then."""
    luck = settle(s, luck)
    while s.turn != TERMINAL:
        actions = options(s)
        if actions & (actions - ONE) == NONE:
            advance(s, lowest(actions))
        elif levels[s.turn] == ASK or (decay > 0 and is_expanded(luck, depth, decay)):
            break
        else:
            likely = choices(s, levels[s.turn])
            a = nth(likely, below(stream(luck, WHIMS), count(likely)))
            advance(s, a)
            luck = stream(luck, a)
            depth += 1
        luck = settle(s, luck)
    return luck, depth


@Kernel
def begin_deals(
    states: np.ndarray,
    first: int,
    seed: int,
    levels: np.ndarray,
    decay: float,
    luck: np.ndarray,
    actors: np.ndarray,
    sets: np.ndarray,
    depth: np.ndarray,
) -> None:
    for i in prange(len(states)):
        s = states[i]
        reset(s)
        luck[i], depth[i] = to_choice(s, stream(seed, first + i), levels, decay, 0)
        actors[i] = s.turn
        sets[i] = options(s)


@Kernel
def follow_all(
    states: np.ndarray,
    parents: np.ndarray,
    streams: np.ndarray,
    depths: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    levels: np.ndarray,
    decay: float,
    luck: np.ndarray,
    actors: np.ndarray,
    sets: np.ndarray,
    depth: np.ndarray,
) -> None:
    for j in prange(len(states)):
        states[j] = parents[rows[j]]
        s = states[j]
        advance(s, actions[j])
        at = stream(streams[rows[j]], actions[j])
        luck[j], depth[j] = to_choice(s, at, levels, decay, depths[rows[j]] + 1)
        actors[j] = s.turn
        sets[j] = options(s)


@Kernel
def show_hands(states: np.ndarray, viewers: np.ndarray, cards: int, out: np.ndarray) -> None:
    """Whose move it is, then every hand, the viewer's first, then the piles."""
    for i in prange(len(states)):
        s = states[i]
        players = len(s.played)
        out[i, :] = 0
        if s.turn >= 0:
            out[i, (s.turn - viewers[i]) % players] = 1
        for place in range(len(s.hands)):
            holder = (place + viewers[i]) % players if place < players else place
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

    def deal(self, first: int, count: int, seed: int, skip: Skip | None = None) -> Positions:
        dealt = self._blank(count)
        begin_deals(dealt.states, first, seed, *self._skipping(skip), *dealt[1:])
        return dealt

    def follow(
        self, positions: Positions, rows: np.ndarray, actions: np.ndarray, skip: Skip | None = None
    ) -> Positions:
        children = self._blank(len(rows))
        parents = positions.states, positions.luck, positions.depth
        given = *parents, rows, actions, *self._skipping(skip)
        follow_all(children.states, *given, *children[1:])
        return children

    def _skipping(self, skip: Skip | None) -> tuple[np.ndarray, float]:
        skip = skip or Skip((ASK,) * self.players)
        return np.array(skip.levels), skip.decay

    def _blank(self, n: int) -> Positions:
        states = np.repeat(initial_state(self.game, self.variant), n)
        luck, sets = np.zeros((2, n), np.uint64)
        return Positions(states, luck, np.zeros(n, np.int8), sets, np.zeros(n, np.int16))

    def returns(self, positions: Positions) -> np.ndarray:
        out = np.empty((len(positions.states), self.players))
        final_returns(positions.states, out)
        return out

    def encode(self, positions: Positions) -> np.ndarray:
        return self.observe(positions.states, positions.actors.astype(np.int64))

    def encode_history(self, positions: Positions, viewers: np.ndarray) -> np.ndarray:
        states, viewers = positions.states, viewers.astype(np.int64)
        hands = np.empty((len(states), self.history_width - self.width), np.float32)
        show_hands(states, viewers, self.cards, hands)
        return np.hstack([self.observe(states, viewers), hands])

    def observe(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
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
            seen = self.observe(states, turns)
            for seat, part in enumerate(parts):
                part.append(seen[turns == seat])
        return [np.concatenate(part) for part in parts]
