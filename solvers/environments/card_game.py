"""One of our games as an environment: positions are its state records."""

from dataclasses import replace

import numpy as np
from numba import prange

from solvers.environments.environment import ASK, Environment, Positions, Skip, expansion_draw
from solvers.networks.layout import Shape, shape_of
from spielgames.core.advance import advance, settle
from spielgames.core.arrays import fill
from spielgames.core.cards import NONE, ONE, bit, count, has, inlined, lowest, nth
from spielgames.core.game import Game, Variant, initial_state
from spielgames.core.infostate import fill_recalls, recall_pieces
from spielgames.core.loops import Kernel, expand, final_returns, observe_all, options
from spielgames.core.luck import CHOICE_STREAM, Luck, below, stream
from spielgames.core.pieces import Pieces, put_set
from spielgames.core.players import choices
from spielgames.core.record import NOBODY, TERMINAL, State, event_action, event_seat, is_visible
from spielgames.core.registry import find
from spielgames.core.tree import Tree, decisions
from spielgames.core.verbs import reset

ENCODINGS = ("compact", "recall", "events")


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


@Kernel
def show_hands(states: np.ndarray, viewers: np.ndarray, cards: int, out: np.ndarray) -> None:
    """Write whose move it is, then every hand, the viewer's first, then the piles."""
    for i in prange(len(states)):
        s = states[i]
        players = len(s.played)
        fill(out[i], 0)
        if s.turn >= 0:
            out[i, (s.turn - viewers[i]) % players] = 1
        for place in range(len(s.hands)):
            holder = (place + viewers[i]) % players if place < players else place
            put_set(out[i], players + cards * place, s.hands[holder])


@inlined
def put_events(s: State, seat: int, cards: int, out: np.ndarray) -> None:
    """Write two numbers for each event, 0 where there is none. First what was done: 0 if the seat
    did not see it, 1 + card if a card was laid open, 1 + cards + action if it was anything else.
    Then who did it: 0 if it was chance, 1 for the seat itself, 2 for the next one, …

    A card's id may also be a call's. Of all that a seat did with the id of a card that it has laid
    open, that was the last.
    """
    fill(out, 0)
    covered = s.deck
    for t in range(s.length - 1, -1, -1):
        a, who = event_action(s.events[t]), event_seat(s.events[t])
        if who != NOBODY:
            out[2 * t + 1] = 1 + (who - seat) % len(s.played)
        if who != NOBODY and a < cards and has(covered & s.played[who], a):
            covered ^= bit(a)
            out[2 * t] = 1 + a
        elif is_visible(s.events[t], seat):
            out[2 * t] = 1 + cards + a


@Kernel
def fill_events(states: np.ndarray, seats: np.ndarray, cards: int, out: np.ndarray) -> None:
    for i in prange(len(states)):
        put_events(states[i], seats[i], cards, out[i])


def ahead_of_mean(counts: np.ndarray) -> np.ndarray:
    """Return by how much each column is ahead of the mean of the others. `[n, sides]`"""
    others = counts.sum(axis=1, keepdims=True) - counts
    return counts - others / (counts.shape[1] - 1)


def pieces_of(game: Game, variant: Variant, encoding: str) -> Pieces:
    """Return the pieces of an encoding. Each event is a row: see `put_events`."""
    if encoding == "recall":
        return recall_pieces(game, variant)
    if encoding == "compact":
        return game.pieces
    told = variant.max_moves + variant.max_draws, 2
    return replace(
        game.pieces,
        shapes=game.pieces.shapes | {"told": told},
        numbers=(*game.pieces.numbers, "told"),
    )


class Records(Environment):
    """One of our games. `compact` encodings are what the game's paper shows a network, `recall` all
    that the seat has ever seen, `events` the compact one followed by all events in short.
    """

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
        compact = np.empty((len(states), self.game.pieces.size), np.float32)
        observe_all(states, seats, compact)
        if self.encoding == "compact":
            return compact
        events = np.empty((len(states), self.width - self.game.pieces.size), np.float32)
        fill_events(states, seats, self.cards, events)
        return np.hstack([compact, events])

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
