"""Settings as frozen dataclasses, read from plain JSON and written as such.

A setting may be a record of settings itself, one of several kinds of records, or absent:

    @dataclass(frozen=True)
    class Outcome:
        kind = "outcome"  # in JSON: {"kind": "outcome", "exploration": 0.6}
        exploration: float = 0.5

    sampling: External | Outcome = External()
    baseline: BaselineSettings | None = None

So a setting can be given only where it means something. Whatever is wrong with a value is said in
one clear sentence.
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
    str: "a string",
    dict: "an object",
}


def from_plain(kind: type[T], given: Mapping[str, Any]) -> T:
    """Read a dataclass, and the dataclasses in it, from a mapping such as JSON or a ConfigDict.
    Unknown names are refused, and values of another type than the dataclass says.
    """
    known = {f.name: f for f in fields(cast(Any, kind))}
    of = f" of {name}" if (name := getattr(kind, "kind", "")) else ""
    if unknown := [name for name in given if name not in known]:
        old, there = old_names.hint(unknown[0], known), ", ".join(known) or "none"
        raise ValueError(f"there is no setting {unknown[0]!r}{of}{old}; there are {there}")
    if missing := [name for name, f in known.items() if is_needed(f) and name not in given]:
        raise ValueError(f"{missing[0]} is missing")
    return kind(**{name: value_of(known[name], value) for name, value in given.items()})


def is_needed(f: Field) -> bool:
    return f.default is MISSING and f.default_factory is MISSING


def value_of(f: Field, given: Any) -> Any:
    records = records_of(f.type)
    if records and isinstance(given, Mapping):
        return read_record(f.name, records, given, default_of(f))
    holds_tuple = any(get_origin(kind) is tuple for kind in (f.type, *get_args(f.type)))
    value = as_tuple(given) if holds_tuple else given
    check_kind(f.name, value, f.type)
    return value


def records_of(kind: Any) -> list[type]:
    """The dataclasses that a type allows."""
    return [one for one in get_args(kind) or (kind,) if isinstance(one, type) and is_dataclass(one)]


def default_of(f: Field) -> Any:
    """The default of a field; None if there is none."""
    if f.default_factory is not MISSING:
        return f.default_factory()
    return None if f.default is MISSING else f.default


def read_record(
    name: str, records: Sequence[type], given: Mapping[str, Any], default: Any = None
) -> Any:
    """Read one of several kinds of records. Settings that are not given are those of the default,
    if it is of that kind.
    """
    chosen, rest = records[0] if default is None else type(default), dict(given)
    if hasattr(chosen, "kind") and "kind" in rest:
        kinds = {one.kind: one for one in cast(Any, records)}
        kind = rest.pop("kind")
        check_choice(f"{name}.kind", kind, tuple(kinds))
        chosen = kinds[kind]
    known = vars(default) if type(default) is chosen else {}
    return from_plain(chosen, {**known, **rest})


def to_plain(record: Any) -> dict[str, Any]:
    """Write a dataclass as plain JSON, which `from_plain` reads."""
    kind = {"kind": record.kind} if is_one_of_several(record) else {}
    return kind | {
        f.name: to_plain(value) if is_dataclass(value := getattr(record, f.name)) else value
        for f in fields(record)
    }


def is_one_of_several(record: Any) -> bool:
    return hasattr(record, "kind") and "kind" not in {f.name for f in fields(record)}


def changes(record: Any, default: Any = None) -> dict[str, Any]:
    """The settings that differ from a default, in plain JSON. Those without a default, and the kind
    of a record that is of another kind than the default, are always among them.
    """
    alike = type(default) is type(record)
    found = {} if alike or not is_one_of_several(record) else {"kind": record.kind}
    for f in fields(record):
        value, usual = getattr(record, f.name), default_of(f)
        if alike:
            usual = getattr(default, f.name)
        if is_dataclass(value):
            nested = changes(value, usual)
            found |= {f.name: nested} if nested else {}
        elif value != usual or (is_needed(f) and not alike):
            found[f.name] = value
    return found


def check_kind(name: str, value: Any, kind: Any) -> None:
    if not is_of(kind, value):
        raise ValueError(f"{name}={short(value)} is not allowed; it is {name_of(kind)}")


def as_tuple(value: Any) -> Any:
    """Turn lists, which JSON has made of tuples, into tuples again."""
    return tuple(map(as_tuple, value)) if isinstance(value, list | tuple) else value


def is_of(kind: Any, value: Any) -> bool:
    """Whether a value is of a type. Whole numbers are numbers, but true and false are not."""
    if isinstance(kind, UnionType):
        return any(is_of(each, value) for each in get_args(kind))
    if get_origin(kind) is tuple:
        return isinstance(value, tuple) and all(is_of(get_args(kind)[0], x) for x in value)
    if isinstance(value, bool):
        return kind is bool
    return isinstance(value, int | float if kind is float else kind)


def name_of(kind: Any) -> str:
    if get_origin(kind) is tuple:
        return f"a list in which each item is {name_of(get_args(kind)[0])}"
    kinds = [one.kind for one in cast(Any, records_of(kind)) if hasattr(one, "kind")]
    which = f", whose kind is one of {', '.join(kinds)}" if len(kinds) > 1 else ""
    return NAMES.get(kind, f"an object with settings{which}")


def check_choice(name: str, value: str, allowed: Sequence[str]) -> None:
    if value not in allowed:
        raise ValueError(f"{name} is one of {', '.join(allowed)}, not '{value}'")


def at_least(least: float, name: str, value: float) -> None:
    if value < least:
        raise ValueError(f"{name}={value} is not allowed; it is at least {least}")


def between(least: float, most: float, name: str, value: float) -> None:
    if not least <= value <= most:
        raise ValueError(
            f"{name}={value} is not allowed; it is at least {least} and at most {most}"
        )
