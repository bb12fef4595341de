"""The settings of a PPO run."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from solvers.networks.network import check_precision
from solvers.networks.settings import MlpSettings, NetworkSettings
from solvers.runs.seats import SHARINGS
from solvers.runs.settings import at_least, check_choice, from_plain

MATCHINGS = ("uniform", "prioritised")
SELF, LEAGUE = "self", "league"
COUNTS = ("deals", "epochs", "batch", "anneal_iterations", "matches", "league_size") + (
    "arena_every",
    "arena_deals",
    "keep_every",
)
SHARES = ("discount", "gae_lambda", "clip_range", "magnet_rate", "ema_rate", "admission")


@dataclass(frozen=True)
class Settings:
    encoding: str = "compact"  # the environment's: see `solvers.environments.card_game`
    sharing: str = "all"  # who has a policy in common: "seat" nobody, "team", "all"
    # deals
    deals: int = 1024  # in an iteration, in equal parts against each of the opponents
    opponents: tuple[str, ...] = (LEAGUE,)  # "league", "self" (all seats learn), or agents
    precision: str = "medium"
    pretrained: str = ""  # the folder of a PPO or Deep CFR run: its network is the first actor
    inverse_temperature: float = 80.0  # logits per unit of advantage, if Deep CFR trained it
    critic_warmup: int = 0  # iterations in which only the critic learns
    # advantages
    discount: float = 1.0
    gae_lambda: float = 0.95
    reward_scale: float = 1.0  # utilities are divided by it
    wins: bool = False  # a deal counts 1 or −1, by whatever it was won
    shaping: float = 0.0  # what a trick more than the opponents is worth, in scaled utility
    # learning
    network: NetworkSettings = field(default_factory=MlpSettings)
    critic: NetworkSettings = field(default_factory=MlpSettings)
    privileged: bool = True  # the critic sees all hands
    epochs: int = 4
    batch: int = 2048
    learning_rate: float = 1e-3
    final_rate: float = 1.0  # share of the learning rate that is left when annealing ends
    surrogate: float = 1.0  # weight of PPO's objective; 0: the policy learns from lookahead alone
    clip_range: float = 0.2  # how far from 1 the ratio of probabilities may move
    max_grad_norm: float = 0.5  # the gradient is scaled down to this norm
    # regularisation
    entropy: float = 0.01
    final_entropy: float = 1.0  # share of it that is left when annealing ends
    anneal_iterations: int = 1000  # the iterations in which weights and rates are annealed
    magnet: float = 0.0  # weight of the divergence from the magnet: a slow mean of the policy
    magnet_rate: float = 0.05  # the same for the magnet
    ema_rate: float = 0.1  # how far the averaged weights move towards the actor's in an iteration
    # help while learning
    lookahead: float = 0.0  # weight of the actions that turn out best when each is played out
    lookahead_policy: str = "rules"  # or "players": see `solvers.ppo.lookahead`
    final_lookahead: float = 1.0  # share of the weight that is left when annealing ends
    partner: float = 0.0  # weight of the loss that guesses the partner's hand (or the next seat's)
    keep_every: int = 50  # iterations: their averaged weights stay
    # the league
    league_size: int = 16  # frozen versions
    matches: int = 4  # of them in an iteration
    matching: str = "uniform"  # "prioritised": more often those who are hard to beat
    arena_every: int = 5  # iterations
    arena_deals: int = 512  # against each of them, in all seatings
    admission: float = 0.52  # the share of games to win to get in

    def __post_init__(self) -> None:
        check_precision(self.precision)
        check_choice("sharing", self.sharing, SHARINGS)
        check_choice("matching", self.matching, MATCHINGS)
        check_choice("lookahead_policy", self.lookahead_policy, ("rules", "players"))
        if not self.opponents:
            raise ValueError("opponents=() is not allowed; there is at least one")
        for name in COUNTS:
            at_least(1, name, getattr(self, name))
        for name in SHARES:
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{name}={getattr(self, name)} is not allowed; it is from 0 to 1")

    def has_arena(self, iteration: int) -> bool:
        return LEAGUE in self.opponents and iteration % self.arena_every == 0

    def rate_at(self, iteration: int) -> float:
        return self.learning_rate * self._left(self.final_rate, iteration)

    def entropy_at(self, iteration: int) -> float:
        return self.entropy * self._left(self.final_entropy, iteration)

    def lookahead_at(self, iteration: int) -> float:
        return self.lookahead * self._left(self.final_lookahead, iteration)

    def _left(self, share: float, iteration: int) -> float:
        """How much is left of a value that is annealed linearly to a share of itself."""
        return 1 + (share - 1) * min(1.0, iteration / self.anneal_iterations)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """From plain JSON, or a ConfigDict."""
        return from_plain(cls, given)

    def plain(self) -> dict[str, Any]:
        return asdict(self)
