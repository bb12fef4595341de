"""Endings small enough to try every strategy of the seat to move, in plain Python."""

from collections.abc import Iterator

import numpy as np

from solvers.search.beliefs import Exact
from solvers.search.worlds import seeds_of
from spielgames import Batch
from spielgames.core.cards import members
from spielgames.testing.positions import random_actions


class Unfit(Exception):
    """The error for an ending in which somebody else has a choice."""


def endings(name: str, cards: int, seed: int) -> Iterator[np.ndarray]:
    """Positions of random deals in which the mover has a choice and that many cards."""
    batch, rng = Batch(name, 300, seed), np.random.default_rng(seed)
    while batch.running():
        rows = np.flatnonzero((batch.actors() >= 0) & (batch.legal_mask().sum(axis=1) > 1))
        left = np.bitwise_count(batch.states["hands"][rows, batch.actors()[rows]])
        for i in rows[left == cards]:
            yield batch.states[[i]].copy()
        batch.step(random_actions(batch, rng))


def all_worlds(name: str, state: np.ndarray) -> tuple[Batch, np.ndarray]:
    """All worlds of a position, and their probabilities."""
    batch = Batch(name, 1)
    drawn = Exact(most=500).draw(batch.game, state, 1, seeds_of(state, 0, 0))
    if not drawn.complete[0]:
        raise Unfit
    return Batch.of_states(batch.game, batch.variant, drawn.states[0]), drawn.weights[0]


def best_response(worlds: Batch, weights: np.ndarray, seat: int) -> dict[int, float]:
    """What each action of the seat is worth if it goes on as well as it can, seeing only what it
    may, and nobody else has a choice.
    """
    (options,) = {int(x) for x in worlds.legal_sets()}
    return {a: after(worlds, weights, seat, a) for a in members(options)}


def after(worlds: Batch, weights: np.ndarray, seat: int, action: int) -> float:
    return value(played(worlds, np.full(len(worlds), action)), weights, seat)


def value(batch: Batch, weights: np.ndarray, seat: int) -> float:
    """What the seat can get from several worlds on, whoever moves in them."""
    total, turns, views = 0.0, batch.actors(), batch.infostate(seat)
    for view in np.unique(views, axis=0):
        rows = np.flatnonzero((views == view).all(axis=1))
        some, turn = part(batch, rows), turns[rows[0]]
        if turn < 0:
            total += float(weights[rows] @ some.returns()[:, seat])
        elif turn == seat:
            total += max(best_response(some, weights[rows], seat).values())
        elif (some.legal_mask().sum(axis=1) > 1).any():
            raise Unfit
        else:
            total += value(played(some, some.legal_mask().argmax(axis=1)), weights[rows], seat)
    return total


def part(batch: Batch, rows: np.ndarray) -> Batch:
    return Batch.of_states(batch.game, batch.variant, batch.states[rows])


def played(batch: Batch, actions: np.ndarray) -> Batch:
    """The games after an action each, as a batch of its own."""
    following = Batch.of_states(batch.game, batch.variant, batch.states.copy())
    following.step(actions)
    return following


def winnable(worlds: Batch, ids: np.ndarray, seat: int) -> set[frozenset[int]]:
    """The sets of worlds that strategies of the seat win, if all others see all cards and do what
    serves their side, in each world by itself. Without chance.
    """
    found = {frozenset[int]()}
    views = worlds.infostate(seat)
    for view in np.unique(views, axis=0):
        rows = np.flatnonzero((views == view).all(axis=1))
        alike = winnable_alike(part(worlds, rows), ids[rows], seat)
        found = {one | other for one in found for other in alike}
    return best_of(found)


def winnable_alike(worlds: Batch, ids: np.ndarray, seat: int) -> set[frozenset[int]]:
    """The same where all worlds look alike to the seat."""
    turn = int(worlds.actors()[0])
    if turn < 0:
        return {frozenset(ids[worlds.returns()[:, seat] > 0].tolist())}
    legal = worlds.legal_mask()
    below = {}
    for a in np.flatnonzero(legal.any(axis=0)):
        rows = np.flatnonzero(legal[:, a])
        below[a] = winnable(played(part(worlds, rows), np.full(len(rows), a)), ids[rows], seat)
    if turn == seat:
        return best_of(set().union(*below.values()))
    sides, found = worlds.game.sides, None
    for a, sets in below.items():
        can = frozenset(ids[legal[:, a]].tolist())
        if found is None:
            found = {frozenset(won) for won in sets}
            met = can
        elif sides[turn] == sides[seat]:
            found = {one | other for one in found for other in sets}
        else:
            found = {(one & other) | (one - can) | (other - met) for one in found for other in sets}
            met |= can
        found = best_of(found)
    return found


def best_of(sets: set[frozenset[int]]) -> set[frozenset[int]]:
    """Those that are no proper subset of another."""
    return {one for one in sets if not any(one < other for other in sets)}
