"""What the environments of PettingZoo and Gymnasium share: one deal at a time, and what a seat is
shown of it.
"""

from typing import Any

import numpy as np
import pyspiel
from gymnasium import spaces

from spielgames.agents import Agent
from spielgames.contest import decide
from spielgames.core import loops, one_game
from spielgames.core.cards import has, members
from spielgames.core.describe import describe_actions, lines, seat_facts
from spielgames.core.game import compact_pieces, initial_state
from spielgames.core.infostate import infostate_pieces
from spielgames.core.luck import forward
from spielgames.core.players import start_lineups
from spielgames.core.record import TERMINAL
from spielgames.core.registry import find, name_of

Seen = dict[str, Any]  # the arrays observation and action_mask


class SingleDeal:
    """One deal, and the observations and spaces that Gymnasium wants. It is played as tournaments
    play theirs: deal k of a seed has the same cards, and the same luck, here and there.
    """

    def __init__(self, game: str | pyspiel.Game, perfect_recall: bool) -> None:
        self.name = name_of(game)
        self.game, self.variant = find(self.name)
        self.perfect_recall = perfect_recall
        whole = infostate_pieces if perfect_recall else compact_pieces
        self.pieces = whole(self.game, self.variant)
        self.states = initial_state(self.game, self.variant)
        self.luck, self.whims = np.zeros((2, 1), np.uint64)  # of the cards, and of the players
        self.actors, self.sets = np.zeros(1, np.int8), np.zeros(1, np.uint64)
        self.seed, self.number = int(np.random.default_rng().integers(2**63)), -1

    def start(self, seed: int | None = None) -> None:
        """Start the first deal of a seed, or else the next one."""
        self.seed, self.number = (self.seed, self.number + 1) if seed is None else (seed, 0)
        start_lineups(self.states, 1, self.number, self.seed, self.luck, self.whims)
        loops.deal(self.states, np.ones(1, bool), self.luck, self.actors, self.sets)

    @property
    def turn(self) -> int:
        """The seat to move, or TERMINAL."""
        return int(self.actors[0])

    @property
    def over(self) -> bool:
        return self.turn == TERMINAL

    def allows(self, action: int) -> bool:
        return 0 <= action < self.game.actions and bool(has(self.sets[0], action))

    def play(self, action: int) -> None:
        """Play an action, then whatever chance follows; an illegal one is a ValueError."""
        if not self.allows(action):
            allowed = describe_actions(self.game, self.states[0], members(self.sets[0]))
            raise ValueError(f"action {action!r} is illegal; allowed are {allowed}")
        self.whims[0] = forward(self.whims[0])  # as every decision does in tournaments
        self._step(action)

    def play_agent(self, agent: Agent) -> None:
        """Let an agent play the decision that is due."""
        action = np.zeros(1, np.int64)
        decide(agent, self.states, self.actors, self.sets, self.whims, np.zeros(1, int), action)
        self._step(action[0])

    def _step(self, action: int) -> None:
        loops.step(self.states, np.array([action]), self.luck, self.actors, self.sets)

    def utilities(self) -> list[float]:
        """Those of all seats at the end; 0 before. `[seats]`"""
        out = np.empty((1, self.game.players))
        loops.final_returns(self.states, out)
        return out[0].tolist()

    def mask(self, seat: int) -> np.ndarray:
        """The actions that the seat may choose now, as Gymnasium's spaces want them. `[actions]
        int8`
        """
        out = np.zeros((1, self.game.actions), bool)
        if seat == self.turn:
            loops.expand(self.sets, out)
        return out[0].view(np.int8)

    def seen_by(self, seat: int) -> Seen:
        """What a seat is shown."""
        out = np.empty(self.pieces.size, np.float32)
        row, game = self.states, self.game
        if self.perfect_recall:
            one_game.information(row, seat, game.cards, game.event_width, out)
        else:
            one_game.observation(row, seat, out)
        return {"observation": out, "action_mask": self.mask(seat)}

    def words_for(self, seat: int) -> str:
        """What a seat sees, in words."""
        return lines(seat_facts(self.game, self.states, seat))

    def observation_space(self) -> spaces.Dict:
        """All entries are flags, but for the pieces that are numbers."""
        low, high = np.zeros(self.pieces.size, np.float32), np.ones(self.pieces.size, np.float32)
        numbers = list(self.pieces.number_columns)
        low[numbers], high[numbers] = -np.inf, np.inf
        mask = spaces.Box(0, 1, (self.game.actions,), np.int8)
        return spaces.Dict({"observation": spaces.Box(low, high), "action_mask": mask})

    def action_space(self) -> spaces.Discrete:
        return spaces.Discrete(self.game.actions)
