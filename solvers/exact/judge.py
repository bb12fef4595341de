"""Exact judgement of a learner's strategies on a small game.

judge = Judge(env, tree)
judge.add(learner.players, weight)  # after every iteration
nash_conv(form, judge.average())
"""

from collections.abc import Sequence

import numpy as np

from solvers.environments.environment import Environment
from solvers.exact.profiles import Profile
from solvers.exact.sequence_form import flatten, profile_of_plans, reach_down
from solvers.networks.decisions import Player, ToStrategy, flags, match_advantages, probabilities
from solvers.networks.network import Network, predict
from spielgames.core.tree import Tree, Treeplex


class Judge:
    """A judge knows every information set of a tree, and sums up plans: SD-CFR's exact average."""

    def __init__(self, env: Environment, tree: Tree) -> None:
        self.tree = tree
        self.encodings = env.encode_decisions(tree)
        self.sets = [legal_sets(plex) for plex in tree.seats]
        self.actions = env.actions
        self.form = flatten(tree)
        self.plans = np.zeros(self.form.sequences)

    def profile(
        self, networks: Sequence[Player], to_strategy: ToStrategy = match_advantages
    ) -> Profile:
        """The profile of one network per seat; None plays evenly."""
        return [self._strategy(seat, network, to_strategy) for seat, network in enumerate(networks)]

    def _strategy(self, seat: int, network: Player, to_strategy: ToStrategy) -> np.ndarray:
        encodings, sets = self.encodings[seat], self.sets[seat]
        outputs = np.zeros((len(sets), self.actions), np.float32)
        if isinstance(network, Network) and len(sets):
            outputs = predict(network, encodings)
        strategy = to_strategy(sets, outputs).astype(float)
        return np.append(1.0, strategy[flags(sets, self.actions)])

    def policy(self, networks: Sequence[Network]) -> Profile:
        """The profile of networks that learn probabilities."""
        return self.profile(networks, probabilities)

    def add(self, networks: Sequence[Player], weight: float) -> None:
        """Add another iteration's strategies to the average."""
        strategy, reach = np.concatenate(self.profile(networks)), np.empty(self.form.sequences)
        for seat in range(self.form.players):
            reach_down(self.form, seat, strategy, reach)
        self.plans += weight * reach

    def average(self) -> Profile:
        return profile_of_plans(self.tree, self.form.split(self.plans))


def legal_sets(plex: Treeplex) -> np.ndarray:
    """The set of legal actions at each information set."""
    bits = np.uint64(1) << plex.action[1:].astype(np.uint64)
    return np.bitwise_or.reduceat(bits, plex.first[:-1] - 1) if plex.sets else bits
