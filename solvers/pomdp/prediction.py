"""How others' plays are predicted: by what was learnt, by the rules or at random.

A predictor gives a merit to each kind of play, from clues; a soft-max over the actions that are
legal in a world makes probabilities of them.
"""

from typing import NamedTuple

import numpy as np

from solvers.pomdp.memory import REMEMBERED, Memory
from solvers.pomdp.models import answer
from solvers.pomdp.movers import own_view
from spielgames.core.arrays import copy, fill
from spielgames.core.cards import NONE, ONE, Cards, count, inlined, int64, lowest, nth
from spielgames.core.inlining import linked
from spielgames.core.luck import Luck, below, fraction
from spielgames.core.players import RANDOM, choices
from spielgames.core.record import State
from spielgames.core.verbs import clues, legal, merit, stage

LEARNED, BY_RULES, AT_RANDOM = range(3)  # how the others' plays are predicted


class Foresight(NamedTuple):
    """The numbers that say how far, and how, to look ahead."""

    predicts: int  # LEARNED, BY_RULES or AT_RANDOM: plays; all else is by the rules
    plays: int  # the first stage of plays
    heat: float  # the temperature of the predictors
    in_worlds: bool  # whether predictors see the hand that the mover has in a world
    threshold: float  # ways that are less likely are pruned
    drawn: bool  # whether one way is drawn in place of listing all
    to_end: bool  # whether the horizon is the end of the deal
    discount: float
    trick_reward: float  # for all points of the deal
    hand_reward: float  # for a unit of utility
    width: int  # the number of features that the critic is shown


@inlined
def recall(predictors: tuple, j: int, m: Memory) -> int:
    """The place in memory of predictor j's merits for the clues `m.clue`."""
    width = m.inputs.shape[2]
    for k in range(m.used[j]):
        same = True
        for i in range(width):
            if m.inputs[j, k, i] != m.clue[i]:
                same = False
                break
        if same:
            return k
    k = min(m.used[j], REMEMBERED - 1)
    m.used[j] = k + 1
    copy(m.clue[:width], m.inputs[j, k])
    ask(predictors, j, m.clue[:width], m.outputs[j, k])
    return k


@linked
def soften(s: State, merits: np.ndarray, heat: float, out: np.ndarray) -> None:
    """The probability of each legal action by its merit (equation 11); actions with the same merit
    share that of their kind.
    """
    actions, top = legal(s), -np.inf
    rest = actions
    while rest != NONE:
        top = max(top, merits[merit(s, lowest(rest))])
        rest &= rest - ONE
    total, rest = 0.0, actions
    while rest != NONE:
        a = lowest(rest)
        kind, alike, others = merit(s, a), 0, actions
        while others != NONE:
            alike += merit(s, lowest(others)) == kind
            others &= others - ONE
        out[a] = np.exp((merits[kind] - top) / heat) / alike
        total += out[a]
        rest &= rest - ONE
    while actions != NONE:
        out[lowest(actions)] /= total
        actions &= actions - ONE


@inlined
def plays_learned(s: State, seat: int, f: Foresight) -> bool:
    """Whether the mover's action is predicted from what was learnt: plays are."""
    return s.turn != seat and f.predicts == LEARNED and stage(s) >= f.plays


@inlined
def plays_evenly(s: State, seat: int, f: Foresight) -> Cards:
    """The actions among which a mover is taken to choose evenly otherwise."""
    at_random = f.predicts == AT_RANDOM and s.turn != seat and stage(s) >= f.plays
    return choices(s, int64(RANDOM) if at_random else int64(0))


@inlined
def ask(predictors: tuple, j: int, x: np.ndarray, out: np.ndarray) -> None:
    """Write the merits by predictor j. (Compiled code would copy all predictors for a number that
    it does not know.)
    """
    if j == 0:
        answer(predictors[0], x, out)
    elif j == 1:
        answer(predictors[1], x, out)
    elif j == 2:
        answer(predictors[2], x, out)
    else:
        answer(predictors[3], x, out)


@inlined
def weigh(
    s: State, beliefs: np.ndarray, who: np.ndarray, predictors: tuple, f: Foresight, m: Memory
) -> None:
    """Fill the probabilities of the mover's actions by its predictor."""
    j, k = who[s.turn], int64(0)
    fill(m.clue, 0.0)
    if f.in_worlds:
        own_view(s, m.tied)
        clues(s, m.tied, m.clue)
        ask(predictors, j, m.clue[: m.inputs.shape[2]], m.outputs[j, k])
    else:
        clues(s, beliefs, m.clue)
        k = recall(predictors, j, m)
    soften(s, m.outputs[j, k], f.heat, m.chances)


@linked
def predict(
    s: State,
    seat: int,
    beliefs: np.ndarray,
    who: np.ndarray,
    predictors: tuple,
    f: Foresight,
    m: Memory,
) -> Cards:
    """Fill the probabilities of the mover's actions; return those that are possible."""
    actions = legal(s)
    if actions & (actions - ONE) == NONE:
        m.chances[lowest(actions)] = 1.0
        return actions
    if plays_learned(s, seat, f):
        weigh(s, beliefs, who, predictors, f, m)
        return actions
    actions = plays_evenly(s, seat, f)
    rest = actions
    while rest != NONE:
        m.chances[lowest(rest)] = 1.0 / count(actions)
        rest &= rest - ONE
    return actions


@inlined
def draw_play(
    s: State,
    seat: int,
    beliefs: np.ndarray,
    who: np.ndarray,
    predictors: tuple,
    f: Foresight,
    m: Memory,
    luck: Luck,
) -> int:
    """One of the mover's actions, with its probability."""
    if not plays_learned(s, seat, f):
        actions = plays_evenly(s, seat, f)
        return nth(actions, below(luck, count(actions)))
    actions, left = legal(s), fraction(luck)
    if actions & (actions - ONE) != NONE:
        weigh(s, beliefs, who, predictors, f, m)
    while actions & (actions - ONE) != NONE:
        left -= m.chances[lowest(actions)]
        if left < 0.0:
            break
        actions &= actions - ONE
    return lowest(actions)
