"""The settings of a Deep CFR run; each switch of the literature is one line."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.sampling import Decaying, External, Outcome, Sampled, Uncorrected
from solvers.networks.network import check_precision
from solvers.networks.settings import MlpSettings, NetworkSettings
from solvers.runs.seats import SHARINGS
from solvers.runs.settings import at_least, check_choice, from_plain, to_plain


@dataclass(frozen=True)
class ReservoirSettings:
    """A uniform sample of the samples of all iterations."""

    kind = "reservoir"
    samples: int = 1_000_000

    def __post_init__(self) -> None:
        at_least(1, "samples", self.samples)


@dataclass(frozen=True)
class WindowSettings:
    """All samples of the last iterations."""

    kind = "window"
    iterations: int

    def __post_init__(self) -> None:
        at_least(1, "iterations", self.iterations)


@dataclass(frozen=True)
class DiscountedSettings:
    """All samples of one iteration, to which the last network's advantages are added, discounted
    with this exponent, because it stands for older samples (DCFR+).
    """

    kind = "discounted"
    alpha: float

    def __post_init__(self) -> None:
        if self.alpha <= 0:
            raise ValueError(f"alpha={self.alpha} is not allowed; it is more than 0")


@dataclass(frozen=True)
class PolicySettings:
    """A network for the average strategy."""

    samples: int  # in its reservoir
    network: NetworkSettings = MlpSettings()
    fit: FitSettings = FitSettings(steps=5000, loss="cross_entropy")

    def __post_init__(self) -> None:
        at_least(1, "samples", self.samples)


@dataclass(frozen=True)
class BaselineSettings:
    """A network that values histories."""

    iterations: int  # whose samples it learns from
    network: NetworkSettings = MlpSettings()
    fit: FitSettings = FitSettings(steps=1000, batch=512, weighting="none")

    def __post_init__(self) -> None:
        at_least(1, "iterations", self.iterations)


@dataclass(frozen=True)
class Settings:
    encoding: str = "compact"  # the environment's; "recall" is all that a seat has ever seen
    # traversals
    traversals: int = 1500  # in an iteration, for each learning seat
    first_traversals: int = 0  # in the first iteration; 0: as many
    sampling: External | Sampled | Uncorrected | Outcome | Decaying = External()
    at_once: int = 8192  # deals whose samples are stored together; until then they wait on disk
    precision: str = "medium"  # of the networks that are asked
    greedy: bool = False  # play the best action: policy iteration instead of CFR
    # who learns
    learners: tuple[int, ...] = ()  # seats; () is all of them
    opponent: str = "random"  # the agent in all other seats
    initial_policy: str = "random"  # the agent that plays before there is a network
    sharing: str = "seat"  # who has a network in common: "seat" nobody, "team", "all"
    # advantages
    network: NetworkSettings = MlpSettings()
    fit: FitSettings = FitSettings()
    first_steps: int = 0  # of the first iteration's fit; 0: as many
    warm_start: bool = False  # fits go on from the last network, instead of random weights
    memory: ReservoirSettings | WindowSettings | DiscountedSettings = ReservoirSettings()
    # the average strategy
    policy: PolicySettings | None = None  # its network; None: there is none
    averaging: float = 1.0  # iteration t counts t^averaging
    baseline: BaselineSettings | None = None

    def __post_init__(self) -> None:
        check_choice("sharing", self.sharing, SHARINGS)
        at_least(1, "traversals", self.traversals)
        at_least(1, "at_once", self.at_once)
        check_precision(self.precision)
        if self.baseline and isinstance(self.sampling, Decaying):
            raise ValueError("a baseline is of no use where all actions are followed to the end")

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> Self:
        """Read settings from plain JSON, or a ConfigDict."""
        return from_plain(cls, given)

    def plain(self) -> dict[str, Any]:
        return to_plain(self)
