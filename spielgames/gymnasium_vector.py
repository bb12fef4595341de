"""Many deals at once as Gymnasium's vector environment, in compiled loops.

env = gymnasium.make_vec("spielgames.gymnasium:spielgames/Hearts-v2", num_envs=1024)
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pyspiel
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from spielgames.contest import decide
from spielgames.core import loops
from spielgames.core.arrays import take
from spielgames.core.infostate import fill_infostates
from spielgames.core.luck import forward
from spielgames.core.players import start_lineups
from spielgames.core.record import TERMINAL
from spielgames.gymnasium import checked_seat, panel_of
from spielgames.rl import Seen, SingleDeal

Step = tuple[Seen, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]


class VectorSeatEnv(VectorEnv[Seen, np.ndarray, np.ndarray]):
    """`SeatEnv` in many deals at once. The step after the last one of a deal ignores the action and
    starts another deal. Deals are numbered in the order in which they start.
    """

    metadata = {"autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        game: str | pyspiel.Game,
        num_envs: int,
        opponents: str | Sequence[str] = "rules",
        seat: int | None = None,
        perfect_recall: bool = True,
    ) -> None:
        one = SingleDeal(game, perfect_recall)
        self.game, self.variant, self.width = one.game, one.variant, one.pieces.size
        self.perfect_recall, self.num_envs = perfect_recall, num_envs
        self.fixed_seat = checked_seat(seat, self.game.players)
        self.panel = panel_of(opponents, one.name)
        self.single_observation_space = one.observation_space()
        self.single_action_space = one.action_space()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.seed, self.started = one.seed, 0
        self.states = np.repeat(one.states, num_envs)
        self.luck, self.whims, self.sets = np.zeros((3, num_envs), np.uint64)
        self.actors, self.seats = np.zeros(num_envs, np.int8), np.zeros(num_envs, np.int64)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Start the first deals of a seed, or else the next ones."""
        super().reset(seed=seed)
        if seed is not None:
            self.seed, self.started = seed, 0
        self.ended = np.zeros(self.num_envs, bool)
        self._start(np.arange(self.num_envs))
        self._let_others_play()
        return self._seen(), self._info()

    def step(self, actions: np.ndarray) -> Step:
        """Play an action in each deal, then let the others play up to our next decision."""
        chosen = np.asarray(actions, np.int64)
        illegal = ~self.ended & ~self._allowed(chosen)
        going = np.flatnonzero(~self.ended & ~illegal)
        self.whims[going] = forward(self.whims[going])  # type: ignore[arg-type]  # all at once
        self._play(going, chosen[going])
        self._start(np.flatnonzero(self.ended))
        self._let_others_play()
        self.ended = (self.actors == TERMINAL) | illegal
        rewards = np.where(illegal, self.variant.min_utility, self._utilities())
        cut = np.zeros(self.num_envs, bool)
        return self._seen(), rewards, self.ended.copy(), cut, self._info()

    def _start(self, rows: np.ndarray) -> None:
        """Deal anew in some rows."""
        if not len(rows):
            return
        states, n = take(self.states, rows), len(rows)
        luck, whims, sets = np.empty((3, n), np.uint64)
        actors = np.empty(n, np.int8)
        start_lineups(states, 1, self.started, self.seed, luck, whims)
        loops.deal(states, np.ones(n, bool), luck, actors, sets)
        self._write(rows, states, luck, actors, sets)
        self.whims[rows] = whims
        drawn = self.np_random.integers(self.game.players, size=n)
        self.seats[rows] = drawn if self.fixed_seat is None else self.fixed_seat
        self.started += n

    def _let_others_play(self) -> None:
        actions = np.zeros(self.num_envs, np.int64)
        while len(rows := np.flatnonzero((self.actors >= 0) & (self.actors != self.seats))):
            for seat, agent in enumerate(self.panel):
                its = rows[self.actors[rows] == seat]
                if len(its):
                    decide(agent, self.states, self.actors, self.sets, self.whims, its, actions)
            self._play(rows, actions[rows])

    def _play(self, rows: np.ndarray, actions: np.ndarray) -> None:
        """Play an action in some rows, then whatever chance follows."""
        states, luck = take(self.states, rows), self.luck[rows]
        actors, sets = self.actors[rows], self.sets[rows]
        loops.step(states, actions, luck, actors, sets)
        self._write(rows, states, luck, actors, sets)

    def _write(self, rows: np.ndarray, states: np.ndarray, *of: np.ndarray) -> None:
        self.states[rows] = states
        self.luck[rows], self.actors[rows], self.sets[rows] = of

    def _allowed(self, actions: np.ndarray) -> np.ndarray:
        known = (actions >= 0) & (actions < self.game.actions)
        bits = self.sets >> np.where(known, actions, 0).astype(np.uint64)
        return known & (bits & np.uint64(1)).astype(bool)

    def _mask(self) -> np.ndarray:
        """The legal actions of our seats; none where a deal has ended. `[deals, actions] int8`"""
        out = np.zeros((self.num_envs, self.game.actions), bool)
        loops.expand(np.where(self.ended, np.uint64(0), self.sets), out)
        return out.view(np.int8)

    def _seen(self) -> Seen:
        out, game = np.empty((self.num_envs, self.width), np.float32), self.game
        if self.perfect_recall:
            fill_infostates(self.states, self.seats, game.cards, game.event_width, out)
        else:
            loops.observe_all(self.states, self.seats, out)
        return {"observation": out, "action_mask": self._mask()}

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._mask(), "seat": self.seats.copy()}

    def _utilities(self) -> np.ndarray:
        """Our own, where a deal is over; 0 elsewhere. `[deals]`"""
        out = np.empty((self.num_envs, self.game.players))
        loops.final_returns(self.states, out)
        return out[np.arange(self.num_envs), self.seats]
