"""The share of games of Hokm that can be won at all against the rule-based player.

    python -m analysis.hokm.ceiling --deals=500

A team that sees all hands, and knows every card that the rule-based opponents will play (the lowest
where they would pick evenly among several), wins a game if any line of play wins it. A search finds
out, or gives up when its budget of cards is spent: the share of games that can be won lies between
those found and those found or given up. No honest player can win more than the upper end, except
where the opponents happen to pick worse than the lowest card. Each deal is searched for both teams.
"""

from typing import NamedTuple

import numpy as np
from absl import flags
from numba import prange

from analysis.tournament.variance import intervals
from solvers.environments.card_game import Records
from spielgames.command import define_game, run, user_input
from spielgames.core.advance import advance
from spielgames.core.cache import compiled
from spielgames.core.cards import NONE, ONE, Cards, bit, inlined, lowest
from spielgames.core.loops import Kernel
from spielgames.core.luck import mix
from spielgames.core.players import choices
from spielgames.core.record import TERMINAL, State
from spielgames.core.verbs import legal
from spielgames.hokm.game import HOKM

LONGEST = 53  # cards and the naming of trumps
LOST, WON, UNKNOWN = 0, 1, 2
REMEMBERED = 1 << 20  # positions; a later one may take an earlier one's place


class Ceiling(NamedTuple):
    """Shares of games with their 95 % intervals: mean, low, high."""

    found: tuple[float, float, float]
    possible: tuple[float, float, float]


@inlined
def to_choice(s: State, side: int, level: int) -> None:
    """Play the opponents' answers and forced cards, up to the next choice."""
    while s.turn != TERMINAL:
        cards = legal(s)
        if s.turn & 1 != side:
            cards = choices(s, level)
        elif cards & (cards - ONE) != NONE:
            break
        advance(s, lowest(cards))


@inlined
def next_card(s: State, left: Cards, level: int) -> int:
    """The next card to try, beginning with the rule-based player's."""
    usual = choices(s, level) & left
    return lowest(usual if usual != NONE else left)


@inlined
def key_of(s: State) -> np.uint64:
    """A key of everything that the rest of the game depends on."""
    key = mix(np.uint64(s.turn) | np.uint64(s.tricks[0]) << 8 | np.uint64(s.tricks[1]) << 16)
    for seat in range(len(s.hands)):
        key = mix(key ^ s.hands[seat])
        key = mix(key ^ np.uint64(s.voids[seat]))
    for k in range(s.in_trick):
        key = mix(key ^ np.uint64(s.trick[k] + 1))
    return key


@compiled
def search(stack: np.ndarray, side: int, level: int, budget: int) -> int:
    """Whether the side can win the game of `stack[0]`; the rest of the stack is memory."""
    left, keys = np.zeros((2, len(stack)), np.uint64)
    lost = np.zeros(REMEMBERED, np.uint64)  # the keys of positions found to be lost
    depth, entered = 0, True
    while depth >= 0:
        if entered:
            to_choice(stack[depth], side, level)
            over = stack[depth].turn == TERMINAL
            if over and stack[depth].tricks[side] > stack[depth].tricks[1 - side]:
                return WON
            key = keys[depth] = key_of(stack[depth])
            known = over or lost[key % REMEMBERED] == key
            left[depth] = NONE if known else legal(stack[depth])
        if left[depth] == NONE:
            lost[keys[depth] % REMEMBERED] = keys[depth]
            depth, entered = depth - 1, False
            continue
        if budget == 0:
            return UNKNOWN
        budget -= 1
        card = next_card(stack[depth], left[depth], level)
        left[depth] ^= bit(card)
        stack[depth + 1] = stack[depth]
        advance(stack[depth + 1], card)
        depth, entered = depth + 1, True
    return LOST


@compiled
def search_game(states: np.ndarray, i: int, side: int, level: int, budget: int) -> int:
    """Search with a memory of its own (records need a caller that keeps them alive)."""
    stack = np.zeros(LONGEST + 1, states.dtype)
    stack[0] = states[i]
    return search(stack, side, level, budget)


@Kernel
def search_all(states: np.ndarray, level: int, budget: int, out: np.ndarray) -> None:
    for i in prange(len(states)):
        for side in range(2):
            out[i, side] = search_game(states, i, side, level, budget)


def outcomes(game: str, deals: int, seed: int, budget: int) -> np.ndarray:
    """Return LOST, WON or UNKNOWN for each deal and team. `[deals, 2]`"""
    env = Records(game)
    if env.game is not HOKM:
        raise ValueError(f"game={game} is not allowed; it is Hokm")
    out = np.empty((deals, 2), np.int64)
    search_all(env.deal(0, deals, seed).states, 0, budget, out)
    return out


def ceiling(found: np.ndarray) -> Ceiling:
    won, possible = (found == WON).mean(axis=1), (found != LOST).mean(axis=1)
    return Ceiling(*(tuple(one) for one in intervals(np.stack([won, possible], axis=1))))


def define_flags() -> None:
    define_game("python_hokm(trump=heuristic)", "Hokm, with its parameters")
    flags.DEFINE_integer("deals", 500, "the number of deals", 2)
    flags.DEFINE_integer("seed", 0, "seed of the deals", 0, 2**63 - 1)
    flags.DEFINE_integer("budget", 1_000_000, "cards tried in a game before it is given up", 1)


def main() -> None:
    chosen = flags.FLAGS
    with user_input():
        found = ceiling(outcomes(chosen.game, chosen.deals, chosen.seed, chosen.budget))
    for title, (mean, low, high) in zip(("can be won", "or given up"), found, strict=True):
        print(f"{title:<12} {100 * mean:.1f} % ({100 * low:.1f} … {100 * high:.1f})")


if __name__ == "__main__":
    define_flags()
    run(main)
