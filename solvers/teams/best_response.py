"""Best responses of a team that agrees on a plan before the cards are dealt, and then is silent.

bracket(tree, profile, team): the utility of a team against all others of a profile
    alone      if only one partner deviates, the better one
    joint      if all do, each knowing the plan and what they see themselves
    together   if each sees what all of them see
    alone ≤ joint ≤ together: joint is the best that a team can do, and hard to find.

Climbing finds a good joint plan: partners answer each other in turn, from many starts. A
mixed-integer programme (`solvers.teams.joint_plans`) proves how good a plan can be.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solvers.exact.best_response import best_up
from solvers.exact.profiles import Profile, load_tree
from solvers.exact.sequence_form import Form, flatten, leaf_values, reach_down
from solvers.teams.joint_plans import Products
from spielgames.core.cache import compiled
from spielgames.core.tree import GIGABYTE, Tree

PRECISION = 1e-10  # smaller steps up do not count
STARTS = 20  # of a climb


@dataclass(frozen=True)
class Answer:
    """A joint plan."""

    value: float  # what the plan achieves
    bound: float  # no joint plan achieves more
    strategy: np.ndarray  # the plan: pure, over the sequences of one partner after the other


class Team:
    """A tree as a team sees it: leaves that end the same sequences of all partners are one *cell*.
    Against fixed opponents, partners play a game of common interest.
    """

    def __init__(self, tree: Tree, seats: tuple[int, ...]) -> None:
        self.plexes = [tree.seats[seat] for seat in seats]
        own = tree.leaves[:, list(seats)]
        codes = np.ravel_multi_index(own.T, [plex.sequences for plex in self.plexes])
        _, where, self.cell = np.unique(codes, return_index=True, return_inverse=True)
        self.cells = own[where]  # [cells, partners] sequences
        number = np.arange(len(where))
        numbers = np.repeat(number[:, None], len(seats), axis=1)
        chance = np.ones(len(where))
        self.form = flatten(Tree(tree.name, self.plexes, self.cells, chance, number, numbers))
        self.order = self.form.weight.astype(np.int64)

    def by_cell(self, weights: np.ndarray) -> np.ndarray:
        """The sum over the leaves of each cell."""
        return np.bincount(self.cell, weights, len(self.cells))

    def facing(self, weights: np.ndarray) -> Form:
        """The game of common interest against opponents who make the leaves weigh this much."""
        return self.form._replace(weight=self.by_cell(weights)[self.order])

    def reach(self, strategy: np.ndarray) -> np.ndarray:
        """The probability that the partners play towards each cell."""
        reach = reach_all(self.form, strategy)
        return reach[self.cells + self.form.origin[:-1]].prod(axis=1)

    def value(self, strategy: np.ndarray, weights: np.ndarray) -> float:
        return float(self.reach(strategy) @ self.by_cell(weights))

    def alone(self, strategy: np.ndarray, weights: np.ndarray) -> list[float]:
        """The team's utility if only one partner deviates, for each of them."""
        form = self.facing(weights)
        return [answer_one(form, seat, strategy.copy()) for seat in range(form.players)]

    def random_plans(self, count: int, seed: int = 0) -> list[np.ndarray]:
        rng = np.random.default_rng(seed)
        return [pure(self.form, rng.random(self.form.sequences)) for _ in range(count)]

    def climb(self, weights: np.ndarray, starts: list[np.ndarray]) -> Answer:
        """Climb from some starts; return the best plan found, which for a lone seat is the best of
        all.
        """
        form = self.facing(weights)
        value, strategy = max((climb(form, start.copy()) for start in starts), key=lambda f: f[0])
        return Answer(value, value if form.players == 1 else np.inf, strategy)

    def best(self, weights: np.ndarray) -> float:
        """The best utility of a lone seat."""
        return self.climb(weights, self.random_plans(1)).value

    def answer(
        self,
        weights: np.ndarray,
        starts: list[np.ndarray],
        seconds: float = 60.0,
        known: float = np.inf,
    ) -> Answer:
        """The best joint plan, proven unless time runs out: then the bound is above the value.
        `known` is a bound known before, which may make the programme unnecessary.
        """
        found = self.climb(weights, starts)
        bound = min(found.bound, known)
        if bound > found.value + PRECISION * max(1.0, abs(bound)):
            proven, plan = self.products.best(self.by_cell(weights), seconds)
            bound = min(bound, proven)
            if plan is not None:
                found = max(found, self.climb(weights, [plan]), key=lambda answer: answer.value)
        return Answer(found.value, max(bound, found.value), found.strategy)

    @cached_property
    def products(self) -> Products:
        return Products(self.plexes, self.cells)


@dataclass(frozen=True)
class Bracket:
    """Expected utilities of a team against all others of a profile."""

    now: float  # as the profile plays
    each: list[float]  # by the best response of each partner
    joint: Answer
    together: float
    plan: Profile  # what each partner does in the joint plan

    @property
    def alone(self) -> float:
        return max(self.each)


def bracket(
    tree: Tree,
    profile: Profile,
    team: tuple[int, ...],
    seconds: float = 60.0,
    memory: int = GIGABYTE,
) -> Bracket:
    """Find all three. If `seconds` do not suffice, `joint` lies between its value and its bound."""
    others = all_others(tree, team)
    us, them = Team(tree, team), Team(tree, others)
    reach = them.reach(np.concatenate([profile[seat] for seat in others]))[them.cell]
    weights = stakes(tree, team) * reach
    ours = np.concatenate([profile[seat] for seat in team])
    together = seeing_all(tree, team, memory).best(weights)
    joint = us.answer(weights, [ours, *us.random_plans(STARTS)], seconds, together)
    return Bracket(
        now=us.value(ours, weights),
        each=us.alone(ours, weights),
        joint=joint,
        together=together,
        plan=us.form.split(joint.strategy),
    )


def all_others(tree: Tree, team: tuple[int, ...]) -> tuple[int, ...]:
    others = tuple(seat for seat in range(tree.players) if seat not in team)
    if not team or not others or sorted(team + others) != list(range(tree.players)):
        raise ValueError(
            f"team={team} is not allowed; it is some of the seats 0 to {tree.players - 1}, each"
            " once, and not all of them"
        )
    return others


def stakes(tree: Tree, team: tuple[int, ...]) -> np.ndarray:
    """A team's utility at each leaf, times the probability of chance's part in getting there."""
    return tree.chance * tree.payoffs[:, list(team)].sum(axis=1)[tree.payoff]


def seeing_all(tree: Tree, team: tuple[int, ...], memory: int) -> Team:
    """The team whose first seat plays for all and sees what all of them see."""
    sides = tuple(team[0] if seat in team else seat for seat in range(tree.players))
    return Team(load_tree(tree.name, memory, sides=sides), team[:1])


@compiled
def reach_all(form: Form, strategy: np.ndarray) -> np.ndarray:
    reach = np.empty(len(strategy))
    for seat in range(len(form.origin) - 1):
        reach_down(form, seat, strategy, reach)
    return reach


@compiled
def answer_one(form: Form, seat: int, strategy: np.ndarray) -> float:
    values = np.empty(len(strategy))
    leaf_values(form, seat, reach_all(form, strategy), values)
    best_up(form, seat, strategy, values)
    return values[form.origin[seat]]


@compiled
def climb(form: Form, strategy: np.ndarray) -> tuple[float, np.ndarray]:
    """Let partners answer each other in turn until nobody finds anything better."""
    reach, values = reach_all(form, strategy), np.empty(len(strategy))
    value, step = -np.inf, np.inf
    while step > PRECISION:
        before = value
        for seat in range(len(form.origin) - 1):
            leaf_values(form, seat, reach, values)
            best_up(form, seat, strategy, values)
            reach_down(form, seat, strategy, reach)
            value = values[form.origin[seat]]
        step = value - before
    return value, strategy


@compiled
def pure(form: Form, weights: np.ndarray) -> np.ndarray:
    """The strategy that takes the action of the largest weight at each information set."""
    strategy = np.zeros(len(weights))
    strategy[form.origin[:-1]] = 1.0
    for i in range(len(form.parent)):
        strategy[form.first[i] + np.argmax(weights[form.first[i] : form.end[i]])] = 1.0
    return strategy
