"""The settings of a Deep CFR run; each switch of the literature is one line."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.sampling import (
    Sampling,
    decaying,
    external,
    outcome,
    sampled,
    trajectories,
    uncorrected,
)
from solvers.networks.network import check_precision
from solvers.networks.settings import MlpSettings, NetworkSettings
from solvers.runs.seats import SHARINGS
from solvers.runs.settings import at_least, check_choice, from_plain


@dataclass(frozen=True)
class Settings:
    encoding: str = "compact"  # the environment's; "recall" is all that a seat has ever seen
    # traversals
    traversals: int = 1500  # in an iteration, for each learning seat
    first_traversals: int = 0  # in the first iteration, if not as many
    sampling: str = "external"  # "sampled", "uncorrected", "outcome", "trajectories", "decaying"
    breadth: int = 4  # of "sampled" and "uncorrected"
    exploration: float = 0.5  # of "sampled", "outcome" and "trajectories"
    decay: float = 0.23  # of "decaying"
    reach_weights: bool = False  # samples count as often as the others and chance lead there
    at_once: int = 8192  # deals whose samples are stored together; until then they wait on disk
    precision: str = "medium"  # of networks that are asked
    greedy: bool = False  # they play what is best now: policy iteration instead of CFR
    # who learns
    learners: tuple[int, ...] = ()  # seats; () is all of them
    opponent: str = "random"  # the agent in all other seats
    initial_policy: str = "random"  # the agent that plays before there is a network
    sharing: str = "seat"  # who has a network in common: "seat" nobody, "team", "all"
    # advantages
    network: NetworkSettings = field(default_factory=MlpSettings)
    fit: FitSettings = field(default_factory=FitSettings)
    first_steps: int = 0  # of the first iteration's fit, if not as many
    warm_start: bool = False  # networks are fitted further, instead of from random weights
    memory: int = 1_000_000  # samples: a reservoir of all iterations
    window: int = 0  # if > 0, all samples of so many iterations instead
    dcfr_alpha: float = 0.0  # if > 0, DCFR+: discounted advantages are added to the targets
    # the average strategy
    strategy_memory: int = 0  # samples for a policy network; 0: there is no such network
    policy_network: NetworkSettings = field(default_factory=MlpSettings)
    policy_fit: FitSettings = field(
        default_factory=lambda: FitSettings(steps=5000, loss="cross_entropy")
    )
    averaging: float = 1.0  # iteration t counts t^averaging
    # the baseline
    baseline: int = 0  # iterations whose samples it learns from; 0: there is none
    trust: bool = False  # regrets are what it expects, not corrected by what happened (ESCHER)
    baseline_network: NetworkSettings = field(default_factory=MlpSettings)
    baseline_fit: FitSettings = field(
        default_factory=lambda: FitSettings(steps=1000, batch=512, weighting="none")
    )

    def __post_init__(self) -> None:
        check_choice("sampling", self.sampling, tuple(SAMPLINGS))
        check_choice("sharing", self.sharing, SHARINGS)
        at_least(1, "traversals", self.traversals)
        if self.baseline and self.sampling == "decaying":
            raise ValueError("a baseline is of no use where all actions are followed to the end")
        check_precision(self.precision)
        explores = self.sampling in ("sampled", "outcome")
        if (explores or (self.sampling == "trajectories" and not self.trust)) and not (
            0 < self.exploration <= 1
        ):
            raise ValueError(
                f"exploration={self.exploration} is not allowed with {self.sampling}, which would"
                " never see some actions; it is more than 0 and at most 1"
            )
        if self.trust and not self.baseline:
            raise ValueError("trust needs a baseline")
        if self.dcfr_alpha and self.window != 1:
            raise ValueError("dcfr_alpha needs window=1: older samples have other targets")

    @property
    def how(self) -> Sampling:
        return SAMPLINGS[self.sampling](self)

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """From plain JSON, or a ConfigDict."""
        return from_plain(cls, given)

    def plain(self) -> dict[str, Any]:
        return asdict(self)


SAMPLINGS = {
    "external": lambda s: external(),
    "sampled": lambda s: sampled(s.breadth, s.exploration),
    "uncorrected": lambda s: uncorrected(s.breadth),
    "outcome": lambda s: outcome(s.exploration),
    "trajectories": lambda s: trajectories(s.exploration),
    "decaying": lambda s: decaying(s.decay),
}
