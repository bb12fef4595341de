"""OpenSpiel's IS-MCTS with the interface of a learner: see `analysis.speed.openspiel_learners`."""

from collections.abc import Callable
from functools import cached_property

import numpy as np
import pyspiel
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import (
    ismcts,
    mcts,
)

from analysis.speed.openspiel_base import OpenSpielLearner, check_positive
from solvers.exact.profiles import profile_of_policy
from spielgames.core.tree import Tree

PROBES = 100  # random games from which the length of a simulation is estimated
Enter = Callable[[pyspiel.State], None]
Answer = list[tuple[int, float]]


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
        """Return nothing after the first simulation, which only opens the root."""
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
    more simulation for each. It learns nothing, and approaches no equilibrium; `nodes` are the
    states that simulations and their random rollouts enter, of which `limit` are allowed.
    `exploration` is UCT's constant in units of the largest utility, `final` one of OpenSpiel's ways
    to play.
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
