"""Worlds played on by a network, at each seat's own information sets, thousands at a time.

A network plays whatever it has learnt; once nothing is hidden any more, the exact value ends a
game (`solvers.search.endings`). What chance does depends on the world and on how many cards are
left in its piles, and the seats' own luck on the world and on how many decisions have been taken:
all actions meet the same luck.
"""

from collections.abc import Callable
from typing import NamedTuple, Self

import numpy as np
from numba import prange

from solvers.search import double_dummy_search
from solvers.search.endings import exact_values, is_open
from solvers.search.worlds import Worlds
from spielgames.core.arrays import take
from spielgames.core.cards import NONE, ONE, Cards, bit, inlined, int64, lowest
from spielgames.core.game import Game
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel, expand, options
from spielgames.core.luck import PLAYERS_SEED, Luck, forward, fraction
from spielgames.core.record import TERMINAL, State, note_event
from spielgames.core.verbs import returns

AT_ONCE = 1 << 17  # games in memory
Ask = Callable[[np.ndarray, np.ndarray], np.ndarray]  # states, seats -> logits


class Horizon(NamedTuple):
    """Where playing on stops, and a judge takes over."""

    decisions: int
    judge: Ask  # states, seats to move -> what they expect to win


class Games(NamedTuple):
    """Games on their way, each at a decision with a choice, or at an end."""

    states: np.ndarray  # [n]
    luck: np.ndarray  # [n] of chance
    whims: np.ndarray  # [n] of the seats
    actors: np.ndarray  # [n] int64
    sets: np.ndarray  # [n] the legal actions
    opened: np.ndarray  # [n] bool: nothing is hidden any more

    def take(self, rows: np.ndarray) -> Self:
        return type(self)(take(self.states, rows), *(column[rows] for column in self[1:]))


@inlined
def play(s: State, a: int, luck: Luck) -> None:
    """Play an action, and what chance then does: the same as when the world is solved."""
    note_event(s, a)
    double_dummy_search.play(s, a, int64(luck >> ONE))


@inlined
def to_decision(s: State, luck: Luck) -> Cards:
    """Play what is forced; return the legal actions then."""
    actions = options(s)
    while s.turn != TERMINAL and actions & (actions - ONE) == NONE:
        play(s, lowest(actions), luck)
        actions = options(s)
    return actions


@Kernel
def follow(
    states: np.ndarray,
    parents: np.ndarray,
    streams: np.ndarray,
    streams_of_seats: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
    luck: np.ndarray,
    whims: np.ndarray,
    actors: np.ndarray,
    sets: np.ndarray,
    opened: np.ndarray,
) -> None:
    for j in prange(len(states)):
        states[j] = parents[rows[j]]
        s = states[j]
        luck[j] = streams[rows[j]]
        whims[j] = forward(streams_of_seats[rows[j]])
        play(s, actions[j], luck[j])
        sets[j] = to_decision(s, luck[j])
        actors[j] = s.turn
        opened[j] = is_open(s)


def after(
    states: np.ndarray, luck: np.ndarray, whims: np.ndarray, rows: np.ndarray, actions: np.ndarray
) -> Games:
    """The games that follow action j at state rows[j]."""
    n = len(rows)
    games = Games(
        states=np.empty(n, states.dtype),
        luck=np.empty(n, np.uint64),
        whims=np.empty(n, np.uint64),
        actors=np.empty(n, np.int64),
        sets=np.empty(n, np.uint64),
        opened=np.empty(n, bool),
    )
    follow(games.states, states, luck, whims, rows, actions, *games[1:])
    return games


@Kernel
def draw(logits: np.ndarray, sets: np.ndarray, whims: np.ndarray, out: np.ndarray) -> None:
    """Draw an action of each set by the softmax of its logits."""
    for i in prange(len(logits)):
        out[i] = draw_one(logits[i], sets[i], whims[i])


@linked
def draw_one(logits: np.ndarray, actions: Cards, whim: Luck) -> int:
    most, total, rest = -np.inf, 0.0, actions
    while rest != NONE:
        most = max(most, float(logits[lowest(rest)]))
        rest &= rest - ONE
    rest = actions
    while rest != NONE:
        total += np.exp(logits[lowest(rest)] - most)
        rest &= rest - ONE
    target = fraction(whim) * total
    while actions & (actions - ONE) != NONE:
        a = lowest(actions)
        target -= np.exp(logits[a] - most)
        if target < 0:
            return a
        actions ^= bit(a)
    return lowest(actions)


@Kernel
def fill_results(states: np.ndarray, seats: np.ndarray, players: int, out: np.ndarray) -> None:
    """The utility of a seat in each finished game."""
    for i in prange(len(states)):
        utilities = np.zeros(players)
        returns(states[i], utilities)
        out[i] = utilities[seats[i]]


def results(game: Game, games: Games, seats: np.ndarray) -> np.ndarray:
    """What finished and open games are worth to a seat. `[n]`"""
    out = np.empty(len(seats))
    over = np.flatnonzero(games.actors == TERMINAL)
    ends = np.empty(len(over))
    fill_results(take(games.states, over), seats[over], game.players, ends)
    out[over] = ends
    opened = np.flatnonzero(games.opened)
    values = exact_values(game, take(games.states, opened))
    out[opened] = on_side(game, values, games.actors[opened], seats[opened])
    return out


def finish(
    game: Game, ask: Ask, games: Games, seats: np.ndarray, horizon: Horizon | None = None
) -> np.ndarray:
    """Play games on; return what each is worth to a seat. `[n]`"""
    out, left, taken = np.empty(len(seats)), np.arange(len(seats)), 0
    while len(left):
        done = games.opened | (games.actors == TERMINAL)
        over = np.flatnonzero(done)
        out[left[over]] = results(game, games.take(over), seats[left[over]])
        rows = np.flatnonzero(~done)
        left = left[rows]
        if not len(left):
            break
        states, actors = take(games.states, rows), games.actors[rows]
        if horizon and taken == horizon.decisions:
            out[left] = on_side(game, horizon.judge(states, actors), actors, seats[left])
            break
        actions = np.empty(len(rows), np.int64)
        draw(ask(states, actors), games.sets[rows], games.whims[rows], actions)
        games, taken = after(games.states, games.luck, games.whims, rows, actions), taken + 1
    return out


def on_side(game: Game, values: np.ndarray, actors: np.ndarray, seats: np.ndarray) -> np.ndarray:
    """What is worth so much to one seat, to another: the same, or as much with the other sign."""
    sides = np.array(game.sides)
    return np.where(sides[actors] == sides[seats], values, -values)


def network_values(
    game: Game, ask: Ask, worlds: Worlds, tried: np.ndarray, horizon: Horizon | None = None
) -> np.ndarray:
    """The mover's utility after each of the actions `tried` (`[games, worlds]`, sets) in each
    world, NaN for the others; beyond a horizon, what its judge expects. `[games, worlds, actions]`
    """
    states, luck, sets = (part.reshape(-1) for part in (worlds.states, worlds.luck, tried))
    flags = np.empty((len(sets), game.actions), bool)
    expand(sets, flags)
    rows, actions = np.nonzero(flags)
    whims, seats = luck ^ np.uint64(PLAYERS_SEED), states["turn"].astype(np.int64)
    out = np.full(flags.shape, np.nan)
    for start in range(0, len(rows), AT_ONCE):
        some, chosen = rows[start : start + AT_ONCE], actions[start : start + AT_ONCE]
        games = after(states, luck, whims, some, chosen)
        out[some, chosen] = finish(game, ask, games, seats[some], horizon)
    return out.reshape(*tried.shape, game.actions)
