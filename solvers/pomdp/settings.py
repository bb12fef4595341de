"""The kinds of approximators, and the settings that each of them has."""

from dataclasses import dataclass

from solvers.runs.settings import at_least, between, check_choice

FORGETTING = "responsibility", "time"


@dataclass(frozen=True)
class Forgetting:
    """The discount factor λ(t): 1 − λ falls with 1/t from 1 − first to 1 − last."""

    first: float = 0.99
    last: float = 0.9999
    halving: float = 1000  # samples after which 1 − λ is half of what it was at first
    by: str = "responsibility"  # λ ** P_i (Celaya & Agostini 2015), or "time": λ for all units

    def __post_init__(self) -> None:
        between(0.5, 1, "first", self.first)
        between(self.first, 1, "last", self.last)
        at_least(1, "halving", self.halving)
        check_choice("by", self.by, FORGETTING)


@dataclass(frozen=True)
class NgnetSettings:
    """A normalised Gaussian network that learns by on-line EM (Sato & Ishii 2000)."""

    kind = "ngnet"
    units: int = 30  # at most
    noise: float = 0.1  # standard deviation of the noise in each input that regularises
    output_noise: float = 0.1  # the least standard deviation of outputs
    width: float = 1.0  # the first unit's standard deviation along each axis of the inputs
    output_width: float = 1.0  # the same for its outputs
    overlap: float = 1.0  # of a new unit's width with the distance of the nearest unit's centre
    produce: float = 2.0  # a unit is produced for data this many standard deviations from all
    delete: float = 0.001  # units with a smaller share of the recent data are deleted
    divide: float = 0.0  # units whose outputs have a greater standard deviation are divided
    patience: float = 300.0  # data that a unit has had before it may be deleted or divided
    forgetting: Forgetting = Forgetting()

    def __post_init__(self) -> None:
        at_least(1, "units", self.units)
        for name in ("noise", "delete", "produce", "divide", "patience"):
            at_least(0, name, getattr(self, name))
        for name in ("output_noise", "width", "output_width", "overlap"):
            at_least(1e-6, name, getattr(self, name))


@dataclass(frozen=True)
class LinearSettings:
    """Linear least squares, on-line, with forgetting: a control."""

    kind = "linear"
    ridge: float = 1.0  # weight of the belief that all coefficients are 0; it is not forgotten
    forgetting: Forgetting = Forgetting()

    def __post_init__(self) -> None:
        at_least(1e-6, "ridge", self.ridge)


@dataclass(frozen=True)
class PerceptronSettings:
    """A perceptron with one hidden layer, by stochastic gradient descent: a control."""

    kind = "mlp"
    hidden: int = 64
    rate: float = 0.01  # of learning

    def __post_init__(self) -> None:
        at_least(1, "hidden", self.hidden)
        between(0, 1, "rate", self.rate)


ApproximatorSettings = NgnetSettings | LinearSettings | PerceptronSettings
