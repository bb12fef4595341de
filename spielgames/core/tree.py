"""A small game unrolled into sequence form (von Stengel 1996): what the exact solvers work on.

tree = unroll_game("python_hokm(suits=2,ranks=4)")

A sequence is what one seat has done so far: an action at one of its information sets, after the
sequence that led there; sequence 0 is having done nothing. Interior histories are not stored: a
leaf knows the last sequence of each seat, chance's probability, and the utilities. A move without
alternatives is not a decision.

Several seats can be one player, who sees what any of them sees: `sides` names the player of each
seat. (0, 1, 0, 1) makes two players out of two teams; in (0, 1, 0, 3) seat 0 also plays for seat 2,
which then has no information sets of its own. Leaves and other seats stay the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from tqdm import tqdm

from spielgames.core import one_game
from spielgames.core.game import MAX_PLACES, initial_state
from spielgames.core.registry import find
from spielgames.core.unroll import (
    CLASH,
    DONE,
    EMPTY,
    FRAME,
    INFOSET,
    LEAF,
    VARIED,
    rehash,
    start_walk,
    unroll,
)
from spielgames.core.walk import MAX_OUTCOMES, estimate_leaves

Sides = tuple[int, ...]
GIGABYTE = 1 << 30
PORTION = 1 << 17  # leaves, or information sets, noted at once
DISTINCT = 1 << 15  # the most different vectors of utilities
PROBES = 4000


@dataclass(frozen=True)
class Treeplex:
    """One player's information sets, each before all those that follow from it."""

    parent: np.ndarray  # [sets] the sequence that leads to each
    first: np.ndarray  # [sets + 1] its own sequences are first[i] … first[i+1]−1
    action: np.ndarray  # [sequences] the action of each; −1 for sequence 0
    key: np.ndarray  # [sets] identifies each: a fingerprint, or OpenSpiel's string

    @property
    def sets(self) -> int:
        return len(self.parent)

    @property
    def sequences(self) -> int:
        return len(self.action)


@dataclass(frozen=True)
class Tree:
    """The tree of a whole game."""

    name: str
    seats: list[Treeplex]
    leaves: np.ndarray  # [leaves, players] int32: the last sequence of each player
    chance: np.ndarray  # [leaves] the probability of chance's part
    payoff: np.ndarray  # [leaves] int32: a row of `payoffs`
    payoffs: np.ndarray  # [distinct, players] utilities

    @property
    def players(self) -> int:
        return len(self.seats)


class TooLarge(ValueError):
    """The error for a tree that does not fit into the given memory."""


class Walk:
    """A walk through a variant's histories, one portion at a time."""

    def __init__(self, name: str, sides: Sides | None = None) -> None:
        game, variant = find(name)
        self.sides = np.array(check_sides(sides, game.players))
        row = initial_state(game, variant)
        one_game.start(row)
        cards = int(row["deck"][0]).bit_count()
        longest = variant.max_moves + variant.max_draws + variant.stages * cards + 1
        self.states = np.repeat(row, longest + 1)
        self.frames = np.zeros(len(self.states), FRAME)
        self.p = np.zeros(MAX_OUTCOMES)
        self.sets = np.zeros(PORTION, INFOSET)
        self.table = np.full(2 * PORTION, EMPTY, np.int32)
        self.sizes = np.ones(1 + MAX_PLACES, np.int64)  # every player has sequence 0
        self.sizes[0] = 0
        self.payoffs = np.zeros((DISTINCT, game.players))
        self.slots = np.full(2 * DISTINCT + 1, EMPTY, np.int32)
        self.slots[-1] = 0
        self.depth = 0
        start_walk(self.states, self.frames, self.p)

    def on(self, leaves: np.ndarray, seen: np.ndarray) -> tuple[int, bool]:
        """Walk until one of the buffers is full; return the number of leaves, and whether the walk
        is complete.
        """
        self._make_room()
        self.depth, n, why = unroll(
            *(self.states, self.frames, self.depth, self.p, self.sides),
            *(self.sets, self.table, self.sizes, seen, leaves, self.payoffs, self.slots),
        )
        if why == CLASH:
            raise RuntimeError("two information sets have the same fingerprint")
        if why == VARIED:
            raise TooLarge(f"the game has more than {DISTINCT} different results")
        return n, why == DONE

    def _make_room(self) -> None:
        """Make room for another portion of information sets."""
        known = self.sizes[0]
        if len(self.sets) < known + PORTION:
            self.sets = np.concatenate([self.sets, np.zeros_like(self.sets)])
            self.table = np.full(2 * len(self.table), EMPTY, np.int32)
            rehash(self.sets, known, self.table)

    @property
    def nbytes(self) -> int:
        return self.sets.nbytes + self.table.nbytes

    def treeplex(self, player: int) -> Treeplex:
        sets = self.sets[: self.sizes[0]]
        own = sets[sets["player"] == player]
        masks = own["actions"].astype("<u8").reshape(-1, 1).view(np.uint8)
        bits = np.unpackbits(masks, axis=1, bitorder="little")
        return Treeplex(
            parent=own["parent"].copy(),
            first=np.append(own["first"], self.sizes[1 + player]).astype(np.int32),
            action=np.append(np.int8(-1), bits.nonzero()[1].astype(np.int8)),
            key=own["key"].copy(),
        )


def unroll_game(
    name: str, memory: int = GIGABYTE, progress: bool = False, sides: Sides | None = None
) -> Tree:
    """The tree of one of our variants, or an error that says how large it would be."""
    walk = Walk(name, sides)
    players = 1 + int(walk.sides.max())
    expected = expected_leaves(name)
    check_size(name, expected * leaf_bytes(players), memory, expected)
    parts: list[tuple[np.ndarray, ...]] = []
    buffer, nothing, done = np.zeros(PORTION, LEAF), walk.states[:0], False
    with tqdm(total=round(expected), unit=" leaves", disable=not progress) as bar:
        while not done:
            n, done = walk.on(buffer, nothing)
            got = buffer[:n]
            sequences = got["sequences"][:, :players].copy()
            parts.append((sequences, got["chance"].copy(), got["payoff"].copy()))
            bar.update(n)
            size = sum(len(part[1]) for part in parts) * leaf_bytes(players) + walk.nbytes
            check_size(name, size, memory, expected)
    leaves, chance, payoff = joined(parts)
    seats = [walk.treeplex(player) for player in range(players)]
    payoffs = summed(walk.payoffs[: walk.slots[-1]], walk.sides)
    return Tree(name, seats, leaves, chance, payoff, payoffs)


def check_sides(sides: Sides | None, seats: int) -> Sides:
    """The player of each seat: by default its own."""
    sides = tuple(range(seats)) if sides is None else sides
    if len(sides) != seats or not all(0 <= side < seats for side in sides):
        raise ValueError(f"sides={sides} is not allowed; it needs one player per seat ({seats})")
    return sides


def summed(utilities: np.ndarray, sides: np.ndarray) -> np.ndarray:
    """Each player's utilities, summed over its seats."""
    return utilities @ (sides[:, None] == np.arange(1 + sides.max()))


def joined(parts: list[tuple[np.ndarray, ...]]) -> list[np.ndarray]:
    """Join each column; the parts are freed on the way, since memory may not hold them twice."""
    total = sum(len(part[0]) for part in parts)
    columns = [np.empty((total, *column.shape[1:]), column.dtype) for column in parts[0]]
    while parts:
        total -= len(parts[-1][0])
        for whole, piece in zip(columns, parts.pop(), strict=True):
            whole[total : total + len(piece)] = piece
    return columns


def expected_leaves(name: str) -> float:
    walk = Walk(name)
    return estimate_leaves(walk.states[:1], walk.states[1:2], walk.p, PROBES, 0)


def leaf_bytes(players: int) -> int:
    return 4 * players + 8 + 4


def check_size(name: str, size: float, memory: int, expected: float) -> None:
    if size > memory:
        raise TooLarge(
            f"{name} has about {expected:.2g} leaves, too many for {memory / GIGABYTE:.3g} GB;"
            " allow more memory, or choose a smaller variant"
        )


def decisions(name: str) -> Iterator[np.ndarray]:
    """A state of every information set, in portions; each seat's are in the tree's order."""
    walk, done = Walk(name), False
    seen = np.zeros(PORTION, walk.states.dtype)
    while not done:
        before = walk.sizes[0]
        _, done = walk.on(np.zeros(0, LEAF), seen)
        yield seen[: walk.sizes[0] - before]
