"""The steps of an iteration of Deep CFR."""

from typing import NamedTuple

from solvers.deep_cfr.sampling import EVERYBODY
from solvers.deep_cfr.settings import (
    Settings,
)
from solvers.runs.seats import Groups


class Step(NamedTuple):
    """A part of an iteration: traversals for a seat, or fitting a network."""

    model: str = ""  # that is fitted
    traverser: int = EVERYBODY
    deals: int = 0
    part: int = 0  # of the iteration's traversals


def parts_of(steps: list[Step]) -> int:
    return sum(step.deals > 0 for step in steps)


def plan_steps(settings: Settings, groups: Groups, traversals: int) -> list[Step]:
    """Return the steps of an iteration: each group answers what those before it have just learnt;
    where all seats traverse at once, all fit afterwards.
    """
    names = [f"advantages-{g}" for g in range(len(groups))]
    if settings.sampling.everybody:
        phases = [([EVERYBODY], names)]
    else:
        phases = [(list(seats), [name]) for seats, name in zip(groups, names, strict=True)]
    steps: list[Step] = []
    for traversers, fitted in phases:
        for traverser in traversers:
            for first in range(0, traversals, settings.at_once):
                deals = min(settings.at_once, traversals - first)
                steps.append(Step(traverser=traverser, deals=deals, part=parts_of(steps)))
        steps += [Step(model=name) for name in fitted]
    return steps + ([Step(model="baseline")] if settings.baseline else [])
