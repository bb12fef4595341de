"""One deal at the table: whose turn it is, what everybody did, and how to take it back.

All luck follows from the seed and the number of events so far, so that the same moves make the same
deal, and taking a move back does not change what chance and the agents do.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import pyspiel

from spielgames.agents import Agent
from spielgames.contest import draw_actions
from spielgames.core import describe
from spielgames.core.advance import settle
from spielgames.core.cache import compiled
from spielgames.core.game import Game
from spielgames.core.luck import stream
from spielgames.core.state import CardState

Seats = Sequence[Agent | None]  # None is a person


@compiled
def resolve(row: np.ndarray, seed: int) -> None:
    """Resolve whatever chance has pending."""
    settle(row[0], stream(seed, 2 * row[0].length))


class Turn(NamedTuple):
    """A decision: the position, the action, and an agent's probabilities."""

    state: CardState
    action: int
    policy: np.ndarray | None

    @property
    def seat(self) -> int:
        return self.state.current_player()


class Deal:
    """A deal that is being played."""

    def __init__(self, name: str, seats: Seats, seed: int, history: Iterable[int] = ()) -> None:
        """A new deal, or one of which the history is known."""
        self.name, self.seats, self.seed = name, seats, seed
        self.face = pyspiel.load_game(name)
        self.turns: list[Turn] = []
        self.state = self.face.new_initial_state()
        for action in history:
            if self.state.current_player() >= 0:
                self.turns.append(Turn(self.state, action, None))
            self.state = self.state.child(action)
        self.state = self._settled(self.state)
        self.history = self.state.history()  # all actions, those of chance as well

    @property
    def game(self) -> Game:
        return self.face.definition

    @property
    def row(self) -> np.ndarray:
        return self.state.row

    @property
    def turn(self) -> int:
        return self.state.current_player()

    @property
    def over(self) -> bool:
        return self.state.is_terminal()

    def play(self, action: int, policy: np.ndarray | None = None) -> None:
        """Play one decision, then whatever chance follows."""
        past = self.row.copy()
        self.turns.append(Turn(self.state, action, policy))
        self.state = self._settled(self.state.child(action))
        self.history += [a for _, a in describe.later_steps(past, self.row)]

    def play_agent(self) -> None:
        """Play the decision of the agent whose turn it is."""
        agent = self.seats[self.turn]
        if agent is None:
            raise ValueError(f"seat {self.turn} belongs to a person, who must choose")
        policy = agent.probabilities(self.row)
        self.play(self.draw(policy, type(agent).__name__), policy[0])

    def undo(self) -> bool:
        """Go back to the last decision of a person; return whether there was one."""
        for i in reversed(range(len(self.turns))):
            if self.seats[self.turns[i].seat] is None:
                self.rewind(i)
                return True
        return False

    def rewind(self, step: int) -> None:
        """Go back to before a decision."""
        self.state = self.turns[step].state
        self.history = self.state.history()
        del self.turns[step:]

    def _settled(self, state: CardState) -> CardState:
        row = state.row.copy()
        if state.is_chance_node():
            resolve(row, self.seed)
        return self.face.state_of(row)

    def draw(self, policy: np.ndarray, name: str) -> int:
        """Draw an action from the probabilities `[1, actions]` that the agent `name` has given."""
        whim = np.array([stream(self.seed, 2 * int(self.row["length"][0]) + 1)], np.uint64)
        action = np.zeros(1, np.int64)
        allowed = self.state.cell.table["allowed"]
        if draw_actions(policy, allowed, whim, np.array([0]), action) >= 0:
            raise ValueError(
                f"{name} must give a distribution over the legal actions, not {policy[0]}"
            )
        return int(action[0])
