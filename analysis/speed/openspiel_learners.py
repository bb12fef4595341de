"""OpenSpiel's own learners with the interface of ours: `run(iterations)`, `profile()`.

learner = LEARNERS["openspiel_deep_cfr"]("leduc_poker", seed=1, traversals=100)
learner.run(20)
learner.nodes, nash_conv(learner.tree, learner.profile())

Only what keeps them from being judged fairly is changed: probabilities are renormalised over the
legal actions, and Deep CFR never trains on empty memory, nor skips training while it has fewer
samples than a batch. The caller should time `run` alone.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cached_property, partial
from importlib.util import find_spec
from typing import Any

import numpy as np
import pyspiel
import torch
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import (
    external_sampling_mccfr,
    ismcts,
    mcts,
    outcome_sampling_mccfr,
)

from solvers.exact.profiles import Profile, load_tree, normalised, profile_of_policy
from spielgames.core.tree import Tree

PROBES = 100  # random games from which the length of a simulation is estimated

Enter = Callable[[pyspiel.State], None]
Answer = list[tuple[int, float]]


class Luck:
    """A stream of its own in NumPy's and PyTorch's global generators, which these learners use."""

    def __init__(self, seed: int) -> None:
        self.numpy = np.random.RandomState(seed).get_state()  # noqa: NPY002
        self.torch = torch.Generator().manual_seed(seed).get_state()

    @contextmanager
    def used(self) -> Iterator[None]:
        """Within it, PyTorch has one thread: sums are always the same, small networks faster."""
        threads = torch.get_num_threads()
        torch.set_num_threads(1)
        self._swap()
        try:
            yield
        finally:
            self._swap()
            torch.set_num_threads(threads)

    def _swap(self) -> None:
        mine = self.numpy, self.torch
        self.numpy, self.torch = np.random.get_state(), torch.get_rng_state()  # noqa: NPY002
        np.random.set_state(mine[0])  # noqa: NPY002
        torch.set_rng_state(mine[1])


class OpenSpielLearner:
    """The base of all learners. `nodes` counts the states that traversals have entered: chance's,
    decisions (those without a choice too) and ends; `decisions` only the second. Both are None if
    the solver can't be watched.
    """

    nodes: int | None = 0
    decisions: int | None = 0

    def __init__(self, tree: Tree | str, seed: int) -> None:
        self.name = tree if isinstance(tree, str) else tree.name
        if isinstance(tree, Tree):
            self.tree = tree
        self.game, self.seed, self.luck = pyspiel.load_game(self.name), seed, Luck(seed)

    @cached_property
    def tree(self) -> Tree:
        return load_tree(self.name)

    def run(self, iterations: int) -> None:
        """Run more iterations."""
        raise NotImplementedError

    def policy(self) -> openspiel_policy.Policy:
        """The current policy."""
        raise NotImplementedError

    def profile(self) -> Profile:
        weights = profile_of_policy(self.policy(), self.tree)
        return [normalised(plex, w) for plex, w in zip(self.tree.seats, weights, strict=True)]

    def enter(self, state: pyspiel.State) -> None:
        self.nodes += 1
        self.decisions += state.current_player() >= 0

    def watch(self, solver: Any, method: str) -> None:
        """Count the states for which a solver calls its recursive method."""
        traverse = getattr(solver, method)

        def entering(state: pyspiel.State, *args: Any, **kwargs: Any) -> Any:
            self.enter(state)
            return traverse(state, *args, **kwargs)

        setattr(solver, method, entering)


def check_positive(**numbers: float) -> None:
    for name, number in numbers.items():
        if not number > 0:
            raise ValueError(f"{name}={number} is not allowed; it is above 0")


def check_share(exploration: float) -> None:
    if not 0 < exploration <= 1:
        raise ValueError(f"exploration={exploration} is not allowed; it is above 0, at most 1")


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
        with Luck(self.seed).used():  # so that looking at it does not change how it goes on
            self.solver._reinitialize_policy_network()
            if memory := self.solver.strategy_buffer:
                self.solver._batch_size_strategy = min(self.batch, len(memory))
                self.solver._learn_strategy_network()
        return self.solver


class Mccfr(OpenSpielLearner):
    """Monte Carlo CFR; an iteration samples once for every seat. On a copy of the game that keeps
    the states it has seen, which for our games makes it several times as fast.
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


class OutcomeMccfr(Mccfr):
    def __init__(self, tree: Tree | str, seed: int = 0, exploration: float = 0.6) -> None:
        check_share(exploration)
        super().__init__(tree, seed, outcome_sampling_mccfr.OutcomeSamplingSolver)
        self.solver._expl = exploration
        self.watch(self.solver, "_episode")


class ExternalMccfr(Mccfr):
    """With its "simple" average, which is exact for two seats; for more, the other walks the whole
    game at each iteration.
    """

    def __init__(self, tree: Tree | str, seed: int = 0) -> None:
        super().__init__(tree, seed, external_sampling_mccfr.ExternalSamplingSolver)
        self.watch(self.solver, "_update_regrets")


class CppMccfr(Mccfr):
    """Monte Carlo CFR in C++: some 25 times as fast, but its traversals can't be watched."""

    nodes = decisions = None
    iteration = "run_iteration"


class CppOutcomeMccfr(CppMccfr):
    def __init__(self, tree: Tree | str, seed: int = 0, exploration: float = 0.6) -> None:
        check_share(exploration)
        settings = {"epsilon": exploration, "seed": seed}
        super().__init__(tree, seed, partial(pyspiel.OutcomeSamplingMCCFRSolver, **settings))


class CppExternalMccfr(CppMccfr):
    def __init__(self, tree: Tree | str, seed: int = 0) -> None:
        super().__init__(tree, seed, partial(pyspiel.ExternalSamplingMCCFRSolver, seed=seed))


class Rollouts(mcts.RandomRolloutEvaluator):
    """OpenSpiel's random rollouts, one at a time; reports the states that it enters."""

    def __init__(self, random: np.random.RandomState, enter: Enter) -> None:
        super().__init__(random_state=random)
        self.random, self.enter = random, enter

    def evaluate(self, state: pyspiel.State) -> np.ndarray:
        state = state.clone()
        while not state.is_terminal():
            state.apply_action(self.draw(state))
            self.enter(state)
        return np.array(state.returns())

    def draw(self, state: pyspiel.State) -> int:
        if state.is_chance_node():
            outcomes, chances = zip(*state.chance_outcomes(), strict=True)
            return int(self.random.choice(outcomes, p=chances))
        return int(self.random.choice(state.legal_actions()))


class InfosetSearch(ismcts.ISMCTSBot):
    """OpenSpiel's search at one information set; asked again, it continues with its tree."""

    def reset(self) -> None:
        pass

    def create_new_node(self, state: pyspiel.State) -> ismcts.ISMCTSNode:
        return self.lookup_node(state) or super().create_new_node(state)

    def get_final_policy(self, state: pyspiel.State, node: ismcts.ISMCTSNode) -> Answer:
        """The first simulation only opens the root, and says nothing about its actions."""
        return super().get_final_policy(state, node) if node.total_visits > 0 else []


class Asking(openspiel_policy.Policy):
    """A policy from a function of the state."""

    def __init__(self, game: pyspiel.Game, ask: Callable[[pyspiel.State], dict]) -> None:
        super().__init__(game, list(range(game.num_players())))
        self.ask = ask

    def action_probabilities(
        self, state: pyspiel.State, player_id: int | None = None
    ) -> dict[int, float]:
        return self.ask(state)


class Ismcts(OpenSpielLearner):
    """IS-MCTS (Cowling, Powley and Whitehouse 2012) at every information set: an iteration is one
    more simulation for each. No learning, and no way to an equilibrium; `nodes` are the states that
    simulations and their random rollouts enter, of which `limit` are allowed. `exploration` is
    UCT's constant in units of the largest utility, `final` one of OpenSpiel's ways to play.
    """

    def __init__(
        self,
        tree: Tree | str,
        seed: int = 0,
        exploration: float = 1.0,
        final: str = "NORMALIZED_VISITED_COUNT",
        limit: int = 2_000_000,
    ) -> None:
        super().__init__(tree, seed)
        check_positive(exploration=exploration, limit=limit)
        known = ismcts.ISMCTSFinalPolicyType.__members__
        if final not in known:
            raise ValueError(f"final={final} is not allowed; it is one of {', '.join(known)}")
        self.constant, self.final = exploration * self.game.max_utility(), known[final]
        self.limit = limit
        self.answers: dict[str, dict[int, float]] = {}

    @cached_property
    def searches(self) -> list[tuple[pyspiel.State, InfosetSearch]]:
        """The searches of all information sets."""
        states: list[pyspiel.State] = []

        def note(state: pyspiel.State) -> dict[int, float]:
            states.append(state)
            return {}

        profile_of_policy(Asking(self.game, note), self.tree)
        return [(state, self._search(i)) for i, state in enumerate(states)]

    def _search(self, number: int) -> InfosetSearch:
        random = np.random.RandomState([self.seed, number])  # noqa: NPY002
        search = InfosetSearch(
            *(self.game, Rollouts(random, self.enter), self.constant, 1),
            random_state=random,
            final_policy_type=self.final,
        )
        # Theirs is seeded by the clock.
        sampler = pyspiel.UniformProbabilitySampler(random.randint(1 << 31), 0.0, 1.0)
        search.set_resampler(lambda state, seat: state.resample_from_infostate(seat, sampler))
        self.watch(search, "run_simulation")
        return search

    def run(self, iterations: int) -> None:
        self._check(iterations)
        for state, search in self.searches:
            search._max_simulations = iterations
            self.answers[seen(state)] = dict(search.get_policy(state))

    def _check(self, iterations: int) -> None:
        expected = self.expected_nodes(iterations)
        if self.nodes + expected > self.limit:
            raise ValueError(
                f"{iterations} simulations at each of {len(self.searches)} information sets of"
                f" {self.name} would enter about {expected:.2g} more states, but limit={self.limit}"
                " is allowed; take fewer, a higher limit, or a smaller game"
            )

    def expected_nodes(self, iterations: int) -> float:
        """The approximate number of states that simulations at each information set enter."""
        return iterations * len(self.searches) * self._length

    @cached_property
    def _length(self) -> float:
        """The mean length of a simulation."""
        entered: list[pyspiel.State] = []
        rollouts = Rollouts(np.random.RandomState(self.seed), entered.append)  # noqa: NPY002
        some = self.searches[:: 1 + len(self.searches) // PROBES]
        for state, _ in some:
            rollouts.evaluate(state)
        return 1 + len(entered) / max(1, len(some))

    def policy(self) -> openspiel_policy.Policy:
        return Asking(self.game, lambda state: self.answers.get(seen(state), {}))


def seen(state: pyspiel.State) -> str:
    return f"{state.current_player()} {state.information_state_string()}"


LEARNERS: dict[str, Callable[..., OpenSpielLearner]] = {
    "openspiel_deep_cfr": DeepCfr,
    "openspiel_outcome_mccfr": OutcomeMccfr,
    "openspiel_external_mccfr": ExternalMccfr,
    "openspiel_outcome_mccfr_cpp": CppOutcomeMccfr,
    "openspiel_external_mccfr_cpp": CppExternalMccfr,
    "openspiel_ismcts": Ismcts,
}
