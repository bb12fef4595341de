"""Lookahead while learning: the value of each legal action when the deal is played out with the
hands as they are,

by_rules    by the game's rule-based player (compiled opponents play as they do)
by_players  by the players at the table; networks play the action they like best

The critic sees these values, and the policy is drawn towards the actions that they prefer
(`Settings.lookahead`). They tell of all actions, not only of the one taken, and are free of the
luck of later decisions. The policy itself never sees them, so it plays without them.

With `by_players` the values are those of the current policy, so that preferring the better actions
is policy iteration, restricted to what a seat can see; trying all actions from one state is the
"vine" method of Schulman et al. (2015). It costs as many decisions as there are to the end of a
deal.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numba import prange

from solvers.environments.card_game import Records
from solvers.environments.environment import ASK, Environment, Positions, Skip
from solvers.networks.decisions import Player, best_actions, flags
from solvers.networks.layout import Shape
from solvers.ppo.rollout import Lookahead, no_lookahead, play_out
from solvers.ppo.settings import Settings
from spielgames.core.advance import advance
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, bit, lowest
from spielgames.core.loops import Kernel
from spielgames.core.luck import FORESIGHT_STREAM, Luck, stream
from spielgames.core.players import finish
from spielgames.core.verbs import legal

SMALL = 1e-8


def lookahead_of(settings: Settings, env: Environment) -> Lookahead:
    if not settings.lookahead:
        return no_lookahead
    if settings.lookahead.policy == "players":
        return partial(by_players, precision=settings.precision)
    if not isinstance(env, Records):
        raise ValueError(f"lookahead is not allowed in {env.name}, which has no rule-based player")
    return by_rules


def by_players(
    env: Environment,
    players: Sequence[Player],
    skip: Skip,
    positions: Positions,
    precision: str = "medium",
) -> np.ndarray:
    """Return what each legal action is worth to the seat to move, 0 for illegal ones.
    `[n, actions] float32`
    """
    worth = np.zeros((len(positions.actors), env.actions), np.float32)
    rows, actions = np.nonzero(flags(positions.sets, env.actions))
    children = env.follow(positions, rows, actions, skip)
    utilities, _ = play_out(env, players, children, skip, best_actions, precision)
    worth[rows, actions] = utilities[np.arange(len(rows)), positions.actors[rows]]
    return worth


def by_rules(
    env: Environment, players: Sequence[Player], skip: Skip, positions: Positions
) -> np.ndarray:
    """The same with the rule-based player, in compiled code."""
    worth = np.zeros((len(positions.actors), env.actions))
    levels = np.array([0 if level == ASK else level for level in skip.levels])
    try_all(positions.states, positions.luck, levels, worth)
    return worth.astype(np.float32)


@Kernel
def try_all(states: np.ndarray, luck: np.ndarray, levels: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        row = states[i : i + 1]
        try_actions(row, row.copy(), stream(luck[i], FORESIGHT_STREAM), levels, out[i])


@compiled
def try_actions(
    row: np.ndarray, copy: np.ndarray, luck: Luck, levels: np.ndarray, out: np.ndarray
) -> None:
    """Try every legal action with the same luck."""
    utilities, seat, actions = np.zeros(len(levels)), row[0].turn, legal(row[0])
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        copy[0] = row[0]
        advance(copy[0], a)
        finish(copy, levels, luck, utilities)
        out[a] = utilities[seat]


def with_lookahead(shape: Shape) -> Shape:
    """The layout of an encoding that is followed by the values of all actions."""
    return replace(shape, width=shape.width + shape.actions)


def preferences(worth: np.ndarray, legal: np.ndarray) -> np.ndarray:
    """Return by how much each legal action beats their mean, with deviation 1; 0 for illegal ones.
    `[n, actions] float32`
    """
    mean = worth.sum(axis=1, keepdims=True) / legal.sum(axis=1, keepdims=True)
    better = np.where(legal, worth - mean, 0)
    return (better / (better[legal].std() + SMALL)).astype(np.float32)
