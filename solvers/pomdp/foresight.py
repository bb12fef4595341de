"""The expected merit of each action over the predicted rest of the trick (or of the deal).

In each world that the mover believes in, the action is tried, and every play that may follow is
listed, with its probability by the action predictors: a soft-max over what the others may play
there. Each way ends at the next pause, where the critic says what the rest is worth; or, if the
horizon is the deal, at its end, the own later plays being those of the rules. Ways that are less
likely than a threshold are pruned, as Ishii et al. (2005) do; or one way alone is drawn in each
world, as Fujita and Ishii (2007) do.
"""

import numpy as np

from solvers.pomdp.memory import STACK, Memory
from solvers.pomdp.models import Model, answer
from solvers.pomdp.prediction import BY_RULES, Foresight, draw_play, predict
from spielgames.core.advance import advance
from spielgames.core.arrays import copy, fill
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, count, has, inlined, int64, lowest
from spielgames.core.inlining import linked
from spielgames.core.luck import Luck, forward
from spielgames.core.players import finish
from spielgames.core.record import TERMINAL, State
from spielgames.core.verbs import features, gain, is_pause, legal, returns


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
def reward(s: State, seat: int, before: float, f: Foresight, utilities: np.ndarray) -> float:
    """The reward of a way: for points, and at the end of the deal for what it brings."""
    total = f.trick_reward * (gain(s, seat) - before)
    if s.turn == TERMINAL:
        returns(s, utilities)
        total += f.hand_reward * utilities[seat]
    return total


@linked
def rest(s: State, seat: int, beliefs: np.ndarray, critic: Model, f: Foresight, m: Memory) -> float:
    """The discounted value of what follows a pause."""
    tie(beliefs, s, m.tied)
    fill(m.row, 0.0)
    features(s, seat, m.tied, m.row)
    answer(critic, m.row[: f.width], m.value)
    return f.discount * m.value[0]


@inlined
def worth(
    s: State, seat: int, beliefs: np.ndarray, before: float, critic: Model, f: Foresight, m: Memory
) -> float:
    """Reward and discounted value of a way that has ended."""
    total = reward(s, seat, before, f, m.utilities)
    return total if s.turn == TERMINAL else total + rest(s, seat, beliefs, critic, f, m)


@linked
def rolled_value(
    states: np.ndarray, seat: int, before: float, f: Foresight, luck: Luck, utilities: np.ndarray
) -> float:
    """The worth of the deal `states[0]` if it is played to its end by the rules."""
    finish(states, np.zeros(len(utilities), np.int64), luck, utilities)
    return reward(states[0], seat, before, f, utilities)


@inlined
def drawn_value(
    seat: int,
    beliefs: np.ndarray,
    before: float,
    critic: Model,
    predictors: tuple,
    who: np.ndarray,
    f: Foresight,
    m: Memory,
    luck: Luck,
) -> float:
    """The worth of the only way that waits in memory, if one of all that may follow is drawn."""
    if f.to_end and f.predicts == BY_RULES:
        return rolled_value(m.stack[:1], seat, before, f, luck, m.utilities)
    s = m.stack[0]
    while s.turn != TERMINAL and (f.to_end or not is_pause(s)):
        luck = forward(luck)
        advance(s, draw_play(s, seat, beliefs, who, predictors, f, m, luck))
    return worth(s, seat, beliefs, before, critic, f, m)


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
    luck: np.ndarray,
    beliefs: np.ndarray,
    critic: Model,
    predictors: tuple,
    who: np.ndarray,
    f: Foresight,
    m: Memory,
    out: np.ndarray,
) -> None:
    """Fill the expected worth of each legal action of each mover, `[games, actions]`. `who[i, q]`
    is the predictor of seat q in game i. Every action meets a world with the same `luck`.
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
                    table = seat, beliefs[i], before, critic, predictors, who[i], f, m
                    found = drawn_value(*table, luck[i, w]) if f.drawn else value_of(*table)
                    out[i, a] += weights[i, w] * found
