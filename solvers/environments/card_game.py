"""One of our games as an environment: positions are its state records."""

from dataclasses import replace

import numpy as np
from numba import prange

from solvers.environments.encodings import (
    ENCODINGS,
    fill_events,
    fill_features,
    pieces_of,
    show_hands,
)
from solvers.environments.environment import ASK, Environment, Positions, Skip, expansion_draw
from solvers.networks.layout import Shape, shape_of
from spielgames.core.advance import advance, settle
from spielgames.core.cards import NONE, ONE, count, inlined, lowest, nth
from spielgames.core.game import compact_pieces, initial_state
from spielgames.core.infostate import fill_recalls
from spielgames.core.loops import Kernel, expand, final_returns, observe_all, options
from spielgames.core.luck import CHOICE_STREAM, Luck, below, stream
from spielgames.core.pieces import Pieces
from spielgames.core.players import choices
from spielgames.core.record import TERMINAL, State
from spielgames.core.registry import find
from spielgames.core.tree import Tree, decisions
from spielgames.core.verbs import reset


@inlined
def is_asked(luck: Luck, depth: int, asked: np.ndarray) -> bool:
    return depth < len(asked) and expansion_draw(luck) < asked[depth]


@inlined
def to_choice(s: State, luck: Luck, levels: np.ndarray, asked: np.ndarray, depth: int) -> tuple:
    """Play what is forced, and what compiled players decide; return the luck and the depth then."""
    luck = settle(s, luck)
    while s.turn != TERMINAL:
        actions = options(s)
        if actions & (actions - ONE) == NONE:
            advance(s, lowest(actions))
        elif levels[s.turn] == ASK or is_asked(luck, depth, asked):
            break
        else:
            likely = choices(s, levels[s.turn])
            a = nth(likely, below(stream(luck, CHOICE_STREAM), count(likely)))
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
    asked: np.ndarray,
    luck: np.ndarray,
    actors: np.ndarray,
    sets: np.ndarray,
    depth: np.ndarray,
) -> None:
    for i in prange(len(states)):
        s = states[i]
        reset(s)
        luck[i], depth[i] = to_choice(s, stream(seed, first + i), levels, asked, 0)
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
    asked: np.ndarray,
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
        luck[j], depth[j] = to_choice(s, at, levels, asked, depths[rows[j]] + 1)
        actors[j] = s.turn
        sets[j] = options(s)


def ahead_of_mean(counts: np.ndarray) -> np.ndarray:
    """Return by how much each column is ahead of the mean of the others. `[n, sides]`"""
    others = counts.sum(axis=1, keepdims=True) - counts
    return counts - others / (counts.shape[1] - 1)


class Records(Environment):
    """One of our games, with one of the `encodings`."""

    def __init__(self, name: str, encoding: str = "compact") -> None:
        if encoding not in ENCODINGS:
            raise ValueError(f"encoding={encoding} is not allowed; it is one of {ENCODINGS}")
        self.name, self.encoding = name, encoding
        self.game, self.variant = find(name)
        self.players, self.actions = self.game.players, self.game.actions
        self.teams, self.slots = self.game.teams, min(self.variant.choices, self.actions)
        self.cards = self.game.cards
        self.pieces = pieces_of(self.game, self.variant, encoding)
        self.width, self.shape = self.pieces.size, self._shape(self.pieces)
        hands = {"turn": (self.players,), "hands": (self.game.places, self.cards)}
        history = replace(self.pieces, shapes=self.pieces.shapes | hands)
        self.history_width, self.history_shape = history.size, self._shape(history)
        self.numbers = self.history_numbers = self.pieces.number_columns

    def _shape(self, pieces: Pieces) -> Shape:
        game = self.game
        size = self.actions, self.cards, len(game.ranks), self.players
        return shape_of(pieces, *size, game.suited_actions)

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

    def _skipping(self, skip: Skip | None) -> tuple[np.ndarray, np.ndarray]:
        skip = skip or Skip((ASK,) * self.players)
        return np.array(skip.levels), np.array(skip.asked, float)

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
        if self.encoding == "recall":
            out = np.empty((len(states), self.width), np.float32)
            fill_recalls(states, seats, self.cards, self.actions + self.players, out)
            return out
        if self.encoding == "paper":
            return self._features(states, seats)
        size = compact_pieces(self.game, self.variant).size
        compact = np.empty((len(states), size), np.float32)
        observe_all(states, seats, compact)
        if self.encoding == "compact":
            return compact
        events = np.empty((len(states), self.width - size), np.float32)
        fill_events(states, seats, self.cards, events)
        return np.hstack([compact, events])

    def _features(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The features of the game's paper, which need no beliefs."""
        assert self.game.appraisal
        out = np.empty((len(states), self.game.appraisal.features.size))
        fill_features(states, seats, np.zeros((len(states), self.game.places, self.cards)), out)
        return out[:, : self.width].astype(np.float32)

    def dealt(self, states: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """The cards that the deal gave each of these seats. `[n] uint64`"""
        return states["dealt"][np.arange(len(seats)), seats]

    def tricks_ahead(self, states: np.ndarray) -> np.ndarray:
        if "tricks" not in (self.game.dtype.names or ()):
            raise ValueError(f"{self.name} does not count tricks")
        return ahead_of_mean(states["tricks"].astype(float))

    def partner_hands(self, positions: Positions) -> np.ndarray:
        partners = positions.actors + (self.players // 2 if self.teams else 1)
        hands = positions.states["hands"][np.arange(len(partners)), partners % self.players]
        held = np.empty((len(hands), self.cards), bool)
        expand(hands, held)
        return held.astype(np.float32)

    def encode_decisions(self, tree: Tree) -> list[np.ndarray]:
        parts: list[list[np.ndarray]] = [[] for _ in tree.seats]
        for states in decisions(self.name):
            turns = states["turn"].astype(np.int64)
            seen = self.observe(states, turns)
            for seat, part in enumerate(parts):
                part.append(seen[turns == seat])
        return [np.concatenate(part) for part in parts]
