"""Best responses on a tree, exactly: what one seat could gain while all others stay as they are.

answer = best_response(tree, profile, seat)  # answer.value, answer.strategy
nash_conv(tree, profile)  # the sum of all seats' gains: 0 at a Nash equilibrium
"""

from dataclasses import dataclass

import numpy as np

from solvers.exact.profiles import Profile
from solvers.exact.sequence_form import Form, expected_values, flatten, leaf_values, reach_down
from spielgames.core.cache import compiled
from spielgames.core.tree import Tree


@dataclass(frozen=True)
class Response:
    """A best response and its value."""

    value: float  # the seat's expected utility
    strategy: np.ndarray  # [its sequences] pure: 1 at the best action of each information set


def best_response(tree: Tree | Form, profile: Profile, seat: int) -> Response:
    """A seat's best response to the others of a profile. For many calls, flatten the tree first."""
    form = tree if isinstance(tree, Form) else flatten(tree)
    strategy, reach = np.concatenate(profile), np.empty(form.sequences)
    for other in range(form.players):
        reach_down(form, other, strategy, reach)
    values = np.empty(form.sequences)
    leaf_values(form, seat, reach, values)
    best_up(form, seat, strategy, values)
    return Response(float(values[form.origin[seat]]), form.split(strategy)[seat].copy())


def gains(tree: Tree | Form, profile: Profile) -> np.ndarray:
    """The gain of each seat by its best response."""
    form = tree if isinstance(tree, Form) else flatten(tree)
    best = [best_response(form, profile, seat).value for seat in range(form.players)]
    return np.array(best) - expected_values(form, profile)


def nash_conv(tree: Tree | Form, profile: Profile) -> float:
    """The sum of all seats' gains."""
    return float(gains(tree, profile).sum())


@compiled
def best_up(form: Form, seat: int, strategy: np.ndarray, values: np.ndarray) -> None:
    """Like `values_up`, for the best strategy, which it finds: the first of equal actions."""
    for i in range(form.sets[seat + 1] - 1, form.sets[seat] - 1, -1):
        best = form.first[i]
        for a in range(form.first[i], form.end[i]):
            strategy[a] = 0.0
            if values[a] > values[best]:
                best = a
        strategy[best] = 1.0
        values[form.parent[i]] += values[best]
