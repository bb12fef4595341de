"""Past deals, played again: what a learner with a belief state learns from them.

A *moment* is a state that is worth evaluating (`is_pause`), or a decision before the play that is
to be learnt; between two of them lie a reward and, perhaps, a decision. A *lesson* is a play of an
opponent who had a choice.
"""

from typing import NamedTuple

import numpy as np

from solvers.pomdp.movers import own_view
from spielgames.core.arrays import fill
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, count, int64, lowest
from spielgames.core.inlining import linked
from spielgames.core.marginals import fill_marginals
from spielgames.core.record import State, event_action
from spielgames.core.replay import redeal, step_past
from spielgames.core.verbs import (
    clues,
    features,
    gain,
    is_pause,
    legal,
    merit,
    reset,
    returns,
    stage,
)

MOST = 16  # moments of a seat in a deal


class Moments(NamedTuple):
    """`[deals, MOST, …]`, of which the first `used` are."""

    used: np.ndarray  # [deals]
    states: np.ndarray  # features
    gains: np.ndarray  # what the side has won by then; at the end, in the row after the last
    decisions: np.ndarray  # features at the decision that follows
    merits: np.ndarray  # of what was chosen there; −1 if nothing was
    utility: np.ndarray  # [deals]


class Lessons(NamedTuple):
    """`[deals, events, …]`, of which the first `used` are."""

    used: np.ndarray  # [deals]
    clues: np.ndarray
    merits: np.ndarray  # of what was played
    allowed: np.ndarray  # [deals, events, merits] how many cards could be played with each merit
    seats: np.ndarray


@linked
def note_lesson(r: State, a: int, beliefs: np.ndarray, i: int, lessons: Lessons) -> None:
    k, actions = lessons.used[i], legal(r)
    if count(actions) < 2:
        return
    fill(lessons.clues[i, k], 0.0)
    clues(r, beliefs, lessons.clues[i, k])
    fill(lessons.allowed[i, k], 0)
    while actions != NONE:
        lessons.allowed[i, k, merit(r, lowest(actions))] += 1
        actions &= actions - ONE
    lessons.merits[i, k] = merit(r, a)
    lessons.seats[i, k] = r.turn
    lessons.used[i] = k + 1


@linked
def note_moment(r: State, seat: int, beliefs: np.ndarray, i: int, moments: Moments) -> None:
    k = moments.used[i]
    fill(moments.states[i, k], 0.0)
    features(r, seat, beliefs, moments.states[i, k])
    moments.gains[i, k] = gain(r, seat)
    moments.merits[i, k] = -1
    moments.used[i] = k + 1


@linked
def note_decision(
    r: State, a: int, seat: int, beliefs: np.ndarray, i: int, moments: Moments
) -> None:
    k = moments.used[i] - 1
    fill(moments.decisions[i, k], 0.0)
    features(r, seat, beliefs, moments.decisions[i, k])
    if count(legal(r)) > 1:
        moments.merits[i, k] = merit(r, a)


@compiled
def relive(
    finals: np.ndarray,
    seats: np.ndarray,
    learned: np.ndarray,
    plays: int,
    asks: bool,
    in_worlds: bool,
    scratch: np.ndarray,
    shares: np.ndarray,
    beliefs: np.ndarray,
    moments: Moments,
    lessons: Lessons,
) -> None:
    """Play finished deals again in the eyes of one seat of each. `learned` flags the stages whose
    decisions are learnt, of which those from `plays` on are plays. No lessons are noted if there is
    no room for any. Beliefs are 0 unless somebody `asks` for them; `in_worlds`, lessons are told in
    the eyes of the mover, whose hand has been shown. (`scratch` holds two states.)
    """
    for i in range(len(finals)):
        r, past, seat = scratch[0], finals[i], int64(seats[i])
        reset(r)
        redeal(r, past)
        moments.used[i] = 0
        lessons.used[i] = 0
        for t in range(past.length):
            a, kind = event_action(past.events[t]), stage(r)
            own = r.turn == seat
            asked = kind < plays and own and learned[kind]
            taught = lessons.clues.shape[1] > 0 and not own and kind >= plays
            opened = asked or (kind >= plays and is_pause(r))
            told = taught and not in_worlds
            if asks and (opened or told or (own and kind >= plays)):
                fill_marginals(scratch, 0, seat, beliefs, scratch[1:2], shares)
            if opened:
                note_moment(r, seat, beliefs, i, moments)
            if own and (asked or (kind >= plays and learned[kind])):
                note_decision(r, a, seat, beliefs, i, moments)
            if taught and in_worlds:
                own_view(r, beliefs)
            if taught:
                note_lesson(r, a, beliefs, i, lessons)
            step_past(r, past, t)
        moments.gains[i, moments.used[i]] = gain(r, seat)
        utilities = np.zeros(len(past.played))
        returns(r, utilities)
        moments.utility[i] = utilities[seat]
