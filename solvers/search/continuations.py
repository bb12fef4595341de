"""Continuations: how a world is played on after an action, and what comes out.

pimc(continuation=rules(simple))         by the rule-based player of that level
pimc(continuation=lookahead(3))          so, but the mover's side may deviate, seeing all hands
pimc(continuation=policy(net(runs/x)))   by an agent, at each seat's own information sets
pimc(continuation=double_dummy)          perfectly, everybody seeing all hands
"""

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numba import prange

from solvers.runs.agent import NetworkAgent
from solvers.search.lookahead import look_ahead
from solvers.search.network_rollouts import network_values
from solvers.search.solved_worlds import solved_utilities
from solvers.search.worlds import Worlds
from spielgames.agents import Agent, level_of, random
from spielgames.contest import play_on
from spielgames.core import loops
from spielgames.core.advance import advance
from spielgames.core.arrays import take
from spielgames.core.cards import NONE, Cards, bit, has, int64, lowest
from spielgames.core.game import Game
from spielgames.core.inlining import linked
from spielgames.core.loops import Kernel
from spielgames.core.luck import PLAYERS_SEED, Luck
from spielgames.core.players import RANDOM
from spielgames.core.verbs import margin, returns
from spielgames.specs import Part

AT_ONCE = 1 << 15  # games in memory in which an agent plays on


class Continuation(Part):
    """A way of playing on."""

    @abstractmethod
    def ends(self, game: Game, worlds: Worlds, tried: np.ndarray, wins: bool) -> np.ndarray:
        """The mover's results when it goes on with each of the actions `tried` (`[games, worlds]`,
        sets): `[games, worlds, actions, ways, 2]`, NaN for other actions. There may be several ways
        of playing on. A result is the utility, and 0; or, if only `wins` count, 1 or −1, and the
        margin.
        """


@dataclass(frozen=True)
class ByRules(Continuation):
    """All play on by the rules of that level."""

    level: str = ""
    kind: ClassVar[str] = "rules"

    def ends(self, game: Game, worlds: Worlds, tried: np.ndarray, wins: bool) -> np.ndarray:
        return play_rules(game, worlds, tried, wins, self.level, 0)


@dataclass(frozen=True)
class LookAhead(Continuation):
    """All play on by the rules, but the mover's side may deviate in `depth` of its decisions where
    that pays with all hands open. The ways are: without deviations, and with them.
    """

    depth: int = 3
    level: str = ""
    kind: ClassVar[str] = "lookahead"

    def __post_init__(self) -> None:
        if self.depth < 1:
            raise ValueError(f"depth={self.depth} is not allowed; it must be at least 1")

    def ends(self, game: Game, worlds: Worlds, tried: np.ndarray, wins: bool) -> np.ndarray:
        return play_rules(game, worlds, tried, wins, self.level, self.depth)


def play_rules(
    game: Game, worlds: Worlds, tried: np.ndarray, wins: bool, level: str, depth: int
) -> np.ndarray:
    """Play on by the rules, with lookahead of that depth."""
    ways = 2 if depth else 1
    out = np.full((*worlds.states.shape, game.actions, ways, 2), np.nan)
    flat = (part.reshape(-1) for part in (worlds.states, tried, worlds.strange, worlds.luck))
    sides, number = np.array(game.sides), level_of(game.name, level)
    play_worlds(*flat, sides, number, depth, wins, out.reshape(-1, *out.shape[2:]))
    return out


@Kernel
def play_worlds(
    worlds: np.ndarray,
    tried: np.ndarray,
    strange: np.ndarray,
    luck: np.ndarray,
    sides: np.ndarray,
    level: int,
    depth: int,
    wins: bool,
    out: np.ndarray,
) -> None:
    for j in prange(len(worlds)):
        levels = np.full(len(sides), level)
        for q in range(len(sides)):
            levels[q] = RANDOM if has(strange[j], q) else level
        play_world(worlds[j : j + 1], tried[j], levels, luck[j], sides, depth, wins, out[j])


@linked
def play_world(
    world: np.ndarray,
    tried: Cards,
    levels: np.ndarray,
    luck: Luck,
    sides: np.ndarray,
    depth: int,
    wins: bool,
    out: np.ndarray,
) -> None:
    """The results of each action tried in one world."""
    seat, scratch, utilities = int64(world[0].turn), np.zeros(2, world.dtype), np.zeros(len(sides))
    while tried != NONE:
        a = lowest(tried)
        tried ^= bit(a)
        scratch[0] = world[0]
        advance(scratch[0], a)
        plain, best = look_ahead(scratch, seat, sides, levels, depth, wins, luck, utilities)
        out[a, 0, 0], out[a, 0, 1] = plain
        if depth > 0:
            out[a, 1, 0], out[a, 1, 1] = best


@dataclass(frozen=True)
class DoubleDummy(Continuation):
    """All play perfectly, seeing all cards, the mover's side against the rest. What is left of the
    bidding goes by the rules of that level.
    """

    level: str = ""
    kind: ClassVar[str] = "double_dummy"

    def ends(self, game: Game, worlds: Worlds, tried: np.ndarray, wins: bool) -> np.ndarray:
        if worlds.strange.any():
            raise ValueError(
                "continuation=double_dummy knows no strangers: all play perfectly in it"
            )
        flat = worlds.states.reshape(-1), tried.reshape(-1), worlds.luck.reshape(-1)
        found = solved_utilities(game, *flat, level_of(game.name, self.level))
        found = np.sign(found) if wins else found
        return with_margins(found).reshape(*tried.shape, game.actions, 1, 2)


def with_margins(values: np.ndarray) -> np.ndarray:
    """Values, each followed by a margin of 0."""
    return np.stack([values, np.where(np.isnan(values), np.nan, 0.0)], axis=-1)


@dataclass(frozen=True)
class ByPolicy(Continuation):
    """All play on as an agent would in their place, seeing only what they may. Unlike play with
    open hands, this cannot tell worlds apart later.
    """

    agent: Agent
    kind: ClassVar[str] = "policy"

    def ends(self, game: Game, worlds: Worlds, tried: np.ndarray, wins: bool) -> np.ndarray:
        if self._is_fast(worlds, wins):
            values = network_values(game, self.agent.logits, worlds, tried)  # type: ignore[attr-defined]
            return with_margins(values).reshape(*tried.shape, game.actions, 1, 2)
        flags = np.empty((tried.size, game.actions), bool)
        loops.expand(tried.reshape(-1), flags)
        rows, actions = np.nonzero(flags)
        out = np.full((*flags.shape, 1, 2), np.nan)
        for start in range(0, len(rows), AT_ONCE):
            part = slice(start, start + AT_ONCE)
            out[rows[part], actions[part], 0] = self._play(worlds, rows[part], actions[part], wins)
        return out.reshape(*tried.shape, game.actions, 1, 2)

    def _is_fast(self, worlds: Worlds, wins: bool) -> bool:
        """Whether the agent is a network that knows exact endings, in all seats."""
        known = isinstance(self.agent, NetworkAgent) and self.agent.exact_endings
        return known and not wins and not worlds.strange.any()

    def _play(
        self, worlds: Worlds, rows: np.ndarray, actions: np.ndarray, wins: bool
    ) -> np.ndarray:
        """The mover's result after one action in each of the worlds `rows`. `[rows, 2]`"""
        states, luck = take(worlds.states.reshape(-1), rows), worlds.luck.reshape(-1)[rows]
        movers, players = states["turn"].astype(np.int64), self.agent.game.players
        seats = np.arange(players, dtype=np.uint64)
        strange = worlds.strange.reshape(-1)[rows, None] >> seats & np.uint64(1)
        actors, sets = np.empty(len(states), np.int8), np.empty(len(states), np.uint64)
        whims = luck ^ np.uint64(PLAYERS_SEED)
        loops.step(states, actions, luck, actors, sets)
        agents = [self.agent, random(self.agent.name)]
        play_on(agents, states, strange.astype(np.int64), luck, whims)
        out = np.empty((len(states), 2))
        finals(states, movers, players, wins, out)
        return out


@Kernel
def finals(
    states: np.ndarray, movers: np.ndarray, players: int, wins: bool, out: np.ndarray
) -> None:
    """The result of a seat in each finished game."""
    for i in prange(len(states)):
        utilities = np.zeros(players)
        returns(states[i], utilities)
        seat = movers[i]
        out[i, 0] = np.sign(utilities[seat]) if wins else utilities[seat]
        out[i, 1] = margin(states[i], seat) if wins else 0.0
