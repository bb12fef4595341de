"""Agents in OpenSpiel, and OpenSpiel's policies and bots as agents.

AgentPolicy(make_agent("rules", name))   an OpenSpiel policy, for exploitability and the like
AgentBot(make_agent("pimc", name), seed) a bot, for OpenSpiel's evaluate_bots and its examples
PolicyAgent(name, policy), BotAgent(name, bots)   the same in the other direction
"""

from collections.abc import Sequence

import numpy as np
import pyspiel
from open_spiel.python import policy as openspiel_policy

from spielgames.agents import Agent
from spielgames.core.state import CardState


def distribution(agent: Agent, state: CardState) -> dict[int, float]:
    """An agent's probability of each legal action in one state."""
    legal = state.legal_actions()
    chances = agent.probabilities(state.row)[0, legal].astype(np.float64)
    return dict(zip(legal, (chances / chances.sum()).tolist(), strict=True))


class AgentPolicy(openspiel_policy.Policy):
    """An agent as OpenSpiel's policy."""

    def __init__(self, agent: Agent) -> None:
        game = pyspiel.load_game(agent.name)
        super().__init__(game, list(range(game.num_players())))
        self.agent = agent

    def action_probabilities(
        self, state: CardState, player_id: int | None = None
    ) -> dict[int, float]:
        seat = state.current_player()
        if player_id not in (None, seat):
            raise ValueError(f"seat {player_id} is not to move; seat {seat} is")
        return distribution(self.agent, state)


class AgentBot(pyspiel.Bot):
    """An agent as OpenSpiel's bot, playing for the seat to move."""

    def __init__(self, agent: Agent, seed: int) -> None:
        super().__init__()
        self.agent = agent
        self.random = np.random.default_rng(seed)

    def provides_policy(self) -> bool:
        return True

    def get_policy(self, state: CardState) -> list[tuple[int, float]]:
        return list(distribution(self.agent, state).items())

    def step_with_policy(self, state: CardState) -> tuple[list[tuple[int, float]], int]:
        policy = self.get_policy(state)
        actions, chances = zip(*policy, strict=True)
        return policy, int(self.random.choice(actions, p=chances))

    def step(self, state: CardState) -> int:
        return self.step_with_policy(state)[1]

    def restart_at(self, state: CardState) -> None:
        """Do nothing: an agent decides from the state alone."""


class SingleStateAgent(Agent):
    """An agent that is asked about one state at a time."""

    def __init__(self, game: str) -> None:
        super().__init__(game)
        self.loaded = pyspiel.load_game(game)

    def one(self, state: CardState, seat: int) -> Sequence[tuple[int, float]]:
        """Actions and their probabilities in one state."""
        raise NotImplementedError

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        out = np.zeros((len(states), self.game.actions), np.float32)
        for i, seat in enumerate(states["turn"]):
            for action, chance in self.one(self.loaded.state_of(states[i : i + 1]), int(seat)):
                out[i, action] = chance
        return out


class PolicyAgent(SingleStateAgent):
    """An OpenSpiel policy as an agent."""

    def __init__(self, game: str, policy: openspiel_policy.Policy) -> None:
        super().__init__(game)
        self.policy = policy

    def one(self, state: CardState, seat: int) -> Sequence[tuple[int, float]]:
        return list(self.policy.action_probabilities(state, seat).items())


class BotAgent(SingleStateAgent):
    """OpenSpiel bots, one per seat, as an agent. It asks a bot in many games in turn, so each bot
    must decide from the state alone, as search bots do.
    """

    def __init__(self, game: str, bots: Sequence[pyspiel.Bot]) -> None:
        super().__init__(game)
        if len(bots) != self.game.players:
            raise ValueError(f"{game} has {self.game.players} seats, not {len(bots)}")
        self.bots = bots

    def one(self, state: CardState, seat: int) -> Sequence[tuple[int, float]]:
        bot = self.bots[seat]
        if bot.provides_policy():
            return bot.step_with_policy(state)[0]  # some bots lack `get_policy`
        return [(bot.step(state), 1.0)]
