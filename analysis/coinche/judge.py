"""A lower bound on a learner's distance from equilibrium in Coinche's auction: a fixed rule's gain.

judge("net:runs/coinche/curves/printed", "python_coinche", deals=20_000, seed=1)

In an equilibrium no seat gains by deviating. Here seat 0 deviates: its first call is that of a
threshold bidder (`all_pass/threshold_bidder.py`), tuned on other deals against this learner's card
play; afterwards it passes, and plays its cards by the rules. Its gain in the same deals is a lower
bound on the gain of a best response.
"""

from typing import Any

import numpy as np

from analysis.coinche.all_pass.threshold_bidder import choose_bids, play_rule, surely_above, tune
from analysis.coinche.metrics import measure_self_play, player
from analysis.tournament.variance import intervals
from spielgames.agents import Agent, make_agent
from spielgames.coinche.rules import PASS, PLAYERS
from spielgames.coinche.scores import REWARDS
from spielgames.contest import play_deals
from spielgames.core.game import initial_state

CARDS = "rules:strong"  # plays the bidder's cards
DEVIATION = np.array([[0] * PLAYERS, [1] + [0] * (PLAYERS - 1)])  # all learners; the bidder first

Numbers = dict[str, Any]


class ThresholdBidder(Agent):
    """An agent that calls once, by a rule."""

    def __init__(self, game: str, rule: np.ndarray) -> None:
        super().__init__(game)
        self.rule, self.cards = rule, make_agent(CARDS, game)

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        out = self.cards.probabilities(states)
        calling = np.flatnonzero(states["playing"] == 0)
        hands = states["hands"][calling, states["turn"][calling]]
        first = states["calls"][calling] == 0
        out[calling] = 0
        out[calling, np.where(first, choose_bids(self.rule, hands), PASS)] = 1
        return out


def judge(agent: str | Agent, game: str, deals: int, seed: int) -> Numbers:
    """Measure the gain against the learner as it is, and as if all others passed."""
    learner = player(agent, game)
    reward = REWARDS[int(initial_state(learner.game, learner.variant)["reward"][0])]
    players = [make_agent(CARDS, game), *[learner] * (PLAYERS - 1)]
    rule = tune(0, players, deals, seed)[reward]
    bids, alone = play_rule(rule, 0, players, reward, deals, seed + 1)
    agents = [learner, ThresholdBidder(game, rule)]
    played = play_deals(agents, DEVIATION, deals, seed + 1)[:, :, 0]
    range_ = learner.variant.max_utility - learner.variant.min_utility
    played_out = measure_self_play(learner, game, deals, seed + 1)
    return {
        "deals": deals,
        "bids": float(bids.mean()),
        "all_pass": played_out["all_pass_rate"],
        "all_pass_error": played_out["all_pass_rate_error"],
        "learner": summary(played[:, 0], range_),
        "gain": summary(played[:, 1] - played[:, 0], 2 * range_),
        "gain_if_others_pass": summary(alone, range_),
    }


def summary(values: np.ndarray, width: float) -> Numbers:
    """A mean with its 95 % interval, and a bound that it exceeds whatever the distribution."""
    return intervals(values)[0]._asdict() | {"surely_above": surely_above(values, width)}
