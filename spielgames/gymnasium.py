"""One seat of a game as a Gymnasium environment; agents play the other seats.

env = gymnasium.make("spielgames.gymnasium:spielgames/Hearts-v2", opponents="rules:strong")
"""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import pyspiel
from gymnasium.utils import EzPickle

from spielgames.agents import Agent, make_agent
from spielgames.core.game import GAMES
from spielgames.core.registry import find
from spielgames.rl import Seen, SingleDeal


def panel_of(opponents: str | Sequence[str], game: str) -> list[Agent]:
    """An agent for each seat, from the name of one, or of one for each seat."""
    players = find(game)[0].players
    specs = [opponents] * players if isinstance(opponents, str) else opponents
    if len(specs) != players:
        raise ValueError(
            f"{len(specs)} opponents are not allowed; name one agent, or one for each of the"
            f" {players} seats (that of our own seat does not play)"
        )
    return [make_agent(spec, game) for spec in specs]


def checked_seat(seat: int | None, players: int) -> int | None:
    if seat is not None and seat not in range(players):
        raise ValueError(f"seat={seat} is not allowed; seats range from 0 to {players - 1}")
    return seat


class SeatEnv(gymnasium.Env[Seen, np.int64], EzPickle):
    """One seat against a fixed panel, one deal an episode. An observation is a dict of the seat's
    tensor, `observation`, and its legal actions, `action_mask`; the reward is the seat's utility,
    at the end of the deal.
    """

    metadata = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(
        self,
        game: str | pyspiel.Game,
        opponents: str | Sequence[str] = "rules",
        seat: int | None = None,
        perfect_recall: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """`opponents` names an agent, or one for each seat (that of our own seat does not play).
        `seat` is ours; None draws it anew for each deal. Without `perfect_recall`, observations are
        the compact ones.
        """
        EzPickle.__init__(self, str(game), opponents, seat, perfect_recall, render_mode)
        self.deal = SingleDeal(game, perfect_recall)
        self.players = self.deal.game.players
        self.fixed_seat = checked_seat(seat, self.players)
        self.panel = panel_of(opponents, self.deal.name)
        self.observation_space = self.deal.observation_space()
        self.action_space = self.deal.action_space()
        self.render_mode = render_mode

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Seen, dict[str, Any]]:
        """Start the first deal of a seed, or else the next one, and let the others play up to our
        first decision. (A deal that ends before that is passed over.)
        """
        super().reset(seed=seed)
        self.seat = self._drawn_seat() if self.fixed_seat is None else self.fixed_seat
        self._deal(seed)
        while self.deal.over:
            self._deal()
        return self.deal.seen_by(self.seat), self._info()

    def _drawn_seat(self) -> int:
        return int(self.np_random.integers(self.players))

    def _deal(self, seed: int | None = None) -> None:
        self.deal.start(seed)
        self._let_others_play()

    def _let_others_play(self) -> None:
        while not self.deal.over and self.deal.turn != self.seat:
            self.deal.play_agent(self.panel[self.deal.turn])

    def step(self, action: int | np.integer) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play an action, then let the others play up to our next decision. An illegal action ends
        the deal with the lowest utility that the game has, as learners without masks expect.
        """
        legal = self.deal.allows(int(action))
        if legal:
            self.deal.play(int(action))
            self._let_others_play()
        over = self.deal.over or not legal
        return self.deal.seen_by(self.seat), self._reward(legal), over, False, self._info()

    def _reward(self, legal: bool) -> float:
        return self.deal.utilities()[self.seat] if legal else self.deal.variant.min_utility

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.deal.mask(self.seat), "seat": self.seat}

    def action_masks(self) -> np.ndarray:
        """The legal actions as flags, under the name that masked learners look for."""
        return self.deal.mask(self.seat).astype(bool)

    def render(self) -> str:
        """What our seat sees, in words."""
        return self.deal.words_for(self.seat)


for _game in GAMES.values():
    gymnasium.register(
        f"spielgames/{_game.title}-v{_game.version}",
        f"{__name__}:SeatEnv",
        vector_entry_point="spielgames.gymnasium_vector:VectorSeatEnv",
        kwargs={"game": _game.name},
    )
