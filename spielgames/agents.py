"""Agents: anything that plays, each with a short name.

agent = make_agent("pimc:worlds=40", "python_hearts")
chances = agent.probabilities(batch.states)  # [games, actions] float32

A name is a kind of agent and its options, `kind:first,key=value,…`: `random`, `rules`,
`rules:simple`, `pimc:worlds=40,seed=3`. Another package adds kinds through the entry-point group
`spielgames.agents`: an entry is called with the game's name and the options, and returns an
`Agent`.
"""

import inspect
import re
from abc import ABC, abstractmethod
from collections.abc import Callable
from importlib.metadata import entry_points
from typing import Any

import numpy as np
import pyspiel

from spielgames.core import loops
from spielgames.core.pimc import Search, action_values
from spielgames.core.players import RANDOM, choice_sets
from spielgames.core.registry import find, name_of

ENTRY_POINTS = "spielgames.agents"
HELP = " (python -m spielgames.play --help tells what each is)"
NEARLY = 1e-9  # values closer than this are equal
VALUE_WORLDS = 20


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
        over worlds in which this move is the agent's and the rest is played by the rules. `[games]`
        """
        chances, how = self.probabilities(states), Search(VALUE_WORLDS)
        usual = chances.argmax(axis=1)
        worth, _ = action_values(states, self.game.actions, self.game.sides, how, usual)
        return np.where(chances > 0, chances * np.where(chances > 0, worth, 0), 0).sum(axis=1)


class RuleAgent(Agent):
    """A compiled player: rule-based at some level, or random."""

    def __init__(self, game: str, level: int) -> None:
        super().__init__(game)
        self.level = level

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        sets = np.empty(len(states), np.uint64)
        choice_sets(states, self.level, sets)
        return evenly(sets, self.game.actions)


class PimcAgent(Agent):
    """Plays what is best on average over sampled worlds, and uniformly what is equally good. To
    avoid following noise, it deviates from the rules, or from the agent it is based on, only for an
    action that is better by `caution` standard errors; and from that agent only for a strictly
    better one.
    """

    def __init__(self, game: str, caution: float, how: Search, base: Agent | None = None) -> None:
        super().__init__(game)
        if how.worlds < 1:
            raise ValueError(f"worlds={how.worlds} is not allowed; it must be at least 1")
        for name in ("insight", "ahead"):
            if getattr(how, name) < 0:
                raise ValueError(
                    f"{name}={getattr(how, name)} is not allowed; it must be at least 0"
                )
        if not 0 <= how.strangers < 1:
            raise ValueError(
                f"strangers={how.strangers} is not allowed; it must be at least 0 and below 1"
            )
        if how.strangers and not how.insight:
            raise ValueError(f"strangers={how.strangers} needs insight above 0")
        self.caution, self.how, self.loyal = caution, how, base is not None
        self.base = base or RuleAgent(game, how.level)

    def weigh(self, states: np.ndarray, usual: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """The value of each action, and the standard error of its gain on the usual one."""
        return action_values(states, self.game.actions, self.game.sides, self.how, usual)

    def usual(self, states: np.ndarray) -> np.ndarray:
        """The action of the base; if there are several, the first."""
        return self.base.probabilities(states).argmax(axis=1)

    def probabilities(self, states: np.ndarray) -> np.ndarray:
        usual, rows = self.usual(states), np.arange(len(states))
        worth, doubt = self.weigh(states, usual)
        worth -= self.caution * doubt
        best = worth >= worth.max(axis=1, keepdims=True) - NEARLY
        stays = best[rows, usual] & self.loyal
        best[stays] = False
        best[rows[stays], usual[stays]] = True
        return (best / best.sum(axis=1, keepdims=True)).astype(np.float32)

    def values(self, states: np.ndarray) -> np.ndarray:
        return self.weigh(states, self.usual(states))[0].max(axis=1)


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


def pimc(
    game: str,
    worlds: int = 50,
    caution: float = 1.0,
    level: str = "",
    seed: int = 0,
    cheats: int = 0,
    insight: int = 0,
    strangers: float = 0.0,
    ahead: int = 0,
    odds: str = "",
    base: str = "",
) -> Agent:
    """Samples worlds that agree with what its seat has seen, plays each action on by the rules of
    `level` in all of them, and takes the best on average; it deviates from the rules, or from the
    agent `base`, only for an action that is better by `caution` standard errors. `insight` is the
    number of steps by which a world is moved towards explaining what the others did, `strangers`
    the prior probability that an opponent plays at random, `ahead` the number of later decisions in
    which its side may deviate from the rules; `odds` (such as 1.22/8.44/0.33) count deals won
    instead of points; with `cheats=1` it sees all hands.
    """
    how = Search(
        *(worlds, level_of(game, level), seed, bool(cheats), insight, strangers, ahead),
        *(read_odds(odds) if odds else ()),
    )
    return PimcAgent(game, caution, how, make_agent(base, game) if base else None)


def read_odds(text: str) -> tuple[float, float, float]:
    """Read `bias/won/margin`, as `Search` has them."""
    try:
        bias, won, margin = (float(number) for number in text.split("/"))
    except ValueError:
        bias, won, margin = 0.0, 0.0, 0.0
    if not (won > 0 and margin >= 0 and np.isfinite([bias, won, margin]).all()):
        raise ValueError(
            f"odds={text} is not allowed; write three numbers such as 0.9/1/0.3, the second"
            " positive and the third not negative"
        )
    return bias, won, margin


KINDS: dict[str, Callable[..., Agent]] = {"random": random, "rules": rules, "pimc": pimc}


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
    name, _, rest = spec.partition(":")
    make = kind_of(name)
    return make(name_of(game), **read_options(name, make, rest))


def options_of(make: Callable[..., Agent]) -> list[inspect.Parameter]:
    """The options of an agent: all arguments but the game."""
    return list(inspect.signature(make).parameters.values())[1:]


def read_options(name: str, make: Callable[..., Agent], text: str) -> dict[str, Any]:
    """Read `first,key=value,…` as arguments of the function that makes the agent."""
    known = options_of(make)
    options: dict[str, Any] = {}
    for i, part in enumerate(text.split(",") if text else []):
        key, equals, value = part.partition("=")
        if not equals and i == 0 and known:
            key, value = known[0].name, part
        found = next((p for p in known if p.name == key), None)
        if found is None or (not equals and i > 0):
            allowed = ", ".join(p.name for p in known) or "none"
            raise ValueError(f"{name} has no option {part!r}; its options are: {allowed}")
        options[key] = read_value(found, value)
    missing = [p.name for p in known if p.default is p.empty and p.name not in options]
    if missing:
        raise ValueError(f"{name} needs {missing[0]}: write {name}:{missing[0]}=…")
    return options


def read_value(option: inspect.Parameter, text: str) -> Any:
    """Read a value of the option's type."""
    kind = option.annotation if option.annotation in (int, float) else str
    try:
        return kind(text)
    except ValueError:
        wanted = {int: "a whole number", float: "a number"}[kind]
        raise ValueError(f"{option.name}={text} is not allowed; it must be {wanted}") from None


def split_specs(text: str) -> list[str]:
    """Split a list of names; a part that starts with `key=` belongs to the name before it."""
    specs: list[str] = []
    for part in text.split(","):
        if specs and re.match(r"\w+=", part):
            specs[-1] += "," + part
        else:
            specs.append(part)
    return specs
