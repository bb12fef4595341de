"""From the outputs of networks to the strategies of players."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import torch
from numba import prange
from torch import Tensor

from solvers.environments.environment import Environment, Positions
from solvers.networks.network import Network, predict
from spielgames.agents import Agent
from spielgames.core.arrays import pick_action
from spielgames.core.cards import NONE, Cards, bit, inlined, lowest
from spielgames.core.loops import Kernel, expand
from spielgames.core.luck import CHOICE_STREAM, fraction, stream

Player = Network | Agent | None  # None plays uniformly at random
NEVER = -1e9  # the logit of what is not allowed
ToStrategy = Callable[[np.ndarray, np.ndarray], np.ndarray]  # sets, outputs -> strategy


class Decided(NamedTuple):
    """The players' outputs and strategies at some positions."""

    encodings: np.ndarray | None  # [n, width]; None if nobody needed them
    outputs: np.ndarray  # [n, actions] of networks; 0 where a seat has none
    strategy: np.ndarray  # [n, actions]


def decide(
    env: Environment,
    players: Sequence[Player],
    positions: Positions,
    to_strategy: ToStrategy,
    precision: str = "medium",
) -> Decided:
    """Ask each seat's player where the seat is to move."""
    learnt = any(isinstance(player, Network) for player in players)
    encodings = env.encode(positions) if learnt else None
    outputs = np.zeros((len(positions.actors), env.actions), np.float32)
    for player in set(players):
        if isinstance(player, Network) and encodings is not None:
            rows = rows_of(player, players, positions.actors)
            outputs[rows] = predict(player, encodings[rows], precision)
    strategy = to_strategy(positions.sets, outputs)
    for player in set(players):
        if isinstance(player, Agent):
            rows = np.arange(len(strategy))[rows_of(player, players, positions.actors)]
            own = positions.take(rows)
            strategy[rows] = player.probabilities(own.states)
    return Decided(encodings, outputs, strategy)


def rows_of(player: Player, players: Sequence[Player], actors: np.ndarray) -> np.ndarray | slice:
    """Return where a player is to move; a slice, which copies nothing, if that is everywhere."""
    own = np.array([p is player for p in players])
    return slice(None) if own.all() else own[actors]


def match_advantages(sets: np.ndarray, advantages: np.ndarray) -> np.ndarray:
    """Regret matching: play in proportion to the advantages above 0, or the best actions if there
    are none (Brown et al. 2019). `[n, actions] float32`
    """
    out = np.zeros_like(advantages)
    match_all(sets, advantages, out)
    return out


@Kernel
def match_all(sets: np.ndarray, advantages: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(sets)):
        best, total = largest_and_sum(sets[i], advantages[i])
        rest, ties = sets[i], 0
        while rest != NONE:
            a = lowest(rest)
            rest ^= bit(a)
            if total > 0:
                out[i, a] = max(advantages[i, a], np.float32(0)) / total
            elif advantages[i, a] == best:
                out[i, a] = 1
                ties += 1
        if ties > 1:
            for a in range(out.shape[1]):
                out[i, a] /= ties


@inlined
def largest_and_sum(actions: Cards, advantages: np.ndarray) -> tuple[float, float]:
    """Return the largest of some advantages, and the sum of those above 0."""
    best, total = -np.inf, 0.0
    while actions != NONE:
        a = lowest(actions)
        actions ^= bit(a)
        best = max(best, advantages[a])
        total += max(advantages[a], np.float32(0))
    return best, total


def best_actions(sets: np.ndarray, advantages: np.ndarray) -> np.ndarray:
    """Play the actions with the largest advantage, each as often."""
    legal = np.where(flags(sets, advantages.shape[1]), advantages, -np.inf)
    best = legal == legal.max(axis=1, keepdims=True)
    return (best / best.sum(axis=1, keepdims=True)).astype(np.float32)


def probabilities(sets: np.ndarray, logits: np.ndarray) -> np.ndarray:
    """Return the softmax over the legal actions."""
    raised = np.where(flags(sets, logits.shape[1]), logits, -np.inf)
    weights = np.exp(raised - raised.max(axis=1, keepdims=True))
    return (weights / weights.sum(axis=1, keepdims=True)).astype(np.float32)


def log_policy(outputs: Tensor, legal: Tensor) -> Tensor:
    """Logarithms of the probabilities of legal actions; `NEVER` or so of others."""
    return torch.log_softmax(outputs.masked_fill(~legal, NEVER), dim=1)


@Kernel
def draw_actions(strategy: np.ndarray, luck: np.ndarray, out: np.ndarray) -> None:
    """Draw an action from each row of a strategy, by the luck of its position."""
    for i in prange(len(strategy)):
        out[i] = pick_action(strategy[i], fraction(stream(luck[i], CHOICE_STREAM)))


def flags(sets: np.ndarray, actions: int) -> np.ndarray:
    """Return sets of actions as rows of flags."""
    out = np.empty((len(sets), actions), bool)
    expand(sets, out)
    return out
