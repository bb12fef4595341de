"""The settings of an AlphaZero run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self, cast

from solvers.alphazero.rollouts import Magnet, Rollouts
from solvers.alphazero.tree_search import TreeSearch
from solvers.networks.network import check_precision
from solvers.networks.settings import CanonicalSettings, NetworkSettings
from solvers.runs.settings import at_least, between, check_choice, from_plain, to_plain
from solvers.search.beliefs import Belief
from spielgames.agents import Agent, make_agent
from spielgames.specs import make_part

POLICY_LOSSES = "forward", "reverse", "logits"


@dataclass(frozen=True)
class Settings:
    encoding: str = "compact"  # the environment's: see `solvers.environments.card_game`
    teacher: Rollouts | TreeSearch = Rollouts()
    # The worlds of a search: see `solvers.search.beliefs`. "importance(self,draws=4)": as likely as
    # the learner's own policy makes what the others did.
    belief: str = "uniform"
    network: NetworkSettings = CanonicalSettings(hidden=128, critic=True)
    start: str = ""  # the folder of another run, with whose network learning begins
    precision: str = "bfloat16"  # of the network in self-play
    reward_scale: float = 3.0  # utilities are divided by it
    # self-play
    deals: int = 3000  # in an iteration
    searched: float = 0.5  # the share of decisions that are searched, and learnt from
    exploration: float = 0.05  # the share of decisions that are taken at random
    # learning
    replay: int = 4  # iterations that are learnt from
    steps: int = 120  # of the optimiser in an iteration
    batch: int = 1024
    learning_rate: float = 1e-3
    final_rate: float = 0.2  # share of it that is left when annealing ends
    # How far the network is from the search's policy: "forward", the cross-entropy; "reverse", the
    # divergence of the network from it; or "logits", the squared error of logarithms of
    # probabilities, the mean over the actions of a position taken off. In the last two the noise of
    # a search's values averages out; in the last one unlikely actions count as much as others.
    policy_loss: str = "forward"
    max_grad_norm: float = 5.0  # the gradient is scaled down to this norm
    ema_rate: float = 0.005  # how far the averaged weights move in a step; they play
    action_values: float = 0.25  # weight of the loss of the values of actions
    value: float = 0.1  # weight of the loss of the value of a position
    search_share: float = 0.0  # how much of that value's target is the search's, not the outcome
    anneal_iterations: int = 200
    keep_every: int = 50  # iterations whose network stays

    def __post_init__(self) -> None:
        check_precision(self.precision)
        check_choice("policy_loss", self.policy_loss, POLICY_LOSSES)
        self.make_belief(make_agent("random", "python_snapszer"))
        if not self.network.critic:
            raise ValueError("network.critic=False is not allowed; the network judges positions")
        for name in ("deals", "replay", "steps", "batch", "anneal_iterations", "keep_every"):
            at_least(1, name, getattr(self, name))
        for name in ("searched", "exploration", "ema_rate", "search_share", "final_rate"):
            between(0, 1, name, getattr(self, name))

    def make_belief(self, player: Agent) -> Belief:
        """The belief; `self` in it is the player."""

        def named(spec: str) -> Agent:
            return player if spec == "self" else make_agent(spec, player.name)

        return cast(Belief, make_part("belief", Belief, self.belief, named))

    @property
    def magnet(self) -> Magnet | None:
        found = getattr(self.teacher, "regularisation", None)
        return found if isinstance(found, Magnet) else None

    def annealed(self, iteration: int) -> float:
        """The share of the annealing that is done."""
        return min(1.0, iteration / self.anneal_iterations)

    def rate_at(self, iteration: int) -> float:
        return self.learning_rate * self.final_rate ** self.annealed(iteration)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Read settings from plain JSON, or a ConfigDict."""
        return from_plain(cls, given)

    def plain(self) -> dict[str, Any]:
        return to_plain(self)
