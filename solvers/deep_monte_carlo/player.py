"""Players by what actions are worth: the best action, or now and then any.

One network values the actions of all decisions; or there are two, and a flag of the encoding says
which of them decides, as one for leads and one for whoever follows.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solvers.environments.card_game import Records
from solvers.networks.decisions import best_actions, flags
from solvers.networks.network import Network, load_network, predict
from solvers.runs.archive import Archive
from solvers.runs.settings import from_plain
from spielgames.agents import Agent
from spielgames.core.cards import NONE, bit
from spielgames.core.loops import look

VALUES = "values"  # the name of its networks in a run


@dataclass(frozen=True)
class Habits:
    """What a player does without learning it, and which of its decisions are of another kind."""

    always: tuple[int, ...] = ()  # actions, of which one is taken wherever any is legal
    never: tuple[int, ...] = ()  # actions that are taken only if there are no others
    split: str = ""  # a flag of the encoding: where it is set, a network of its own decides

    @property
    def networks(self) -> int:
        return 2 if self.split else 1

    def open(self, sets: np.ndarray) -> np.ndarray:
        """The actions that are left to be chosen from. `[n] uint64`"""
        wanted = prefer(sets, set_of(self.always))
        return prefer(wanted, ~set_of(self.never))

    def which(self, env: Records, encodings: np.ndarray) -> np.ndarray:
        """Which network decides. `[n]`"""
        if not self.split:
            return np.zeros(len(encodings), np.int64)
        if env.pieces.shapes.get(self.split) != (1,):
            raise ValueError(f"split={self.split} is not a flag of {env.name}'s encoding")
        return encodings[:, env.pieces.start(self.split)].astype(np.int64)


def set_of(actions: Sequence[int]) -> np.uint64:
    return np.bitwise_or.reduce([NONE, *map(bit, actions)])


def prefer(sets: np.ndarray, some: np.uint64) -> np.ndarray:
    """Those of the actions of each set that are in `some`; all if none is."""
    return np.where(sets & some, sets & some, sets)


class ValuePlayer(Agent):
    def __init__(
        self,
        game: str,
        env: Records,
        networks: Sequence[Network],
        habits: Habits,
        epsilon: float = 0.0,
    ) -> None:
        super().__init__(game)
        self.env, self.networks, self.habits, self.epsilon = env, networks, habits, epsilon

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        actors, sets = np.empty(len(states), np.int8), np.empty(len(states), np.uint64)
        look(states, actors, sets)
        sets = self.habits.open(sets)
        best = best_actions(sets, self._values(states, actors))
        legal = flags(sets, self.env.actions)
        even = legal / legal.sum(axis=1, keepdims=True)
        return ((1 - self.epsilon) * best + self.epsilon * even).astype(np.float32)

    def _values(self, states: np.ndarray, actors: np.ndarray) -> np.ndarray:
        encodings = self.env.observe(states, actors.astype(np.int64))
        kinds = self.habits.which(self.env, encodings)
        out = np.empty((len(states), self.env.actions), np.float32)
        for k, network in enumerate(self.networks):
            if (kinds == k).any():
                out[kinds == k] = predict(network, encodings[kinds == k])
        return out


def load_player(game: str, env: Records, archive: Archive, iteration: int) -> ValuePlayer:
    """The player that a run has trained, without chance."""
    _, about = load_network(archive.path(f"{VALUES}-0", iteration))
    habits = from_plain(Habits, about["habits"])
    names = [f"{VALUES}-{k}" for k in range(habits.networks)]
    networks = [archive.demand(name, iteration, env.shape) for name in names]
    return ValuePlayer(game, env, networks, habits)
