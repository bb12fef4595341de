"""Dataclasses of settings, from plain JSON or a ConfigDict; wrong values in one clear sentence."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any


def from_plain(kind: type, given: Mapping[str, Any]) -> Any:
    """A dataclass from a mapping, with the dataclasses in it; unknown names are refused."""
    known = {f.name: f for f in fields(kind)}
    if unknown := [name for name in given if name not in known]:
        raise ValueError(f"there is no setting {unknown[0]!r}; there are {', '.join(known)}")
    values: dict[str, Any] = {}
    for name, value in given.items():
        if isinstance(value, Mapping):
            default = known[name].default_factory()
            value = from_plain(type(default), asdict(default) | dict(value))
        values[name] = tuple(value) if isinstance(value, list) else value
    return kind(**values)


def check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is one of {', '.join(allowed)}, not '{value}'")


def at_least(least: float, name: str, value: float) -> None:
    if value < least:
        raise ValueError(f"{name}={value} is not allowed; it is at least {least}")
