"""The expected merit of each action over the predicted rest of the trick (or of the deal).

In each world that the mover believes in, the action is tried, and every play that may follow is
listed, with its probability by the action predictors: a soft-max over what the others may play
there. Each way ends at the next pause, where the critic says what the rest is worth; or, if the
horizon is the deal, at its end, the own later plays being those of the rules. Ways that are less
likely than a threshold are pruned, as Ishii et al. (2005) do.
"""

from typing import NamedTuple

import numpy as np

from solvers.pomdp.memory import REMEMBERED, STACK, Memory
from solvers.pomdp.models import Model, answer
from spielgames.core.advance import advance
from spielgames.core.arrays import copy, fill
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, Cards, count, has, int64, lowest
from spielgames.core.inlining import linked
from spielgames.core.players import RANDOM, choices
from spielgames.core.record import TERMINAL, State
from spielgames.core.verbs import clues, features, gain, is_pause, legal, merit, returns

LEARNED, BY_RULES, AT_RANDOM = range(3)  # how the others' plays are predicted


class Foresight(NamedTuple):
    """The numbers that say how far, and how, to look ahead."""

    predicts: int  # LEARNED, BY_RULES or AT_RANDOM
    heat: float  # the temperature of the predictors
    threshold: float  # ways that are less likely are pruned
    to_end: bool  # whether the horizon is the end of the deal
    discount: float
    trick_reward: float  # for all points of the deal
    hand_reward: float  # for a unit of utility
    width: int  # the number of features that the critic is shown


@linked
def tie(beliefs: np.ndarray, s: State, out: np.ndarray) -> None:
    """Condition beliefs on what was played since: nobody holds it, and each hand has the size that
    everybody sees. Each card's probabilities add up to 1 again.
    """
    for place in range(len(out)):
        copy(beliefs[place], out[place])
        for card in range(out.shape[1]):
            if has(s.public, card):
                out[place, card] = 0.0
    for place in range(len(s.played)):
        total = out[place].sum()
        if total > 0.0:
            for card in range(out.shape[1]):
                out[place, card] *= count(s.hands[place]) / total
    for card in range(out.shape[1]):
        total = out[:, card].sum()
        if total > 0.0:
            for place in range(len(out)):
                out[place, card] /= total


@linked
def recall(model: Model, j: int, m: Memory) -> int:
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
    answer(model, m.clue[:width], m.outputs[j, k])
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
    if s.turn == seat or f.predicts != LEARNED:
        level = int64(RANDOM) if f.predicts == AT_RANDOM and s.turn != seat else int64(0)
        actions = choices(s, level)
        rest = actions
        while rest != NONE:
            m.chances[lowest(rest)] = 1.0 / count(actions)
            rest &= rest - ONE
        return actions
    fill(m.clue, 0.0)
    clues(s, beliefs, m.clue)
    j = who[s.turn]
    soften(s, m.outputs[j, recall(predictors[j], j, m)], f.heat, m.chances)
    return actions


@linked
def worth(
    s: State, seat: int, beliefs: np.ndarray, before: float, critic: Model, f: Foresight, m: Memory
) -> float:
    """Reward and discounted value of a way that has ended."""
    total = f.trick_reward * (gain(s, seat) - before)
    if s.turn == TERMINAL:
        returns(s, m.utilities)
        return total + f.hand_reward * m.utilities[seat]
    tie(beliefs, s, m.tied)
    fill(m.row, 0.0)
    features(s, seat, m.tied, m.row)
    answer(critic, m.row[: f.width], m.value)
    return total + f.discount * m.value[0]


@linked
def value_of(
    seat: int,
    beliefs: np.ndarray,
    before: float,
    critic: Model,
    predictors: tuple,
    who: np.ndarray,
    f: Foresight,
    m: Memory,
) -> float:
    """The expected worth of the only way that waits in memory, over all that may follow."""
    waiting, total, mass = 1, 0.0, 0.0
    while waiting > 0:
        waiting -= 1
        s, odds = m.stack[waiting], m.odds[waiting]
        if s.turn == TERMINAL or (is_pause(s) and not f.to_end):
            total += odds * worth(s, seat, beliefs, before, critic, f, m)
            mass += odds
            continue
        actions = predict(s, seat, beliefs, who, predictors, f, m)
        likeliest, likely = int64(0), -1.0
        rest = actions
        while rest != NONE:
            if m.chances[lowest(rest)] > likely:
                likeliest, likely = lowest(rest), m.chances[lowest(rest)]
            rest &= rest - ONE
        here = m.stack[waiting : waiting + 1].copy()
        while actions != NONE:
            a = lowest(actions)
            actions &= actions - ONE
            kept = odds * m.chances[a]
            room = waiting < STACK - 1  # the last place is the likeliest's
            if (kept >= f.threshold and room) or a == likeliest:
                m.stack[waiting] = here[0]
                go_on(m.stack, waiting, a)
                m.odds[waiting] = kept
                waiting += 1
    return total / mass


@linked
def go_on(states: np.ndarray, i: int, a: int) -> None:
    advance(states[i], a)


@compiled
def look_ahead(
    states: np.ndarray,
    worlds: np.ndarray,
    weights: np.ndarray,
    beliefs: np.ndarray,
    critic: Model,
    predictors: tuple,
    who: np.ndarray,
    f: Foresight,
    m: Memory,
    out: np.ndarray,
) -> None:
    """Fill the expected worth of each legal action of each mover, `[games, actions]`. `who[i, q]`
    is the predictor of seat q in game i.
    """
    for i in range(len(states)):
        fill(out[i], -np.inf)
        seat, actions = int64(states[i].turn), legal(states[i])
        before = gain(states[i], seat)
        for j in range(len(m.used)):
            m.used[j] = 0
        while actions != NONE:
            a = lowest(actions)
            actions &= actions - ONE
            out[i, a] = 0.0
            for w in range(worlds.shape[1]):
                if weights[i, w] > 0.0:
                    m.stack[0] = worlds[i, w]
                    go_on(m.stack, 0, a)
                    m.odds[0] = 1.0
                    found = value_of(seat, beliefs[i], before, critic, predictors, who[i], f, m)
                    out[i, a] += weights[i, w] * found
