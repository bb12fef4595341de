"""Thousands of games advancing together in compiled loops: what the solvers learn on.

batch = Batch("python_hokm", games=4096, seed=7)
while batch.running():
    batch.step(policy(batch.observe(), batch.legal_mask()))
utilities = batch.returns()
"""

from typing import Self

import numpy as np

from spielgames.core import loops
from spielgames.core.cards import members
from spielgames.core.describe import describe_actions
from spielgames.core.game import Game, Variant, compact_pieces, initial_state
from spielgames.core.infostate import fill_infostates, infostate_pieces
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.registry import find
from spielgames.core.worlds import sample_worlds


class Batch:
    """`games` deals of one variant, reproducible from (seed, index) whatever the number of
    threads.
    """

    game: Game
    variant: Variant

    def __init__(self, name: str, games: int, seed: int = 0) -> None:
        if games < 1:
            raise ValueError(f"games={games} is not allowed; it must be at least 1")
        self.game, self.variant = find(name)
        self._adopt(np.repeat(initial_state(self.game, self.variant), games), seed)
        self.deal()

    @classmethod
    def of_states(cls, game: Game, variant: Variant, states: np.ndarray, seed: int = 0) -> Self:
        """Make a batch of existing states, which it then owns."""
        batch = cls.__new__(cls)
        batch.game, batch.variant = game, variant
        batch._adopt(states, seed)
        loops.look(states, batch._actors, batch._sets)
        return batch

    def _adopt(self, states: np.ndarray, seed: int) -> None:
        n = len(states)
        self.states = states
        self.seed = seed
        self._luck = np.zeros(n, np.uint64)
        loops.start_streams(states, seed, self._luck)
        self._actors = np.full(n, CHANCE, np.int8)
        self._sets = np.zeros(n, np.uint64)

    def __len__(self) -> int:
        return len(self.states)

    def deal(self, where: np.ndarray | None = None) -> None:
        """Deal anew in all games, or in those marked in `where`."""
        chosen = np.ones(len(self), bool) if where is None else np.asarray(where, bool)
        loops.deal(self.states, chosen, self._luck, self._actors, self._sets)

    def actors(self) -> np.ndarray:
        """The seat to move, or TERMINAL (−4). `[games] int8`"""
        return self._actors

    def running(self) -> bool:
        """Whether any game is not over."""
        return bool((self._actors != TERMINAL).any())

    def legal_sets(self) -> np.ndarray:
        """The legal actions as 64-bit sets; empty where a game is over. `[games] uint64`"""
        return self._sets

    def legal_mask(self, out: np.ndarray | None = None) -> np.ndarray:
        """The legal actions as flags. `[games, actions] bool`"""
        if out is None:
            out = np.empty((len(self), self.game.actions), bool)
        loops.expand(self._sets, out)
        return out

    def step(self, actions: np.ndarray) -> None:
        """Play one action per game, then whatever chance follows; games that are over stay as they
        are.
        """
        actions = self._checked(actions)
        loops.step(self.states, actions, self._luck, self._actors, self._sets)

    def step_and_redeal(
        self, actions: np.ndarray, ended: np.ndarray, utilities: np.ndarray
    ) -> None:
        """Like `step`, but a game that ends is marked in `ended` `[games] bool`, leaves its
        utilities in `utilities` `[games, players] float64`, and starts again.
        """
        actions = self._checked(actions)
        loops.step_and_redeal(
            self.states, actions, self._luck, self._actors, self._sets, ended, utilities
        )

    def _checked(self, actions: np.ndarray) -> np.ndarray:
        """The actions as integers; raises before any is played if one is illegal."""
        actions = np.ascontiguousarray(actions)
        if actions.shape != (len(self),) or actions.dtype.kind not in "iu":
            raise ValueError(f"step needs {len(self)} integers, not {actions.dtype}{actions.shape}")
        wrong = loops.first_illegal(actions, self._actors, self._sets)
        if wrong >= 0:
            allowed = describe_actions(self.game, self.states[wrong], members(self._sets[wrong]))
            raise ValueError(
                f"action {actions[wrong]} is illegal in game {wrong}; allowed are {allowed}"
            )
        return actions

    def observe(
        self, seats: np.ndarray | int | None = None, out: np.ndarray | None = None
    ) -> np.ndarray:
        """The compact encoding, for the acting seats unless others are given. `[games, size]`"""
        out = self._tensor(compact_pieces(self.game, self.variant).size, out)
        loops.observe_all(self.states, self._seats(seats), out)
        return out

    def infostate(
        self, seats: np.ndarray | int | None = None, out: np.ndarray | None = None
    ) -> np.ndarray:
        """The perfect-recall encoding, for the same seats as `observe`. `[games, size]`"""
        out = self._tensor(infostate_pieces(self.game, self.variant).size, out)
        game = self.game
        fill_infostates(self.states, self._seats(seats), game.cards, game.event_width, out)
        return out

    def _tensor(self, size: int, out: np.ndarray | None) -> np.ndarray:
        return np.empty((len(self), size), np.float32) if out is None else out

    def _seats(self, seats: np.ndarray | int | None) -> np.ndarray:
        """The given seats, or the acting ones (seat 0 where a game is over)."""
        chosen = np.maximum(self._actors, 0) if seats is None else np.asarray(seats)
        chosen = np.broadcast_to(chosen, len(self)).astype(np.int64)
        if (chosen < 0).any() or (chosen >= self.game.players).any():
            raise ValueError(f"seats range from 0 to {self.game.players - 1}")
        return chosen

    def returns(self) -> np.ndarray:
        """The utilities of the games that are over; 0 in the others. `[games, players] float64`"""
        out = np.empty((len(self), self.game.players))
        loops.final_returns(self.states, out)
        return out

    def playouts(self, seed: int = 0) -> np.ndarray:
        """The utilities after playing a copy of each game to its end at random. `[games,
        players]`
        """
        out = np.empty((len(self), self.game.players))
        loops.playouts(self.states, seed, out)
        return out

    def worlds(self, seats: np.ndarray | int | None = None, count: int = 1, seed: int = 0) -> Self:
        """`count` copies of every game in which the cards that a seat cannot see are dealt anew,
        uniformly among all deals consistent with what it has seen. Game i's worlds are count·i …
        count·i+count−1.
        """
        states = sample_worlds(self.states, self._seats(seats), count, seed)
        return type(self).of_states(self.game, self.variant, states, seed)
