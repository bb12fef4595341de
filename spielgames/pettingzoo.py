"""The games as PettingZoo environments, in which the seats take turns (its AEC interface).

env = spielgames.pettingzoo.env("python_hearts(pass=left)")
"""

from typing import Any

import pettingzoo
import pyspiel
from gymnasium import spaces
from gymnasium.utils import EzPickle

from spielgames.core.game import GAMES
from spielgames.rl import Seen, SingleDeal


class SeatsEnv(pettingzoo.AECEnv[str, Seen, int | None], EzPickle):
    """One deal after the other. An observation is a dict of the seat's tensor, `observation`, and
    its legal actions, `action_mask`; rewards are the utilities, at the end of the deal.
    """

    def __init__(
        self,
        game: str | pyspiel.Game,
        perfect_recall: bool = True,
        render_mode: str | None = None,
    ) -> None:
        """`perfect_recall` chooses the information state, which says all that the seat has ever
        seen; without it, observations are the compact ones.
        """
        EzPickle.__init__(self, str(game), perfect_recall, render_mode)
        self.deal = SingleDeal(game, perfect_recall)
        definition = self.deal.game
        self.metadata = {
            "name": id_of(definition.name, definition.version),
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = [f"seat_{seat}" for seat in range(definition.players)]
        self.seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {a: self.deal.observation_space() for a in self.seats}
        self.action_spaces = {a: self.deal.action_space() for a in self.seats}

    def observation_space(self, agent: str) -> spaces.Dict:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Start the first deal of a seed, or else the next one."""
        self.deal.start(seed)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.agents[self.deal.turn]

    def step(self, action: int | None) -> None:
        """Play an action of the seat to move; an illegal one is a ValueError that says what is
        allowed. After the end, every seat takes the step `None`.
        """
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.deal.play(-1 if action is None else action)
        if self.deal.over:
            self._end()
        else:
            self.agent_selection = self.agents[self.deal.turn]

    def _end(self) -> None:
        self.rewards = dict(zip(self.agents, self.deal.utilities(), strict=True))
        self._accumulate_rewards()
        self.terminations = dict.fromkeys(self.agents, True)
        self._deads_step_first()

    def observe(self, agent: str) -> Seen:
        return self.deal.seen_by(self.seats[agent])

    def render(self) -> str:
        """What the seat to move sees, in words."""
        return self.deal.words_for(self.seats[self.agent_selection])

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def env(
    game: str | pyspiel.Game, perfect_recall: bool = True, render_mode: str | None = None
) -> SeatsEnv:
    """A game as a PettingZoo environment."""
    return SeatsEnv(game, perfect_recall, render_mode)


def id_of(name: str, version: int) -> str:
    """`hearts_v2`, in PettingZoo's style."""
    return f"{name.removeprefix('python_')}_v{version}"


for _game in GAMES.values():
    _id = f"spielgames/{id_of(_game.name, _game.version)}"
    pettingzoo.register("aec", _id, f"{__name__}:env", kwargs={"game": _game.name})
