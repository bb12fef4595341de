"""Agents: anything that plays, each with a short name.

agent = make_agent("pimc:worlds=40", "python_hearts")
chances = agent.probabilities(batch.states)  # [games, actions] float32

A name is a kind of agent and its options, `kind:first,key=value,…`: `random`, `rules`,
`rules:simple`, `pimc:worlds=40,seed=3` (`spielgames.specs`). Other packages, `solvers` among them,
add kinds through the entry-point group `spielgames.agents`: an entry is called with the game's name
and the options, and returns an `Agent`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from importlib.metadata import entry_points

import numpy as np
import pyspiel

from spielgames.core import loops
from spielgames.core.players import RANDOM, choice_sets
from spielgames.core.registry import find, name_of
from spielgames.core.rollouts import roll_out
from spielgames.core.worlds import sample_worlds
from spielgames.explanation import Explanation, Verdict
from spielgames.specs import kind_and_options, read_options

ENTRY_POINTS = "spielgames.agents"
HELP = " (python -m spielgames.play --help tells what each is)"
VALUE_WORLDS, VALUE_SEED = 20, 0
DEFAULT = 0  # the level of the rules


class Agent(ABC):
    """An agent for one variant, deciding in any number of games at once."""

    level: int | None = None  # the level, if it is a compiled player

    def __init__(self, game: str) -> None:
        self.name = game
        self.game, self.variant = find(game)

    @abstractmethod
    def probabilities(self, states: np.ndarray) -> np.ndarray:
        """The probability of each action in each game, from what the seat to move may see.
        `[games, actions] float32`
        """

    def values(self, states: np.ndarray) -> np.ndarray:
        """The expected utility of the seats to move: unless an agent has its own estimate, the mean
        over sampled worlds in which this move is the agent's and the rest is played by the rules.
        `[games]`
        """
        seats = states["turn"].astype(np.int64)
        worlds = sample_worlds(states, seats, VALUE_WORLDS, VALUE_SEED)
        actions = spread(self.probabilities(states), VALUE_WORLDS)
        utilities = np.empty((len(worlds), self.game.players))
        roll_out(worlds, actions, DEFAULT, VALUE_SEED, utilities)
        own = utilities[np.arange(len(worlds)), seats.repeat(VALUE_WORLDS)]
        return own.reshape(len(states), VALUE_WORLDS).mean(axis=1)

    def explain(self, states: np.ndarray) -> list[Explanation]:
        """For each game, what the agent thinks of every legal action; unless an agent knows more,
        the probability with which it chooses it.
        """
        policy, legal = self.probabilities(states), legal_flags(states, self.game.actions)
        return [
            Explanation([Verdict(int(a), float(row[a])) for a in np.flatnonzero(allowed)])
            for row, allowed in zip(policy, legal, strict=True)
        ]

    def deepen(self, states: np.ndarray, rounds: int) -> Iterator[list[Explanation]]:
        """Explanations that get better and better, for up to so many rounds; a search draws more
        worlds.
        """
        yield self.explain(states)


class RuleAgent(Agent):
    """A compiled player: rule-based at some level, or random."""

    def __init__(self, game: str, level: int) -> None:
        super().__init__(game)
        self.level = level

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        sets = np.empty(len(states), np.uint64)
        choice_sets(states, self.level, sets)
        return evenly(sets, self.game.actions)


def spread(chances: np.ndarray, n: int) -> np.ndarray:
    """n actions for each row of probabilities, each as often as it is likely. `[rows · n]`"""
    sums = chances.cumsum(axis=1, dtype=float)
    targets = sums[:, -1:] * (np.arange(n) + 0.5) / n
    return (sums[:, None, :] <= targets[:, :, None]).sum(axis=2).reshape(-1)


def legal_flags(states: np.ndarray, actions: int) -> np.ndarray:
    """The legal actions of the seats to move. `[games, actions] bool`"""
    actors, sets = np.empty(len(states), np.int8), np.empty(len(states), np.uint64)
    flags = np.empty((len(states), actions), bool)
    loops.look(states, actors, sets)
    loops.expand(sets, flags)
    return flags


def evenly(sets: np.ndarray, actions: int) -> np.ndarray:
    """Every action of a set with the same probability. `[games, actions] float32`"""
    flags = np.empty((len(sets), actions), bool)
    loops.expand(sets, flags)
    return (flags / flags.sum(axis=1, keepdims=True)).astype(np.float32)


def level_of(game: str, name: str) -> int:
    """The rule-based player's level of that name; the default one if the name is empty."""
    levels = find(game)[0].levels
    if name and name not in levels:
        raise ValueError(
            f"the rules of {game} have no level {name!r}; they have {', '.join(levels)}"
        )
    return levels.index(name) if name else 0


def random(game: str) -> Agent:
    """Plays any legal action, uniformly at random."""
    return RuleAgent(game, RANDOM)


def rules(game: str, level: str = "") -> Agent:
    """Plays like the game's rule-based player."""
    return RuleAgent(game, level_of(game, level))


KINDS: dict[str, Callable[..., Agent]] = {"random": random, "rules": rules}


def kinds() -> list[str]:
    """All kinds of agents: ours, and those of other packages."""
    return [*KINDS, *sorted(entry_points(group=ENTRY_POINTS).names)]


def kind_of(name: str) -> Callable[..., Agent]:
    """The function that makes agents of a kind."""
    if name in KINDS:
        return KINDS[name]
    if name not in kinds():
        raise ValueError(f"there is no agent {name!r}; there are {', '.join(kinds())}{HELP}")
    return entry_points(group=ENTRY_POINTS)[name].load()


def make_agent(spec: str, game: str | pyspiel.Game) -> Agent:
    """The agent of that name, for one game."""
    name, rest = kind_and_options(spec)
    make, title = kind_of(name), name_of(game)
    options = read_options(name, make, rest, lambda nested: make_agent(nested, title))
    return make(title, **options)
