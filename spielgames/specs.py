"""Specs: the short names of agents, and of the parts that some of them are made of.

    KIND                                 pimc
    KIND:FIRST,OPTION=VALUE,…            pimc:50,caution=2
    KIND(FIRST,OPTION=VALUE,…)           pimc(50,caution=2)

An option's value may be a spec itself: pimc:worlds=150,belief=reweighted(300),base=net(runs/x). The
type in the signature of the function that a kind stands for says how a value is read.
"""

import inspect
import re
from collections.abc import Callable, Iterator
from types import NoneType, UnionType
from typing import Any, ClassVar, get_args

OPENING, CLOSING = "(", ")"
NUMBERS = {int: "a whole number", float: "a number"}


class Part:
    """A part of an agent that specs can name. Its options are the fields of the class, which is a
    subclass of what it is a case of: `class Uniform(Belief)` for `belief=uniform`.
    """

    kind: ClassVar[str] = ""

    def __str__(self) -> str:
        given = (
            f"{option.name}={getattr(self, option.name)}"
            for option in inspect.signature(type(self)).parameters.values()
            if getattr(self, option.name) != option.default
        )
        inside = ",".join(given)
        return f"{self.kind}({inside})" if inside else self.kind


MakeAgent = Callable[[str], Any]  # from the spec of an agent that is part of another


def split(text: str) -> Iterator[str]:
    """Split a text at the commas that are not within parentheses."""
    depth, start = 0, 0
    for at, letter in enumerate(text):
        depth += (letter in OPENING) - (letter in CLOSING)
        if depth < 0:
            raise ValueError(f"{text!r} closes a parenthesis that it has not opened")
        if letter == "," and not depth:
            yield text[start:at]
            start = at + 1
    if depth:
        raise ValueError(f"{text!r} leaves a parenthesis open")
    yield text[start:]


def split_specs(text: str) -> list[str]:
    """Split a list of specs; a part that starts with `key=` belongs to the spec before it."""
    specs: list[str] = []
    for part in split(text):
        if specs and re.match(r"\w+=", part):
            specs[-1] += "," + part
        else:
            specs.append(part)
    return specs


def kind_and_options(spec: str) -> tuple[str, str]:
    """The kind that a spec names, and the text of its options."""
    kind = re.split("[:(]", spec.strip(), maxsplit=1)[0]
    rest = spec.strip()[len(kind) :]
    if not rest.startswith("("):
        return kind, rest[1:]
    list(split(spec))  # refuses what is not balanced
    if not rest.endswith(")"):
        raise ValueError(f"{spec!r} goes on after its parentheses")
    return kind, rest[1:-1]


def options_of(make: Callable) -> list[inspect.Parameter]:
    """The options of a part; or those of an agent, whose first argument is the game."""
    options = list(inspect.signature(make).parameters.values())
    return options if inspect.isclass(make) and issubclass(make, Part) else options[1:]


def no_agents(spec: str) -> Any:
    raise ValueError(f"{spec}: no agent can be named here")


def read_options(
    name: str, make: Callable, text: str, make_agent: MakeAgent = no_agents
) -> dict[str, Any]:
    """Read `first,key=value,…` as arguments of the function that makes the agent or part."""
    known = {option.name: option for option in options_of(make)}
    options: dict[str, Any] = {}
    for i, part in enumerate(split(text) if text else []):
        named = re.fullmatch(r"(\w+)=(.*)", part, re.DOTALL)
        if not named and i == 0 and known:
            key, value = next(iter(known)), part
        elif named and named[1] in known:
            key, value = named.groups()
        else:
            refuse(name, part, make, known)
        options[key] = read_value(known[key], value, make_agent)
    missing = [p.name for p in known.values() if p.default is p.empty and p.name not in options]
    if missing:
        raise ValueError(f"{name} needs {missing[0]}: write {name}:{missing[0]}=…")
    return options


def refuse(name: str, part: str, make: Callable, known: dict[str, inspect.Parameter]) -> None:
    """Refuse an unknown option; if it has a new spelling, say which."""
    key, _, value = part.partition("=")
    spelling = getattr(make, "respelled", {}).get(key)
    if spelling:
        raise ValueError(f"{name} has no option {part!r} any more; write {spelling.format(value)}")
    allowed = ", ".join(known) or "none"
    raise ValueError(f"{name} has no option {part!r}; its options are: {allowed}")


def read_value(option: inspect.Parameter, text: str, make_agent: MakeAgent) -> Any:
    """Read a value of the option's type."""
    wanted = option.annotation
    if isinstance(wanted, UnionType):  # X | None
        (wanted,) = (kind for kind in get_args(wanted) if kind is not NoneType)
    if wanted in (str, option.empty):
        return text
    if wanted in NUMBERS:
        try:
            return wanted(text)
        except ValueError:
            words = NUMBERS[wanted]
            raise ValueError(f"{option.name}={text} is not allowed; it must be {words}") from None
    if issubclass(wanted, Part):
        return make_part(option.name, wanted, text, make_agent)
    return make_agent(text)


def parts_of(wanted: type[Part]) -> dict[str, type[Part]]:
    """The parts that are a case of `wanted`, by their names in specs."""
    return {part.kind: part for part in wanted.__subclasses__()}


def make_part(option: str, wanted: type[Part], spec: str, make_agent: MakeAgent) -> Part:
    """The part of that spec."""
    name, rest = kind_and_options(spec)
    parts = parts_of(wanted)
    if name not in parts:
        raise ValueError(f"{option}={spec} is not allowed; it must be one of {', '.join(parts)}")
    return parts[name](**read_options(name, parts[name], rest, make_agent))
