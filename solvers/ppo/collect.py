"""Deals played in lock-step, and what their learners decided.

table = Table((mine, rules, mine, rules), deals=1024)  # the player of each seat
found = play(env, table, learners=(mine,), first=0, seed=7)
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
from numba import prange

from solvers.environment import ASK, WHIMS, Environment, Positions, Skip
from solvers.strategies import Player, decide, probabilities
from spielgames.contest import pick_action
from spielgames.core.loops import Kernel
from spielgames.core.luck import fraction, stream
from spielgames.core.players import RANDOM


class Table(NamedTuple):
    players: tuple[Player, ...]  # of each seat
    deals: int


class Decisions(NamedTuple):
    """In the order in which they were taken."""

    positions: Positions
    actions: np.ndarray  # [n]
    chances: np.ndarray  # [n] how likely each was
    deals: np.ndarray  # [n] of which deal
    utilities: np.ndarray  # [deals, players] how they ended
    ends: np.ndarray  # [deals] the last states
    levels: np.ndarray  # [deals, players] of compiled players; 0, the rules, of all others
    asked: int  # decisions of all players that are not compiled


def play(
    env: Environment,
    table: Table,
    learners: Collection[Player],
    first: int,
    seed: int,
    precision: str = "medium",
) -> Decisions:
    """Deals `first`, … of a seed, and all that the learners decided in them."""
    learns = np.array([any(player is one for one in learners) for player in table.players])
    levels = zip(table.players, learns, strict=True)
    skip = Skip(tuple(ASK if own else compiled_level(player) for player, own in levels))
    positions, deals = env.deal(first, table.deals, seed, skip), np.arange(table.deals)
    ends = np.empty_like(positions.states)
    utilities = np.empty((table.deals, env.players))
    parts: list[tuple] = []
    asked = 0
    while True:
        over = np.flatnonzero(positions.ended)
        if len(over):
            ended = positions.take(over)
            utilities[deals[over]], ends[deals[over]] = env.returns(ended), ended.states
            live = np.flatnonzero(~positions.ended)
            positions, deals = positions.take(live), deals[live]
        if not len(deals):
            break
        strategy = decide(env, table.players, positions, probabilities, precision).strategy
        actions = np.empty(len(deals), np.int64)
        draw_actions(strategy, positions.luck, actions)
        own = np.flatnonzero(learns[positions.actors])
        parts.append((positions.take(own), actions[own], strategy[own, actions[own]], deals[own]))
        asked += len(deals)
        positions = env.follow(positions, np.arange(len(deals)), actions, skip)
    taken, *rest = zip(*parts, strict=True)
    joined = Positions(*map(np.concatenate, zip(*taken, strict=True)))
    seated = np.array([0 if level == ASK else level for level in skip.levels])
    by_deal = np.tile(seated, (table.deals, 1))
    return Decisions(joined, *map(np.concatenate, rest), utilities, ends, by_deal, asked)


def compiled_level(player: Player) -> int:
    """Whoever plays evenly is compiled, too."""
    level = RANDOM if player is None else getattr(player, "level", None)
    return ASK if level is None else level


@Kernel
def draw_actions(strategy: np.ndarray, luck: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(strategy)):
        out[i] = pick_action(strategy[i], fraction(stream(luck[i], WHIMS)))


def together(parts: list[Decisions]) -> Decisions:
    """One after the other; the deals are numbered through."""
    starts = np.cumsum([0, *(len(part.utilities) for part in parts[:-1])])
    positions = Positions(
        *map(np.concatenate, zip(*(part.positions for part in parts), strict=True))
    )
    return Decisions(
        positions,
        np.concatenate([part.actions for part in parts]),
        np.concatenate([part.chances for part in parts]),
        np.concatenate([part.deals + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.utilities for part in parts]),
        np.concatenate([part.ends for part in parts]),
        np.concatenate([part.levels for part in parts]),
        sum(part.asked for part in parts),
    )
