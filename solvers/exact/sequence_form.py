"""A tree laid out for the solvers, and the three compiled passes that all of them are made of.

form = flatten(tree)
strategy = np.concatenate(profile)  # one array over all seats' sequences
reach_down(form, seat, strategy, reach)  # how likely a seat plays towards each of its sequences
leaf_values(form, seat, reach, values)  # what each sequence of a seat is worth where the game ends
values_up(form, seat, strategy, values)  # and what it is worth in all

Sequences are numbered consecutively, seat after seat, and so are information sets. The value of a
sequence is counterfactual: utility × chance's probability × the reaches of all other seats. The
value of a seat's first sequence is what the game is worth to it.
"""

from typing import NamedTuple

import numpy as np
from numba import get_num_threads, prange

from solvers.exact.profiles import Profile, normalised
from spielgames.core.cache import compiled
from spielgames.core.cards import inlined
from spielgames.core.tree import Tree

PARALLEL_FROM = 1_000_000  # leaves; below, threads waiting for each other lose what they gain
BLOCKS = 64  # many more than cores, so that none waits long


class Form(NamedTuple):
    """A tree that can be passed to compiled functions; it holds every leaf once for every seat."""

    origin: np.ndarray  # [players + 1] where the sequences of each seat begin
    sets: np.ndarray  # [players + 1] where the information sets of each seat begin
    parent: np.ndarray  # [sets] the sequence that leads to each
    first: np.ndarray  # [sets] its own sequences are first[i] … end[i]−1
    end: np.ndarray  # [sets]
    rows: np.ndarray  # [sequences + 1] the leaves that end a sequence are rows[i] … rows[i+1]−1
    others: np.ndarray  # [players · leaves, players − 1] the last sequences of the other seats
    weight: np.ndarray  # [players · leaves] chance's probability × the utility to the seat

    @property
    def players(self) -> int:
        return len(self.origin) - 1

    @property
    def sequences(self) -> int:
        return int(self.origin[-1])

    def split(self, flat: np.ndarray) -> list[np.ndarray]:
        """Each seat's part of an array over all sequences, as a view."""
        return np.split(flat, self.origin[1:-1])


def flatten(tree: Tree) -> Form:
    """Lay a tree out for the solvers."""
    get_num_threads()  # starts the threads; else cached code that calls parallel code may crash
    origin = offsets([plex.sequences for plex in tree.seats])
    parts = [plex.first + start for plex, start in zip(tree.seats, origin[:-1], strict=True)]
    size = tree.players * len(tree.chance)
    rows = np.zeros(origin[-1] + 1, np.int64)
    others = np.empty((size, tree.players - 1), np.int32)
    weight = np.empty(size)
    count_leaves(tree.leaves, origin, rows)
    sort_leaves(tree.leaves, tree.chance, tree.payoff, tree.payoffs, origin, rows, others, weight)
    return Form(
        origin=origin,
        sets=offsets([plex.sets for plex in tree.seats]),
        parent=np.concatenate(
            [plex.parent + start for plex, start in zip(tree.seats, origin[:-1], strict=True)]
        ).astype(np.int32),
        first=np.concatenate([part[:-1] for part in parts]).astype(np.int32),
        end=np.concatenate([part[1:] for part in parts]).astype(np.int32),
        rows=rows,
        others=others,
        weight=weight,
    )


def expected_values(form: Form, profile: Profile) -> np.ndarray:
    """The value of the game to each seat when all play a profile."""
    strategy, reach = np.concatenate(profile), np.empty(form.sequences)
    for seat in range(form.players):
        reach_down(form, seat, strategy, reach)
    values = np.empty(form.sequences)
    for seat in range(form.players):
        leaf_values(form, seat, reach, values)
        values_up(form, seat, strategy, values)
    return values[form.origin[:-1]]


def profile_of_plans(tree: Tree, plans: list[np.ndarray]) -> Profile:
    """The behaviour strategies of plans (each seat's weights of its sequences, or sums of them)."""
    return [normalised(plex, plan) for plex, plan in zip(tree.seats, plans, strict=True)]


def offsets(sizes: list[int]) -> np.ndarray:
    return np.concatenate([[0], np.cumsum(sizes)])


@compiled
def count_leaves(leaves: np.ndarray, origin: np.ndarray, rows: np.ndarray) -> None:
    for leaf in leaves:
        for seat in range(len(leaf)):
            rows[origin[seat] + leaf[seat] + 1] += 1
    for i in range(len(rows) - 1):
        rows[i + 1] += rows[i]


@compiled
def sort_leaves(
    leaves: np.ndarray,
    chance: np.ndarray,
    payoff: np.ndarray,
    payoffs: np.ndarray,
    origin: np.ndarray,
    rows: np.ndarray,
    others: np.ndarray,
    weight: np.ndarray,
) -> None:
    """Sort every seat's leaves by its own sequences, otherwise in the tree's order."""
    after = rows[:-1].copy()
    for i in range(len(leaves)):
        for seat in range(leaves.shape[1]):
            own = origin[seat] + leaves[i, seat]
            at = after[own]
            after[own] += 1
            weight[at] = chance[i] * payoffs[payoff[i], seat]
            for k in range(leaves.shape[1] - 1):
                other = k + (k >= seat)
                others[at, k] = origin[other] + leaves[i, other]


@compiled
def reach_down(form: Form, seat: int, strategy: np.ndarray, reach: np.ndarray) -> None:
    """Fill the products of the strategy's probabilities from the root to each sequence."""
    reach[form.origin[seat]] = 1.0
    for i in range(form.sets[seat], form.sets[seat + 1]):
        above = reach[form.parent[i]]
        for a in range(form.first[i], form.end[i]):
            reach[a] = above * strategy[a]


@compiled
def leaf_values(form: Form, seat: int, reach: np.ndarray, values: np.ndarray) -> None:
    """Fill the value of each sequence of a seat from the leaves that end it."""
    first, last = form.origin[seat], form.origin[seat + 1]
    if form.rows[last] - form.rows[first] < PARALLEL_FROM or get_num_threads() == 1:
        sum_leaves(form, first, last, reach, values)
    else:
        sum_blocks(form, first, last, reach, values)


@compiled(parallel=True)
def sum_blocks(form: Form, first: int, last: int, reach: np.ndarray, values: np.ndarray) -> None:
    """Sum leaves on all cores, in blocks of about equally many. Each sequence is summed by one
    thread, in order, so that results do not depend on the number of threads.
    """
    rows = form.rows[first : last + 1]
    ends = rows[0] + (rows[-1] - rows[0]) * np.arange(BLOCKS + 1) // BLOCKS
    starts = first + np.searchsorted(rows, ends)
    starts[0], starts[-1] = first, last
    for block in prange(BLOCKS):
        sum_leaves(form, starts[block], starts[block + 1], reach, values)


@inlined
def sum_leaves(form: Form, first: int, last: int, reach: np.ndarray, values: np.ndarray) -> None:
    for i in range(first, last):
        total = 0.0
        for leaf in range(form.rows[i], form.rows[i + 1]):
            term = form.weight[leaf]
            for k in range(form.others.shape[1]):
                term *= reach[form.others[leaf, k]]
            total += term
        values[i] = total


@compiled
def values_up(form: Form, seat: int, strategy: np.ndarray, values: np.ndarray) -> None:
    """Add to the value of each sequence those of the information sets that follow it, where the
    seat plays the strategy.
    """
    for i in range(form.sets[seat + 1] - 1, form.sets[seat] - 1, -1):
        values[form.parent[i]] += expectation(strategy, values, form.first[i], form.end[i])


@inlined
def expectation(strategy: np.ndarray, values: np.ndarray, first: int, end: int) -> float:
    """The mean value of the sequences first … end−1."""
    mean = 0.0
    for a in range(first, end):
        mean += strategy[a] * values[a]
    return mean
