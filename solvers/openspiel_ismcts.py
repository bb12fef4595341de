"""OpenSpiel's Information Set MCTS (Cowling, Powley and Whitehouse 2012) as an agent.

`openspiel_ismcts:sims=1000,exploration=1`: its worlds are our exactly uniform ones, its leaves are
played out by the rules, and its luck follows from the seed and what the seat has seen.
"""

from collections.abc import Sequence

import numpy as np
from open_spiel.python.algorithms import ismcts, mcts

from spielgames.adapters import SingleStateAgent
from spielgames.agents import level_of
from spielgames.core.infostate import fill_fingerprints
from spielgames.core.players import finish
from spielgames.core.state import CardState


class RuleEvaluator(mcts.Evaluator):
    """A leaf is worth what it yields when all seats play on by the rules."""

    def __init__(self, level: int, random: np.random.RandomState) -> None:
        self.level, self.random = level, random

    def evaluate(self, state: CardState) -> np.ndarray:
        utilities = np.empty(state.num_players())
        levels = np.full(len(utilities), self.level)
        luck = self.random.randint(1 << 64, dtype=np.uint64)
        finish(state.row.copy(), levels, luck, utilities)
        return utilities

    def prior(self, state: CardState) -> list[tuple[int, float]]:
        legal = state.legal_actions()
        return [(a, 1 / len(legal)) for a in legal]


class OpenSpielIsmcts(SingleStateAgent):
    """OpenSpiel's Information Set MCTS on our worlds, leaves played out by the rules of that level.
    It searches anew at every decision; `exploration` is UCT's constant in units of the largest
    utility.
    """

    def __init__(
        self, game: str, sims: int = 1000, exploration: float = 1.0, level: str = "", seed: int = 0
    ) -> None:
        super().__init__(game)
        if sims < 1:
            raise ValueError(f"sims={sims} is not allowed; a search needs at least 1")
        self.sims, self.seed = sims, seed
        self.constant = exploration * self.variant.max_utility
        self.rollout_level = level_of(game, level)

    def one(self, state: CardState, seat: int) -> Sequence[tuple[int, float]]:
        code = np.empty(1, np.uint64)
        fill_fingerprints(state.row, np.array([seat]), self.seed, code)
        random = np.random.RandomState(int(code[0]) & 0xFFFFFFFF)
        evaluator = RuleEvaluator(self.rollout_level, random)
        bot = ismcts.ISMCTSBot(
            self.loaded, evaluator, self.constant, self.sims, random_state=random
        )
        bot.set_resampler(lambda s, who: s.resample_from_infostate(who, random.uniform))
        return bot.get_policy(state)
