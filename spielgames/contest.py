"""Contests: the same deals played by different line-ups of agents.

utilities = play_deals(agents, pair_lineups(game), deals=1000, seed=1)  # [deals, lineups, seats]

A line-up says which agent sits where. Compiled players play whole deals in compiled loops; others
decide in all games at once, and get the same cards and the same luck.
"""

from collections.abc import Iterator, Sequence
from itertools import combinations

import numpy as np

from spielgames.agents import Agent
from spielgames.core import loops
from spielgames.core.arrays import pick_action, take
from spielgames.core.cache import compiled
from spielgames.core.cards import has
from spielgames.core.game import Game, initial_state
from spielgames.core.luck import forward, fraction
from spielgames.core.players import play_seated, start_lineups

ROWS = 4096  # games in memory at once
MOST = 10  # players who take turns at a table
SURE = 1e-3  # how far a row of probabilities may be from summing to 1


def pair_lineups(game: Game) -> np.ndarray:
    """The line-ups in which two agents (0 and 1) meet on one deal, each with its complement, so
    that both have held all cards: the two teams; or all splits in halves; or, with an odd number of
    seats, one against the rest in each seat, and the other way round. `[lineups, seats]`
    """
    n = game.players
    first: Sequence[Sequence[int]]
    if game.teams:
        first = [[seat for seat in range(n) if game.teams[seat] == team] for team in (1, 0)]
    elif n % 2 == 0:
        first = list(combinations(range(n), n // 2))[::-1]
    else:
        alone = [[seat] for seat in range(n)]
        first = [[seat for seat in range(n) if seat != a[0]] for a in alone] + alone
    lineups = np.zeros((len(first), n), np.int64)
    for lineup, seats in zip(lineups, first, strict=True):
        lineup[list(seats)] = 1
    return lineups


def play_deals(
    agents: Sequence[Agent], lineups: np.ndarray, deals: int, seed: int, first: int = 0
) -> np.ndarray:
    """Play deals `first` … `first + deals − 1` of a seed, each with every line-up (indices of
    agents). Returns the utilities, `[deals, lineups, seats]`.
    """
    out = np.empty((deals * len(lineups), lineups.shape[1]))
    done = 0
    for states in final_states(agents, lineups, deals, seed, first):
        loops.final_returns(states, out[done : done + len(states)])
        done += len(states)
    return out.reshape(deals, *lineups.shape)


def final_states(
    agents: Sequence[Agent], lineups: np.ndarray, deals: int, seed: int, first: int = 0
) -> Iterator[np.ndarray]:
    """The final states of the same games, some deals at a time, each with all line-ups."""
    check_seats(agents, lineups)
    leader = agents[0]
    at_once = max(1, ROWS // len(lineups))
    for start in range(0, deals, at_once):
        count = min(at_once, deals - start)
        states = np.repeat(initial_state(leader.game, leader.variant), count * len(lineups))
        luck, whims = np.empty((2, len(states)), np.uint64)
        start_lineups(states, len(lineups), first + start, seed, luck, whims)
        play_states(agents, states, np.tile(lineups, (count, 1)), luck, whims)
        yield states


def check_seats(agents: Sequence[Agent], lineups: np.ndarray, takes_turns: bool = False) -> None:
    """Check that all agents play the same variant, and that every seat has one of them; more may
    take turns.
    """
    for agent in agents:
        if (agent.game, agent.variant) != (agents[0].game, agents[0].variant):
            raise ValueError(f"an agent of {agent.name} can't meet one of {agents[0].name}")
    seats = agents[0].game.players
    if lineups.ndim != 2 or not seats <= lineups.shape[1] <= (MOST if takes_turns else seats):
        raise ValueError(f"a line-up has {seats} seats; these have the shape {lineups.shape}")
    if lineups.min() < 0 or lineups.max() >= len(agents):
        raise ValueError(f"a line-up names agents from 0 to {len(agents) - 1}")


def play_states(
    agents: Sequence[Agent],
    states: np.ndarray,
    seatings: np.ndarray,
    luck: np.ndarray,
    whims: np.ndarray,
) -> None:
    """Deal and play a game in every row of `states`, in place. `seatings` `[rows, seats]` says
    which agent sits where; `luck` and `whims` are the streams of the cards and of the players.
    """
    levels = [agent.level for agent in agents]
    if None in levels:
        play_batched(agents, states, seatings, luck, whims)
    else:
        play_seated(states, np.array(levels)[seatings], luck, whims)


def play_batched(
    agents: Sequence[Agent],
    states: np.ndarray,
    seatings: np.ndarray,
    luck: np.ndarray,
    whims: np.ndarray,
) -> None:
    """The same with agents that decide in all their games at once."""
    n = len(states)
    loops.deal(states, np.ones(n, bool), luck, np.empty(n, np.int8), np.empty(n, np.uint64))
    play_on(agents, states, seatings, luck, whims)


def play_on(
    agents: Sequence[Agent],
    states: np.ndarray,
    seatings: np.ndarray,
    luck: np.ndarray,
    whims: np.ndarray,
) -> None:
    """Play games that have begun to their end, in place."""
    n = len(states)
    sets, actors, actions = np.empty(n, np.uint64), np.empty(n, np.int8), np.zeros(n, np.int64)
    # An agent that is there several times decides for all at once.
    first = [next(k for k, other in enumerate(agents) if other is agent) for agent in agents]
    deciders = np.array(first)[seatings]
    loops.look(states, actors, sets)
    while (actors >= 0).any():
        movers = deciders[np.arange(n), np.maximum(actors, 0)]
        for i, agent in enumerate(agents):
            rows = np.flatnonzero((actors >= 0) & (movers == i))
            if len(rows):
                decide(agent, states, actors, sets, whims, rows, actions)
        loops.step(states, actions, luck, actors, sets)


def decide(
    agent: Agent,
    states: np.ndarray,
    actors: np.ndarray,
    sets: np.ndarray,
    whims: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
) -> None:
    """Draw an agent's actions in the games where it is to move."""
    chances = np.asarray(agent.probabilities(take(states, rows)))
    if chances.shape != (len(rows), agent.game.actions):
        raise ValueError(
            f"{type(agent).__name__} gave probabilities of shape {chances.shape}"
            f" for {len(rows)} games with {agent.game.actions} actions"
        )
    wrong = draw_actions(chances, sets, whims, rows, actions)
    if wrong >= 0:
        raise ValueError(
            f"{type(agent).__name__} must give a distribution over the legal actions,"
            f" not {chances[wrong]}"
        )


@compiled
def draw_actions(
    chances: np.ndarray,
    sets: np.ndarray,
    whims: np.ndarray,
    rows: np.ndarray,
    actions: np.ndarray,
) -> int:
    """Draw an action for each of the games `rows`; return the first invalid row, or −1."""
    for k in range(len(rows)):
        i = rows[k]
        whims[i] = forward(whims[i])
        total = 0.0
        for a in range(chances.shape[1]):
            p = np.float64(chances[k, a])
            if p != 0.0 and (not p > 0.0 or not has(sets[i], a)):
                return k
            total += p
        if not abs(total - 1.0) < SURE:
            return k
        actions[i] = pick_action(chances[k], fraction(whims[i]) * total)
    return -1
