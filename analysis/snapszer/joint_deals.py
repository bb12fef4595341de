"""All deals that a public position of Snapszer may hide, each with a past that agrees with it.

    states = joint_deals(position, seed=0)  # [deals]

A public position is what a spectator sees: it hides the cards of each seat that it has not shown,
and the talon. In the past of a deal, its hidden cards came as those of the true deal did, in a
random order; deals without a possible past are left out, such as those in which a seat that has led
without exchanging had the jack of trump.
"""

from itertools import combinations

import numpy as np
from numba import prange

from spielgames.core.cards import NONE, Cards, bit, count, inlined, lowest, make_set, members, nth
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import Luck, below, forward, stream
from spielgames.core.record import (
    NOBODY,
    State,
    event_action,
    event_seat,
    is_chance,
    set_event_action,
)
from spielgames.core.replay import replay
from spielgames.core.verbs import reset
from spielgames.core.worlds import copy_past
from spielgames.snapszer.record import PLAYERS

TRIES = 64  # orders in which the cards may have come, before a deal is taken to be impossible
HIDING = PLAYERS + 1  # the two hands and the talon


def joint_deals(position: np.ndarray, seed: int) -> np.ndarray:
    """The deals that a position (an array of length 1) may hide, itself among them."""
    hidden = list_hidden(position[0])
    states = np.repeat(position, len(hidden))
    possible = np.empty(len(hidden), bool)
    deal_hidden(states, hidden, seed, possible)
    return states[possible]


def list_hidden(s: State) -> np.ndarray:
    """The hidden cards of both hands and of the talon, in all ways. `[ways, HIDING] uint64`"""
    own = [members(cards & ~s.public) for cards in s.hands[:HIDING]]
    pool = set().union(*own)
    ways = [
        (first, second, pool - {*first} - {*second})
        for first in combinations(sorted(pool), len(own[0]))
        for second in combinations(sorted(pool - {*first}), len(own[1]))
    ]
    return np.array([[make_set(cards) for cards in way] for way in ways], np.uint64)


@Kernel
def deal_hidden(states: np.ndarray, hidden: np.ndarray, seed: int, possible: np.ndarray) -> None:
    """Deal the hidden cards anew in each copy of a position, if that is possible."""
    for i in prange(len(states)):
        row = states[i : i + 1]
        possible[i] = deal_anew(row, row.copy(), row.copy(), hidden[i], stream(seed, i))


@linked
def deal_anew(
    state: np.ndarray, true: np.ndarray, past: np.ndarray, hidden: np.ndarray, luck: Luck
) -> bool:
    """`true` and `past` are copies of the state; the latter is scratch."""
    for _ in range(TRIES):
        copy_past(past[0], true[0])
        luck = rename(past[0], true[0], hidden, luck)
        reset(state[0])
        if replay(state[0], past[0]) and looks_so(state[0], true[0], hidden):
            return True
    return False


@inlined
def rename(past: State, true: State, hidden: np.ndarray, luck: Luck) -> Luck:
    """Let the hidden cards have come in the places of the true ones, each place's in any order."""
    names = np.arange(64)
    for place in range(HIDING):
        cards, new = true.hands[place] & ~true.public, hidden[place]
        while cards != NONE:
            luck = forward(luck)
            names[lowest(cards)] = nth(new, below(luck, count(new)))
            new ^= bit(names[lowest(cards)])
            cards ^= bit(lowest(cards))
    for place in range(HIDING):
        past.dealt[place] = renamed(past.dealt[place], names)
    for t in range(past.length):
        event = past.events[t]
        if is_chance(event) and event_seat(event) != NOBODY:
            set_event_action(past, t, names[event_action(event)])
    return luck


@inlined
def renamed(cards: Cards, names: np.ndarray) -> Cards:
    out = NONE
    while cards != NONE:
        out |= bit(names[lowest(cards)])
        cards ^= bit(lowest(cards))
    return out


@inlined
def looks_so(s: State, true: State, hidden: np.ndarray) -> bool:
    """Whether a spectator sees the same, and the hidden cards are those wanted."""
    same = s.turn == true.turn and s.length == true.length and s.public == true.public
    for place in range(HIDING):
        same = same and s.hands[place] == (true.hands[place] & true.public) | hidden[place]
    for seat in range(PLAYERS):
        same = same and s.played[seat] == true.played[seat]
    return same
