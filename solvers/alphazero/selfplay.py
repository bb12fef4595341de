"""Deals that a network plays against itself, and what a search says of some of its decisions."""

from typing import NamedTuple, Self

import numpy as np
from numba import prange

from solvers.alphazero.settings import Settings
from solvers.alphazero.teacher import Guide
from solvers.environments.environment import Positions, expansion_draw
from solvers.networks.decisions import draw_actions, flags, probabilities
from solvers.search.endings import exact_values, open_rows
from spielgames.core.arrays import take
from spielgames.core.loops import Kernel


class Samples(NamedTuple):
    """Searched decisions."""

    states: np.ndarray  # [n]
    actors: np.ndarray  # [n] int8
    sets: np.ndarray  # [n] uint64: the legal actions
    policy: np.ndarray  # [n, actions] float32: the search's
    values: np.ndarray  # [n, actions] float32: of each action by search, NaN where none
    worth: np.ndarray  # [n] float32: of the position by search
    outcome: np.ndarray  # [n] float32: of the deal, for the seat's side
    deals: np.ndarray  # [n] int64: in which deal

    @classmethod
    def join(cls, parts: list[Self]) -> Self:
        return cls(*map(np.concatenate, zip(*parts, strict=True)))


def play(guide: Guide, settings: Settings, iteration: int, deals: range, seed: int) -> Samples:
    """Play deals of a seed; everything that follows depends on these arguments alone."""
    env, parts = guide.env, []
    positions = env.deal(deals.start, len(deals), seed)
    rows, won = np.arange(len(deals)), np.zeros(len(deals))  # by the side of seat 0
    while len(rows):
        done = positions.ended | open_rows(positions.states)
        over = np.flatnonzero(done)
        won[rows[over]] = first_side_wins(guide, positions.take(over))
        positions, rows = positions.take(np.flatnonzero(~done)), rows[~done]
        if not len(rows):
            break
        logits, _ = guide.judge(positions)
        strategy = probabilities(positions.sets, logits)
        chosen = searched_rows(positions, settings.searched)
        some = positions.take(chosen)
        found = settings.teacher.improve(
            guide, some, logits[chosen], seed + iteration, settings.annealed(iteration)
        )
        if settings.teacher.acts:
            strategy[chosen] = found.policy
        blank = np.zeros(len(chosen), np.float32)
        parts.append(Samples(some.states, some.actors, some.sets, *found, blank, rows[chosen]))
        positions = act(guide, positions, strategy, settings.exploration)
    samples = Samples.join(parts)
    own = np.array(env.game.sides)[samples.actors] == env.game.sides[0]
    outcome = np.where(own, won[samples.deals], -won[samples.deals])
    return samples._replace(
        outcome=(outcome / guide.scale).astype(np.float32), deals=samples.deals + deals.start
    )


def act(guide: Guide, positions: Positions, strategy: np.ndarray, exploration: float) -> Positions:
    """Draw actions, some of them uniformly at random, and follow them."""
    legal = flags(positions.sets, guide.env.actions)
    even = legal / legal.sum(axis=1, keepdims=True)
    mixed = ((1 - exploration) * strategy + exploration * even).astype(np.float32)
    actions = np.empty(len(mixed), np.int64)
    draw_actions(mixed, positions.luck, actions)
    return guide.env.follow(positions, np.arange(len(mixed)), actions)


def first_side_wins(guide: Guide, positions: Positions) -> np.ndarray:
    """The utility of seat 0's side in deals that are over, or open and played perfectly. `[n]`"""
    out = guide.env.returns(positions)[:, 0]
    opened = np.flatnonzero(~positions.ended)
    if len(opened):
        game, states = guide.env.game, take(positions.states, opened)
        own = np.array(game.sides)[positions.actors[opened]] == game.sides[0]
        values = exact_values(game, states)
        out[opened] = np.where(own, values, -values)
    return out


def searched_rows(positions: Positions, share: float) -> np.ndarray:
    """The positions to search, drawn by their own luck."""
    draws = np.empty(len(positions.luck))
    fill_draws(positions.luck, draws)
    return np.flatnonzero(draws < share)


@Kernel
def fill_draws(luck: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(luck)):
        out[i] = expansion_draw(luck[i])
