"""The part of a command's --help that lists the agents and their options."""

from collections.abc import Callable
from textwrap import fill

from spielgames.agents import Agent, kind_of, kinds, options_of
from spielgames.core.game import GAMES

INTRODUCTION = """
agents:
  An agent is KIND or KIND:OPTION=VALUE,OPTION=VALUE. Below are the options of each kind with their
  defaults; the name of the first one may be left out. docs/agents.md has more."""


def describe_agents() -> str:
    """All kinds of agents, including those of other packages."""
    return "\n\n".join(
        [INTRODUCTION, *(describe(name, kind_of(name)) for name in kinds()), levels()]
    )


def describe(name: str, make: Callable[..., Agent]) -> str:
    """A kind, its options, and the first paragraph of its docstring."""
    options = [f"{o.name}={'…' if o.default is o.empty else o.default}" for o in options_of(make)]
    told = (make.__doc__ or "").partition("\n\n")[0]
    return f"  {name}{':' if options else ''}{','.join(options)}\n{paragraph(told)}"


def levels() -> str:
    """The levels of the rule-based players that have several."""
    named = (f"{g.name} {', '.join(g.levels)}" for g in GAMES.values() if len(g.levels) > 1)
    return paragraph(f"Levels of the rules, the default first: {'; '.join(named)}.")


def paragraph(text: str) -> str:
    return fill(" ".join(text.split()), 96, initial_indent="    ", subsequent_indent="    ")
