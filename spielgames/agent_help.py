"""The part of a command's --help that lists the agents and their options."""

from collections.abc import Callable
from inspect import Parameter, isclass
from textwrap import fill

from spielgames.agents import Agent, kind_of, kinds
from spielgames.core.game import GAMES
from spielgames.specs import Part, options_of, parts_of

INTRODUCTION = """
agents:
  An agent is KIND or KIND:OPTION=VALUE,OPTION=VALUE. Below are the options of each kind with their
  defaults; the name of the first one may be left out. A value that has options itself, or an agent,
  is written NAME(OPTION=VALUE,…). docs/agents.md has more."""


def describe_agents() -> str:
    """All kinds of agents, including those of other packages."""
    return "\n\n".join(
        [INTRODUCTION, *(describe(name, kind_of(name)) for name in kinds()), levels()]
    )


def describe(name: str, make: Callable[..., Agent]) -> str:
    """A kind, its options, and the first paragraph of its docstring."""
    options = [f"{o.name}={default(o)}" for o in options_of(make)]
    told = (make.__doc__ or "").partition("\n\n")[0]
    parts = [paragraph(f"{o.name}: {cases(o)}") for o in options_of(make) if is_part(o)]
    heading = f"  {name}{':' if options else ''}{','.join(options)}"
    return "\n".join([heading, paragraph(told), *parts])


def default(option: Parameter) -> str:
    """The default value of an option, or … if it has none."""
    return "…" if option.default in (Parameter.empty, None) else str(option.default)


def is_part(option: Parameter) -> bool:
    return isclass(option.annotation) and issubclass(option.annotation, Part)


def cases(option: Parameter) -> str:
    """The parts that an option may be, with their own options."""
    return "; ".join(
        f"{name}({','.join(f'{o.name}={default(o)}' for o in options_of(part))})".replace("()", "")
        for name, part in parts_of(option.annotation).items()
    )


def levels() -> str:
    """The levels of the rule-based players that have several."""
    named = (f"{g.name} {', '.join(g.levels)}" for g in GAMES.values() if len(g.levels) > 1)
    return paragraph(f"Levels of the rules, the default first: {'; '.join(named)}.")


def paragraph(text: str) -> str:
    return fill(" ".join(text.split()), 96, initial_indent="    ", subsequent_indent="    ")
