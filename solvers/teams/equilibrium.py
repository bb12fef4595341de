"""Team equilibria: the team-maxmin equilibrium with correlation (Celli and Gatti 2018), where each
side mixes joint plans that it agreed on before the cards are dealt.

tmecor("kuhn_poker(players=3)", (0, 1)).value

A side of one seat is a team too. Both mixtures start with one plan and grow by the best answers to
each other (McMahan et al. 2003, "double oracle"): found by climbing while that helps, then by the
programme that proves an answer best and so bounds the value.
"""

from dataclasses import dataclass
from time import monotonic

import numpy as np
import pyspiel
from scipy.optimize import linprog

from solvers.exact.profiles import Profile, load_tree
from solvers.teams.best_response import STARTS, Answer, Team, all_others, seeing_all, stakes
from spielgames.core.tree import GIGABYTE, Tree

TOLERANCE = 1e-6  # of the gap, in units of the largest utility: HiGHS is not more precise


@dataclass(frozen=True)
class JointPlan:
    """A joint plan in a mixture."""

    probability: float
    strategies: Profile  # of the side's seats; pure


@dataclass(frozen=True)
class Tmecor:
    """The team's value, proven to lie between `lower` and `upper`, and mixtures that reach it."""

    value: float
    lower: float
    upper: float
    team: list[JointPlan]
    others: list[JointPlan]
    iterations: int

    @property
    def gap(self) -> float:
        return self.upper - self.lower


def tmecor(
    game: str | pyspiel.Game,
    team: tuple[int, ...],
    seconds: float = 600.0,
    memory: int = GIGABYTE,
) -> Tmecor:
    """Solve for a team against all other seats; if `seconds` do not suffice, a gap is left."""
    search = DoubleOracle(load_tree(game, memory), team, memory)
    until = monotonic() + seconds
    while True:
        search.mix()
        left = until - monotonic()
        if left > 0 and search.grow(search.quick_answers()):
            continue
        answers = search.proven_answers(max(left / 2, 1.0))
        if left < 0 or not search.grow(answers):
            return search.result()


class Side:
    """One side, and the joint plans that it mixes so far."""

    def __init__(self, tree: Tree, seats: tuple[int, ...], memory: int) -> None:
        self.team, self.stakes = Team(tree, seats), stakes(tree, seats)
        self.together = seeing_all(tree, seats, memory) if len(seats) > 1 else self.team
        self.plans: list[np.ndarray] = []
        self.reaches: list[np.ndarray] = []  # [cells] of each plan
        self.mix = np.ones(1)
        self.add(self.team.random_plans(1)[0])

    def add(self, plan: np.ndarray) -> None:
        self.plans.append(plan)
        self.reaches.append(self.team.reach(plan) > 0)

    def support(self) -> np.ndarray:
        return np.flatnonzero(self.mix > 0)

    def against(self, other: "Side") -> np.ndarray:
        """The leaves' weights when the other side plays its mixture."""
        reach = sum(other.mix[k] * other.reaches[k] for k in other.support())
        return self.stakes * reach[other.team.cell]

    def starts(self) -> list[np.ndarray]:
        """Plans to climb from: the likeliest one, and random ones, new each time."""
        likeliest = self.plans[np.argmax(self.mix)]
        return [likeliest, *self.team.random_plans(STARTS, seed=len(self.plans))]

    def quick_answer(self, other: "Side") -> Answer:
        return self.team.climb(self.against(other), self.starts())

    def proven_answer(self, other: "Side", seconds: float) -> Answer:
        weights = self.against(other)
        return self.team.answer(weights, self.starts(), seconds, self.together.best(weights))

    def mixture(self) -> list[JointPlan]:
        split = self.team.form.split
        return [JointPlan(float(self.mix[k]), split(self.plans[k])) for k in self.support()]


class DoubleOracle:
    """Both sides, and the values of their plans so far against each other."""

    def __init__(self, tree: Tree, team: tuple[int, ...], memory: int) -> None:
        check_zero_sum(tree)
        others = all_others(tree, team)
        self.us, self.them = Side(tree, team, memory), Side(tree, others, memory)
        self.table = self.newest(self.us)[None]  # [our plans, their plans] our utility
        self.value, self.lower, self.upper = 0.0, -np.inf, np.inf
        self.tolerance = TOLERANCE * np.abs(tree.payoffs).max()
        self.iterations = 0

    def newest(self, side: Side) -> np.ndarray:
        """Our utility when a side plays its newest plan, against each plan of the other side."""
        other = self.them if side is self.us else self.us
        cells = other.team.by_cell(self.us.stakes * side.reaches[-1][side.team.cell])
        return np.array([cells[reach].sum() for reach in other.reaches])

    def add(self, side: Side, plan: np.ndarray) -> None:
        side.add(plan)
        stack = np.vstack if side is self.us else np.column_stack
        self.table = stack([self.table, self.newest(side)])

    def mix(self) -> None:
        """Find the equilibrium of the plans so far, by linear programming."""
        ours, theirs = self.table.shape
        cost = np.append(np.zeros(ours), -1.0)  # the largest value that no plan of theirs undercuts
        total = np.append(np.ones(ours), 0.0)
        found = linprog(
            cost,
            A_ub=np.column_stack([-self.table.T, np.ones(theirs)]),
            b_ub=np.zeros(theirs),
            A_eq=total[None],
            b_eq=[1.0],
            bounds=[(0, None)] * ours + [(None, None)],
        )
        self.value = -found.fun
        self.us.mix = probabilities(found.x[:-1])
        self.them.mix = probabilities(-found.ineqlin.marginals)
        self.iterations += 1

    def quick_answers(self) -> list[Answer]:
        return [self.us.quick_answer(self.them), self.them.quick_answer(self.us)]

    def proven_answers(self, seconds: float) -> list[Answer]:
        """Answers that bound the value: neither side can do better against the other's mixture."""
        ours = self.us.proven_answer(self.them, seconds)
        theirs = self.them.proven_answer(self.us, seconds)
        self.upper = min(self.upper, ours.bound)
        self.lower = max(self.lower, -theirs.bound)
        return [ours, theirs]

    def grow(self, answers: list[Answer]) -> bool:
        """Add the answers that are better; return whether there was one."""
        ours, theirs = answers
        better = [
            (self.us, ours.strategy, ours.value - self.value),
            (self.them, theirs.strategy, theirs.value + self.value),
        ]
        for side, plan, gain in better:
            if gain > self.tolerance:
                self.add(side, plan)
        return any(gain > self.tolerance for _, _, gain in better)

    def result(self) -> Tmecor:
        value = float(np.clip(self.value, self.lower, self.upper))
        sides = self.us.mixture(), self.them.mixture()
        return Tmecor(value, self.lower, self.upper, *sides, self.iterations)


def check_zero_sum(tree: Tree) -> None:
    if np.abs(tree.payoffs.sum(axis=1)).max() > 1e-9:
        raise ValueError(f"{tree.name} is not zero-sum, so that team against team has no value")


def probabilities(weights: np.ndarray) -> np.ndarray:
    """Make probabilities of rounded weights."""
    weights = np.where(weights > 1e-9, weights, 0.0)
    return weights / weights.sum()
