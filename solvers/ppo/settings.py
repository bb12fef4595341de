"""The settings of a PPO run."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from solvers.networks.network import check_precision
from solvers.networks.settings import MlpSettings, NetworkSettings
from solvers.runs.seats import SHARINGS
from solvers.runs.settings import at_least, between, check_choice, from_plain, to_plain

MATCHINGS = ("uniform", "prioritised")
LOOKAHEADS = ("rules", "players")
SELF, LEAGUE = "self", "league"


@dataclass(frozen=True)
class PretrainedSettings:
    """Another run, whose network is the first actor."""

    folder: str  # of a PPO or Deep CFR run
    inverse_temperature: float = 80.0  # logits per unit of advantage, if Deep CFR trained it
    critic_warmup: int = 0  # iterations in which only the critic learns

    def __post_init__(self) -> None:
        at_least(0, "critic_warmup", self.critic_warmup)


@dataclass(frozen=True)
class LookaheadSettings:
    """The policy is drawn to actions that turn out best when each is played out."""

    weight: float
    final: float = 1.0  # share of the weight that is left when annealing ends
    policy: str = "rules"  # who plays on, or "players": see `solvers.ppo.lookahead`

    def __post_init__(self) -> None:
        check_choice("lookahead.policy", self.policy, LOOKAHEADS)
        at_least(0, "lookahead.final", self.final)


@dataclass(frozen=True)
class MagnetSettings:
    """The policy is drawn to a slow mean of itself."""

    weight: float  # of the divergence from it
    rate: float = 0.05  # how far it moves towards the actor's weights in an iteration

    def __post_init__(self) -> None:
        between(0, 1, "magnet.rate", self.rate)


@dataclass(frozen=True)
class LeagueSettings:
    """Frozen versions of the learner, if `opponents` name the league."""

    size: int = 16
    matches: int = 4  # versions that are met in an iteration
    matching: str = "uniform"  # "prioritised": more often those that are hard to beat
    arena_every: int = 5  # iterations
    arena_deals: int = 512  # against each version, in all seatings
    admission: float = 0.52  # the share of games to win to be frozen, too

    def __post_init__(self) -> None:
        for name in ("size", "matches", "arena_every", "arena_deals"):
            at_least(1, f"league.{name}", getattr(self, name))
        check_choice("league.matching", self.matching, MATCHINGS)
        between(0, 1, "league.admission", self.admission)


@dataclass(frozen=True)
class Settings:
    encoding: str = "compact"  # the environment's: see `solvers.environments.card_game`
    sharing: str = "all"  # who has a policy in common: "seat" nobody, "team", "all"
    # deals
    deals: int = 1024  # in an iteration, in equal parts against each of the opponents
    opponents: tuple[str, ...] = (LEAGUE,)  # "league", "self" (all seats learn), or agents
    league: LeagueSettings = LeagueSettings()
    precision: str = "medium"  # of the networks that are asked
    pretrained: PretrainedSettings | None = None
    # advantages
    discount: float = 1.0
    gae_lambda: float = 0.95
    reward_scale: float = 1.0  # utilities are divided by it
    wins: bool = False  # a deal counts 1 or −1, whatever the margin
    shaping: float = 0.0  # what a trick more than the opponents is worth, in scaled utility
    # learning
    network: NetworkSettings = MlpSettings()
    critic: NetworkSettings = MlpSettings()
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
    magnet: MagnetSettings | None = None
    ema_rate: float = 0.1  # how far the averaged weights move towards the actor's in an iteration
    keep_every: int = 50  # iterations whose averaged weights stay
    # help while learning
    lookahead: LookaheadSettings | None = None
    partner: float = 0.0  # weight of the loss that guesses the partner's hand (or the next seat's)

    def __post_init__(self) -> None:
        check_precision(self.precision)
        check_choice("sharing", self.sharing, SHARINGS)
        if not self.opponents:
            raise ValueError("opponents=() is not allowed; there is at least one")
        for name in ("deals", "epochs", "batch", "anneal_iterations", "keep_every"):
            at_least(1, name, getattr(self, name))
        for name in ("discount", "gae_lambda", "clip_range", "ema_rate"):
            between(0, 1, name, getattr(self, name))

    def has_arena(self, iteration: int) -> bool:
        return LEAGUE in self.opponents and iteration % self.league.arena_every == 0

    def rate_at(self, iteration: int) -> float:
        return self.learning_rate * self._left(self.final_rate, iteration)

    def entropy_at(self, iteration: int) -> float:
        return self.entropy * self._left(self.final_entropy, iteration)

    def lookahead_at(self, iteration: int) -> float:
        """The weight of lookahead."""
        lookahead = self.lookahead
        return lookahead.weight * self._left(lookahead.final, iteration) if lookahead else 0.0

    def is_warming_up(self, iteration: int) -> bool:
        """Whether only the critic learns."""
        return self.pretrained is not None and iteration <= self.pretrained.critic_warmup

    def _left(self, share: float, iteration: int) -> float:
        """The share that is left of a value that is annealed linearly to a share of itself."""
        return 1 + (share - 1) * min(1.0, iteration / self.anneal_iterations)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Read settings from plain JSON, or a ConfigDict."""
        return from_plain(cls, given)

    def plain(self) -> dict[str, Any]:
        return to_plain(self)
