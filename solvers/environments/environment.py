"""A game as a learner meets it: thousands of positions at once, each a real choice or an end.

positions = env.deal(first=0, count=1000, seed=7)
children = env.follow(positions, rows, actions)  # child j follows position rows[j]

Chance and forced moves are resolved on the way. A position carries its own stream of luck, so that
what follows from (seed, deal, actions) never depends on how positions are grouped.
"""

from typing import NamedTuple, Protocol, Self

import numpy as np

from solvers.networks.layout import Shape
from spielgames.core.arrays import take
from spielgames.core.cards import inlined
from spielgames.core.luck import EXPANSION_STREAM, Luck, fraction, stream
from spielgames.core.record import TERMINAL
from spielgames.core.tree import Tree


class Positions(NamedTuple):
    states: np.ndarray  # [n] records of the game, or whatever the environment understands
    luck: np.ndarray  # [n] uint64
    actors: np.ndarray  # [n] int8: a seat, or TERMINAL
    sets: np.ndarray  # [n] uint64: the legal actions, at least two
    depth: np.ndarray  # [n] int16: choices made so far

    def take(self, rows: np.ndarray | slice) -> Self:
        states = take(self.states, rows) if self.states.dtype.names else self.states[rows]
        return type(self)(states, *(column[rows] for column in self[1:]))

    @property
    def ended(self) -> np.ndarray:
        return self.actors == TERMINAL


ASK = -9  # below the levels of all compiled players


class Skip(NamedTuple):
    """Seats whose decisions compiled players take on the way, without being asked for. Some may be
    asked for all the same: at depth d a share `asked[d]`, those whose `expansion_draw` is below it,
    and none beyond the end.
    """

    levels: tuple[int, ...]  # of each seat; ASK: nobody decides for it
    asked: tuple[float, ...] = ()


class Environment(Protocol):
    """A game, as far as a learner needs to know it."""

    name: str
    encoding: str  # what its networks are shown: see `solvers.environments.card_game`
    players: int
    teams: tuple[int, ...]  # of each seat, if there are any
    actions: int
    slots: int  # legal actions at a position, at most
    width: int  # columns of an encoding
    numbers: tuple[int, ...]  # those that are not flags
    history_width: int
    history_numbers: tuple[int, ...]
    shape: Shape  # of its networks
    history_shape: Shape  # of those that see everything

    def deal(self, first: int, count: int, seed: int, skip: Skip | None = None) -> Positions:
        """Return the deals `first` … `first + count − 1` of a seed."""

    def follow(
        self, positions: Positions, rows: np.ndarray, actions: np.ndarray, skip: Skip | None = None
    ) -> Positions:
        """Return children: child j is what follows action j at position rows[j]."""

    def returns(self, positions: Positions) -> np.ndarray:
        """Return the utilities of positions that are ends. `[n, players]`"""

    def encode(self, positions: Positions) -> np.ndarray:
        """Return what the seats to move know. `[n, width] float32`"""

    def encode_history(self, positions: Positions, viewers: np.ndarray) -> np.ndarray:
        """Return everything, all hands included, as a seat sees it. `[n, history_width] float32`"""

    def tricks_ahead(self, states: np.ndarray) -> np.ndarray:
        """Return by how many tricks each side is ahead of the mean of the others. `[n, sides]`"""

    def partner_hands(self, positions: Positions) -> np.ndarray:
        """Return the cards that the partner of each seat to move holds, or the next seat if there
        are no teams. `[n, cards] float32`
        """

    def encode_decisions(self, tree: Tree) -> list[np.ndarray]:
        """Return what each seat knows at each of its information sets. `[sets, width]` per seat"""


@inlined
def expansion_draw(luck: Luck) -> float:
    """A position's own random number, from which it follows whether it is expanded."""
    return fraction(stream(luck, EXPANSION_STREAM))
