"""Deals played in lock-step, and the decisions that learners took in them.

table = Table((mine, rules, mine, rules), deals=1024)  # the player of each seat
found = play(env, table, learners=(mine,), first=0, seed=7)
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

import numpy as np

from solvers.environments.environment import ASK, Environment, Positions, Skip
from solvers.networks.decisions import (
    Player,
    ToStrategy,
    decide,
    draw_actions,
    probabilities,
)
from spielgames.core.players import RANDOM


class Table(NamedTuple):
    players: tuple[Player, ...]  # of each seat
    deals: int


class Decisions(NamedTuple):
    """The learners' decisions, in the order in which they were taken."""

    positions: Positions
    actions: np.ndarray  # [n]
    chances: np.ndarray  # [n] how likely each was
    deals: np.ndarray  # [n] of which deal
    action_values: np.ndarray  # [n, actions] by lookahead; no columns without it
    utilities: np.ndarray  # [deals, players] how they ended
    ends: np.ndarray  # [deals] the last states
    asked: int  # decisions of all players that are not compiled


Lookahead = Callable[[Environment, Sequence[Player], Skip, Positions], np.ndarray]
Note = Callable[[Positions, np.ndarray, np.ndarray, np.ndarray], None]


def no_lookahead(
    env: Environment, players: Sequence[Player], skip: Skip, positions: Positions
) -> np.ndarray:
    return np.zeros((len(positions.actors), 0), np.float32)


def play(
    env: Environment,
    table: Table,
    learners: Collection[Player],
    first: int,
    seed: int,
    precision: str = "medium",
    lookahead: Lookahead = no_lookahead,
) -> Decisions:
    """Play the deals `first`, … of a seed; return all that the learners decided in them."""
    learns = np.array([any(player is one for one in learners) for player in table.players])
    levels = zip(table.players, learns, strict=True)
    skip = Skip(tuple(ASK if own else compiled_level(player) for player, own in levels))
    dealt = env.deal(first, table.deals, seed, skip)
    none = np.zeros(0, np.int64)
    parts = [(dealt.take(none), none, np.zeros(0, np.float32), none)]  # learners may decide nothing
    asked = 0

    def note(
        positions: Positions, deals: np.ndarray, actions: np.ndarray, strategy: np.ndarray
    ) -> None:
        nonlocal asked
        asked += len(deals)
        own = np.flatnonzero(learns[positions.actors])
        parts.append((positions.take(own), actions[own], strategy[own, actions[own]], deals[own]))

    utilities, ends = play_out(env, table.players, dealt, skip, probabilities, precision, note)
    taken, *rest = zip(*parts, strict=True)
    actions, chances, deals = map(np.concatenate, rest)
    joined = Positions(*map(np.concatenate, zip(*taken, strict=True)))
    action_values = lookahead(env, table.players, skip, joined)
    return Decisions(joined, actions, chances, deals, action_values, utilities, ends, asked)


def play_out(
    env: Environment,
    players: Sequence[Player],
    positions: Positions,
    skip: Skip,
    to_strategy: ToStrategy,
    precision: str = "medium",
    note: Note = lambda *seen: None,
) -> tuple[np.ndarray, np.ndarray]:
    """Play everything to its end; return the utilities `[n, players]` and the last states. `note`
    is told of all decisions on the way: positions, the rows they come from, actions, strategies.
    """
    rows = np.arange(len(positions.actors))
    utilities, ends = np.empty((len(rows), env.players)), np.empty_like(positions.states)
    while True:
        over = np.flatnonzero(positions.ended)
        if len(over):
            ended = positions.take(over)
            utilities[rows[over]], ends[rows[over]] = env.returns(ended), ended.states
            live = np.flatnonzero(~positions.ended)
            positions, rows = positions.take(live), rows[live]
        if not len(rows):
            return utilities, ends
        strategy = decide(env, players, positions, to_strategy, precision).strategy
        actions = np.empty(len(rows), np.int64)
        draw_actions(strategy, positions.luck, actions)
        note(positions, rows, actions, strategy)
        positions = env.follow(positions, np.arange(len(rows)), actions, skip)


def compiled_level(player: Player) -> int:
    """Return the level of a compiled player, or ASK; uniformly random play is compiled, too."""
    level = RANDOM if player is None else getattr(player, "level", None)
    return ASK if level is None else level


def together(parts: list[Decisions]) -> Decisions:
    """Concatenate decisions; deals are numbered consecutively."""
    starts = np.cumsum([0, *(len(part.utilities) for part in parts[:-1])])
    positions = Positions(
        *map(np.concatenate, zip(*(part.positions for part in parts), strict=True))
    )
    return Decisions(
        positions,
        np.concatenate([part.actions for part in parts]),
        np.concatenate([part.chances for part in parts]),
        np.concatenate([part.deals + start for part, start in zip(parts, starts, strict=True)]),
        np.concatenate([part.action_values for part in parts]),
        np.concatenate([part.utilities for part in parts]),
        np.concatenate([part.ends for part in parts]),
        sum(part.asked for part in parts),
    )


def count_wins(decisions: Decisions) -> Decisions:
    """Return the same decisions, but with 1 for a win and −1 for a loss."""
    utilities, action_values = np.sign(decisions.utilities), np.sign(decisions.action_values)
    return decisions._replace(utilities=utilities, action_values=action_values)
