"""OpenSpiel's own learners with the interface of ours: `run(iterations)`, `profile()`.

learner = LEARNERS["openspiel_deep_cfr"]("leduc_poker", seed=1, traversals=100)
learner.run(20)
learner.nodes, nash_conv(learner.tree, learner.profile())

Only what keeps them from being judged fairly is changed: probabilities are renormalised over the
legal actions, and Deep CFR never trains on empty memory, nor skips training while it has fewer
samples than a batch. The caller should time `run` alone.
"""

from collections.abc import Callable
from functools import partial
from importlib.util import find_spec
from typing import Any

import pyspiel
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import (
    external_sampling_mccfr,
    outcome_sampling_mccfr,
)

from analysis.speed.openspiel_base import Luck, OpenSpielLearner, check_positive, check_share
from analysis.speed.openspiel_ismcts import Ismcts
from spielgames.core.tree import Tree


class DeepCfr(OpenSpielLearner):
    """`open_spiel.python.pytorch.deep_cfr`. An iteration is `traversals` and then `steps` of
    training for each seat; the policy network is trained afresh for each profile.
    """

    def __init__(
        self,
        tree: Tree | str,
        seed: int = 0,
        layers: tuple[int, ...] = (64, 64),
        traversals: int = 300,
        steps: int = 200,
        policy_steps: int = 2000,
        batch: int = 256,
        memory: int = 100_000,
        learning_rate: float = 1e-3,
    ) -> None:
        super().__init__(tree, seed)
        check_positive(traversals=traversals, steps=steps, policy_steps=policy_steps)
        check_positive(batch=batch, memory=memory, learning_rate=learning_rate)
        if not find_spec("tree"):
            raise ValueError("OpenSpiel's Deep CFR needs dm-tree: pip install dm-tree")
        from open_spiel.python.pytorch.deep_cfr import DeepCFRSolver

        self.traversals, self.batch = traversals, batch
        with self.luck.used():
            self.solver = DeepCFRSolver(
                self.game,
                policy_network_layers=layers,
                advantage_network_layers=layers,
                learning_rate=learning_rate,
                memory_capacity=memory,
                policy_network_train_steps=policy_steps,
                advantage_network_train_steps=steps,
                seed=seed,
            )
        self.watch(self.solver, "_traverse_game_tree")

    def run(self, iterations: int) -> None:
        """Iterate as its `solve` does, which would also train the policy network each time."""
        with self.luck.used():
            for _ in range(iterations):
                for seat in range(self.game.num_players()):
                    for _ in range(self.traversals):
                        self.traverse(seat)
                    self._learn(seat)
                self.solver._iteration += 1

    def traverse(self, seat: int) -> None:
        self.solver._traverse_game_tree(self.solver._root_node, seat)

    def _learn(self, seat: int) -> None:
        self.solver._reinitialize_advantage_network(seat)
        if memory := self.solver.advantage_buffers[seat]:
            self.solver._batch_size_advantage = min(self.batch, len(memory))
            self.solver._learn_advantage_network(seat)

    def policy(self) -> openspiel_policy.Policy:
        with Luck(self.seed).used():  # so that a look at the policy does not change what follows
            self.solver._reinitialize_policy_network()
            if memory := self.solver.strategy_buffer:
                self.solver._batch_size_strategy = min(self.batch, len(memory))
                self.solver._learn_strategy_network()
        return self.solver


class OpenSpielMccfr(OpenSpielLearner):
    """Monte Carlo CFR; an iteration samples once for every seat. It runs on a copy of the game that
    keeps the states it has seen, which is several times as fast for our games.
    """

    iteration = "iteration"

    def __init__(self, tree: Tree | str, seed: int, make: Callable[[pyspiel.Game], Any]) -> None:
        super().__init__(tree, seed)
        self.solver = make(pyspiel.convert_to_cached_tree(self.game))

    def run(self, iterations: int) -> None:
        iterate = getattr(self.solver, self.iteration)
        with self.luck.used():
            for _ in range(iterations):
                iterate()

    def policy(self) -> openspiel_policy.Policy:
        return self.solver.average_policy()


class OutcomeMccfr(OpenSpielMccfr):
    def __init__(self, tree: Tree | str, seed: int = 0, exploration: float = 0.6) -> None:
        check_share(exploration)
        super().__init__(tree, seed, outcome_sampling_mccfr.OutcomeSamplingSolver)
        self.solver._expl = exploration
        self.watch(self.solver, "_episode")


class ExternalMccfr(OpenSpielMccfr):
    """External sampling with the "simple" average, which is exact for two seats. The other average,
    for more seats, walks the whole game at each iteration.
    """

    def __init__(self, tree: Tree | str, seed: int = 0) -> None:
        super().__init__(tree, seed, external_sampling_mccfr.ExternalSamplingSolver)
        self.watch(self.solver, "_update_regrets")


class OpenSpielCppMccfr(OpenSpielMccfr):
    """Monte Carlo CFR in C++: some 25 times as fast, but its traversals can't be watched."""

    nodes = decisions = None
    iteration = "run_iteration"


class CppOutcomeMccfr(OpenSpielCppMccfr):
    def __init__(self, tree: Tree | str, seed: int = 0, exploration: float = 0.6) -> None:
        check_share(exploration)
        settings = {"epsilon": exploration, "seed": seed}
        super().__init__(tree, seed, partial(pyspiel.OutcomeSamplingMCCFRSolver, **settings))


class CppExternalMccfr(OpenSpielCppMccfr):
    def __init__(self, tree: Tree | str, seed: int = 0) -> None:
        super().__init__(tree, seed, partial(pyspiel.ExternalSamplingMCCFRSolver, seed=seed))


LEARNERS: dict[str, Callable[..., OpenSpielLearner]] = {
    "openspiel_deep_cfr": DeepCfr,
    "openspiel_outcome_mccfr": OutcomeMccfr,
    "openspiel_external_mccfr": ExternalMccfr,
    "openspiel_outcome_mccfr_cpp": CppOutcomeMccfr,
    "openspiel_external_mccfr_cpp": CppExternalMccfr,
    "openspiel_ismcts": Ismcts,
}
