"""Two-player zero-sum games solved exactly, as a linear programme in sequence form (Koller, Megiddo
and von Stengel 1996).

solution = solve(tree)
solution.value, solution.profile

A plan gives each sequence the product of its probabilities. Seat 0 chooses the plan x that is worth
most against seat 1's best answer. The linear programme of that answer is replaced by its dual,
whose variables u are what seat 1 can hold seat 0 to, from each of its information sets on. The
multipliers of the constraints on u are seat 1's own best plan.
"""

from dataclasses import dataclass

import numpy as np
from scipy import sparse
from scipy.optimize import linprog

from solvers.exact.profiles import Profile
from solvers.exact.sequence_form import profile_of_plans
from spielgames.core.tree import Tree, Treeplex


@dataclass(frozen=True)
class Solution:
    """The value of a game and an equilibrium of it."""

    value: float  # of the game to seat 0
    profile: Profile  # an optimal strategy of each seat; uniform where its plan never leads


def solve(tree: Tree) -> Solution:
    """Solve a two-player zero-sum game."""
    check_two_player_zero_sum(tree)
    flows = [flow(plex) for plex in tree.seats]
    rows = [matrix.shape[0] for matrix in flows]
    sizes = [plex.sequences for plex in tree.seats]
    found = linprog(
        c=np.concatenate([np.zeros(sizes[0]), [-1.0], np.zeros(rows[1] - 1)]),
        A_ub=sparse.hstack([-payoffs(tree).T, flows[1].T], "csr"),
        b_ub=np.zeros(sizes[1]),
        A_eq=sparse.hstack([flows[0], sparse.csr_array((rows[0], rows[1]))], "csr"),
        b_eq=np.eye(1, rows[0])[0],
        bounds=[(0, None)] * sizes[0] + [(None, None)] * rows[1],
        method="highs",
    )
    if not found.success:
        raise RuntimeError(f"HiGHS could not solve {tree.name}: {found.message}")
    plans = [found.x[: sizes[0]], -found.ineqlin.marginals]
    return Solution(-found.fun, profile_of_plans(tree, [plan.clip(0) for plan in plans]))


def check_two_player_zero_sum(tree: Tree) -> None:
    if tree.players != 2 or np.abs(tree.payoffs.sum(axis=1)).max() > 1e-9:
        raise ValueError(
            f"{tree.name} is not a zero-sum game of two players; only such a game is a linear"
            " programme"
        )


def payoffs(tree: Tree) -> sparse.csr_array:
    """Seat 0's expected utility where two sequences meet: leaves of equal sequences are summed."""
    weights = tree.chance * tree.payoffs[tree.payoff, 0]
    shape = tuple(plex.sequences for plex in tree.seats)
    return sparse.coo_array((weights, (tree.leaves[:, 0], tree.leaves[:, 1])), shape).tocsr()


def flow(plex: Treeplex) -> sparse.csr_array:
    """The constraints that make a vector a plan: row 0 is sequence 0, which must be 1; every other
    row is the sum of an information set's sequences less the one that leads there, which must be 0.
    """
    own = np.repeat(np.arange(1, plex.sets + 1), np.diff(plex.first))
    leading = np.arange(1, plex.sets + 1)
    row = np.concatenate([[0], own, leading])
    column = np.concatenate([np.arange(plex.sequences), plex.parent])
    sign = np.concatenate([np.ones(plex.sequences), -np.ones(plex.sets)])
    return sparse.coo_array((sign, (row, column)), (plex.sets + 1, plex.sequences)).tocsr()
