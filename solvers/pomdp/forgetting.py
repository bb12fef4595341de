"""How much of what was learnt counts when the next sample comes: the discount factor λ(t)."""

from typing import NamedTuple

from solvers.pomdp.settings import Forgetting
from spielgames.core.inlining import linked


class Discount(NamedTuple):
    """A `Forgetting` in numbers."""

    first: float  # 1 − λ(0)
    last: float  # 1 − λ(∞)
    halving: float
    by_time: bool


def discount_of(forgetting: Forgetting) -> Discount:
    return Discount(
        first=1.0 - forgetting.first,
        last=1.0 - forgetting.last,
        halving=float(forgetting.halving),
        by_time=forgetting.by == "time",
    )


@linked
def discount_at(discount: Discount, samples: int) -> float:
    """λ(t) after t samples."""
    return 1.0 - max(discount.last, discount.first / (1.0 + samples / discount.halving))


@linked
def discount_for(discount: Discount, factor: float, share: float) -> float:
    """λ_i: of λ(t) = `factor`, for a unit that takes a share of the sample."""
    return factor if discount.by_time else factor**share
