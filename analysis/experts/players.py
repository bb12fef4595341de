"""Deals between rule-based players, the expert among them with other weights than the committed."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numba import prange, types
from numba.extending import overload

from spielgames.coinche import players as coinche
from spielgames.core import loops
from spielgames.core.advance import advance, settle
from spielgames.core.cards import Cards, count, nth
from spielgames.core.game import initial_state
from spielgames.core.inlining import INLINED
from spielgames.core.loops import Kernel
from spielgames.core.luck import below, forward
from spielgames.core.players import start_lineups
from spielgames.core.record import TERMINAL, State
from spielgames.core.registry import find
from spielgames.core.verbs import choose, reset
from spielgames.snapszer import players as snapszer


class CoincheWeights(NamedTuple):
    cards: np.ndarray
    calls: np.ndarray
    premium: np.ndarray
    sure: np.ndarray
    surer: np.ndarray


class SnapszerWeights(NamedTuple):
    cards: np.ndarray
    closing: np.ndarray


Weights = CoincheWeights | SnapszerWeights  # of one expert; or of several, along the first axis


def coinche_choice(s: State, weights: CoincheWeights, k: int) -> Cards:
    cards, calls, premium, sure, surer = weights
    return coinche.choose_well(s, cards[k], calls[k], premium[k], sure[k], surer[k])


def snapszer_choice(s: State, weights: SnapszerWeights, k: int) -> Cards:
    return snapszer.choose_with(s, snapszer.EXPERT, weights.cards[k], weights.closing[k])


CHOICES = {CoincheWeights: coinche_choice, SnapszerWeights: snapszer_choice}


def choice(s: State, weights: Weights, k: int) -> Cards:
    """The choices of the k-th of these experts."""
    return CHOICES[type(weights)](s, weights, k)


@overload(choice, jit_options=INLINED, strict=False)
def _choice(s: types.Type, weights: types.Type, k: types.Type) -> object:
    return CHOICES[weights.instance_class]


@Kernel
def play_seated(
    states: np.ndarray,
    weights: Weights,
    experts: int,
    players: np.ndarray,
    luck: np.ndarray,
    whims: np.ndarray,
) -> None:
    """Play a game in every row. `players` `[rows, seats]` are experts, then levels of the rules."""
    for i in prange(len(states)):
        reset(states[i])
        s, whim = states[i], whims[i]
        rest = settle(s, luck[i])
        while s.turn != TERMINAL:
            whim, player = forward(whim), players[i, s.turn]
            if player < experts:
                actions = choice(s, weights, player)
            else:
                actions = choose(s, player - experts)
            advance(s, nth(actions, below(whim, count(actions))))
            rest = settle(s, rest)


def stacked(experts: Sequence[Weights]) -> Weights:
    return type(experts[0])(*map(np.stack, zip(*experts, strict=True)))


def play_experts(
    name: str, experts: Sequence[Weights], lineups: np.ndarray, deals: int, seed: int
) -> np.ndarray:
    """The utilities, as `contest.play_deals` gives them; players are these experts, then the levels
    of the rules.
    """
    game, variant = find(name)
    states = np.repeat(initial_state(game, variant), deals * len(lineups))
    luck, whims = np.empty((2, len(states)), np.uint64)
    start_lineups(states, len(lineups), 0, seed, luck, whims)
    players = np.tile(lineups, (deals, 1))
    play_seated(states, stacked(experts), len(experts), players, luck, whims)
    out = np.empty((len(states), game.players))
    loops.final_returns(states, out)
    return out.reshape(deals, *lineups.shape)
