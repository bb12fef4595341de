"""Where a profile loses: a seat's gain by its best response, information set by information set.

What a seat loses at an information set is how likely play gets there × what the best action is
worth more than what the seat does, its best response following both. The sum is exactly its gain,
so that every loss is a share of it, and the largest are where an agent should learn.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from analysis.moments import Moment, Place, moments
from solvers.best_response import best_up
from solvers.form import Form, leaf_values, reach_down, values_up
from solvers.profiles import Profile
from spielgames.core.tree import Tree

NOTHING = 1e-12  # a smaller amount is rounding


@dataclass(frozen=True)
class Loss:
    """At one information set."""

    seat: int
    seen: str  # own cards and all that happened
    facts: dict[str, Any]  # what lies open now
    plays: dict[str, float]  # how likely each action is
    better: str  # the action of a best response
    reach: float  # how likely play gets there
    lost: float  # reach × what the better action is worth more; a share of the seat's gain


class Deviation(NamedTuple):
    """A seat's best response, information set by information set."""

    best: np.ndarray  # [its sequences] pure
    lost: np.ndarray  # [its sets] how much of the gain is made there
    reach: np.ndarray  # [its sets] how likely play gets there


def deviate(tree: Tree, form: Form, profile: Profile, seat: int) -> Deviation:
    strategy, reach = np.concatenate(profile), np.empty(form.sequences)
    for other in range(form.players):
        reach_down(form, other, strategy, reach)
    best, values = strategy.copy(), np.zeros(form.sequences)
    leaf_values(form, seat, reach, values)
    best_up(form, seat, best, values)
    sets = slice(form.sets[seat], form.sets[seat + 1])
    behind = per_set(form, seat, (best - strategy) * values)
    return Deviation(
        form.split(best)[seat],
        behind * reach[form.parent[sets]],
        per_set(form, seat, masses(tree, form, reach, seat)),
    )


def per_set(form: Form, seat: int, values: np.ndarray) -> np.ndarray:
    """What the actions of each of a seat's information sets add up to."""
    own = form.first[form.sets[seat] : form.sets[seat + 1]]
    return np.add.reduceat(values[: form.origin[seat + 1]], own)


def masses(tree: Tree, form: Form, reach: np.ndarray, seat: int) -> np.ndarray:
    """How likely the course of play contains each sequence of a seat."""
    leaf = tree.chance.copy()
    for other, part in enumerate(form.split(reach)):
        leaf *= part[tree.leaves[:, other]]
    out = np.zeros(form.sequences)
    own = form.split(out)[seat]
    own += np.bincount(tree.leaves[:, seat], leaf, len(own))
    values_up(form, seat, np.ones(form.sequences), out)
    return out


def worst_losses(tree: Tree, form: Form, profile: Profile, count: int) -> list[Loss]:
    """The largest, over all seats."""
    found = [deviate(tree, form, profile, seat) for seat in range(tree.players)]
    lost = np.concatenate([deviation.lost for deviation in found])
    order = np.argsort(-lost, kind="stable")[:count]
    places = [
        (int(seat), int(i - form.sets[seat]))
        for i, seat in zip(order, np.searchsorted(form.sets, order, "right") - 1, strict=True)
        if lost[i] > NOTHING
    ]
    told = moments(tree, places)
    return [loss(tree, profile, found[place[0]], place, told[place]) for place in places]


def loss(tree: Tree, profile: Profile, deviation: Deviation, place: Place, moment: Moment) -> Loss:
    seat, i = place
    plex = tree.seats[seat]
    own = slice(plex.first[i], plex.first[i + 1])
    words = [moment.word(int(action)) for action in plex.action[own]]
    return Loss(
        seat=seat,
        seen=moment.seen,
        facts=moment.facts,
        plays=dict(zip(words, profile[seat][own].tolist(), strict=True)),
        better=words[int(np.argmax(deviation.best[own]))],
        reach=float(deviation.reach[i]),
        lost=float(deviation.lost[i]),
    )
