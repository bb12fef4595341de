"""Settings, and whatever else is kept as plain JSON, as records; what is wrong with a value is said
in one clear sentence.
"""

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from reprlib import repr as short
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_origin

from solvers.runs import old_names

T = TypeVar("T")
NAMES = {
    bool: "true or false",
    int: "a whole number",
    float: "a number",
    str: "a text",
    dict: "an object",
}


def from_plain(kind: type[T], given: Mapping[str, Any]) -> T:
    """A dataclass from a mapping (plain JSON, a ConfigDict), with the dataclasses in it; unknown
    names are refused, and values of another kind than the dataclass says.
    """
    known = {f.name: f for f in fields(cast(Any, kind))}
    if unknown := [name for name in given if name not in known]:
        old = old_names.hint(unknown[0], known)
        raise ValueError(f"there is no setting {unknown[0]!r}{old}; there are {', '.join(known)}")
    if missing := [name for name, f in known.items() if is_needed(f) and name not in given]:
        raise ValueError(f"{missing[0]} is missing")
    return kind(**{name: value_of(known[name], value) for name, value in given.items()})


def is_needed(f: Field) -> bool:
    return f.default is MISSING and f.default_factory is MISSING


def value_of(f: Field, given: Any) -> Any:
    """What a mapping says changes a field's default, if that is a dataclass."""
    if is_dataclass(f.type) and isinstance(given, Mapping):
        default = vars(f.default_factory()) if callable(f.default_factory) else {}
        return from_plain(cast(type, f.type), default | dict(given))
    value = as_tuple(given) if get_origin(f.type) is tuple else given
    check_kind(f.name, value, f.type)
    return value


def check_kind(name: str, value: Any, kind: Any) -> None:
    if not is_of(kind, value):
        raise ValueError(f"{name}={short(value)} is not allowed; it is {name_of(kind)}")


def as_tuple(value: Any) -> Any:
    """JSON has made them lists."""
    return tuple(map(as_tuple, value)) if isinstance(value, list | tuple) else value


def is_of(kind: Any, value: Any) -> bool:
    """Whole numbers are numbers, but true and false are none."""
    if isinstance(kind, UnionType):
        return any(is_of(each, value) for each in get_args(kind))
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(is_of(get_args(kind)[0], x) for x in value)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float if kind is float else kind)


def name_of(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return f"a list, and each of it is {name_of(get_args(kind)[0])}"
    return NAMES.get(kind, "an object with settings")


def check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is one of {', '.join(allowed)}, not '{value}'")


def at_least(least: float, name: str, value: float) -> None:
    if value < least:
        raise ValueError(f"{name}={value} is not allowed; it is at least {least}")
