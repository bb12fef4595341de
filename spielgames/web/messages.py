"""Messages from a browser: which there are, and what is wrong with one (web_protocol.md)."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, NamedTuple

from spielgames.play.comments import LONGEST_COMMENT

LONGEST = 1 << 16  # bytes of a message
LONGEST_NAME = 24
HINTS = ("none", "legal", "ranked", "values")


class Wrong(ValueError):
    """A message that cannot be obeyed; the text says why."""


@contextmanager
def explained() -> Iterator[None]:
    """A context in which a ValueError is about what a message gave."""
    try:
        yield
    except ValueError as error:
        raise Wrong(str(error)) from None


class Field(NamedTuple):
    kind: type | tuple[type, ...]
    default: Any = None
    low: float = 0
    high: float = 0  # of numbers, or of the length of texts
    required: bool = False


def text(longest: int, default: str | None = "", required: bool = False) -> Field:
    return Field(str, default, 0, longest, required)


def number(low: int, high: int, default: int | None = None, required: bool = False) -> Field:
    return Field(int, default, low, high, required)


LAST_DEAL = 2**62
DEAL, STEP, SEAT = number(0, 10_000), number(0, 1000), number(0, 7)
AT = text(40, required=True)
SETTINGS = {
    "forced": Field(bool),
    "hints": text(10, None),
    "pace": Field((int, float), None, 0, 10),
    "paused": Field(bool),
}
COMMANDS: dict[str, dict[str, Field]] = {
    "open": {
        "game": text(40, required=True),
        "parameters": Field(dict, {}),
        "seats": Field(list, None, required=True),
        "deal": number(0, LAST_DEAL),
        "match": Field(bool, False),
        "goal": number(1, 10_000),
        "name": text(LONGEST_NAME),
        "settings": Field(dict, {}),
    },
    "join": {
        "table": text(40, required=True),
        "token": text(40, required=True),
        "name": text(LONGEST_NAME),
    },
    "leave": {},
    "act": {"action": number(0, 63, required=True), "at": AT},
    "undo": {"at": AT},
    "claim": {"at": AT},
    "next": {"at": AT},
    "set": SETTINGS,
    "explain": {
        "question": text(10, "worlds"),
        "worlds": number(10, 10_000, 200),
        "agent": text(40),
        "deal": DEAL,
        "step": STEP,
        "seat": SEAT,
    },
    "belief": {"deal": DEAL, "step": STEP, "seat": SEAT, "assume": text(10, "nothing")},
    "stop": {},
    "review": {"deal": DEAL, "seat": SEAT, "worlds": number(10, 2000, 100)},
    "look": {
        "deal": DEAL,
        "step": number(0, 1000, required=True),
        "eyes": Field((str, int), "all"),
    },
    "comment": {
        "deal": DEAL,
        "step": number(0, 1000, required=True),
        "text": text(LONGEST_COMMENT),
    },
    "branch": {
        "deal": DEAL,
        "step": number(0, 1000, required=True),
        "seats": Field(list, None, required=True),
        "name": text(LONGEST_NAME),
    },
    "export": {"deal": DEAL},
    "import": {"text": text(LONGEST), "code": text(4096), "name": text(LONGEST_NAME)},
    "rules": {"game": text(40, required=True)},
    "lobby": {},
    "ping": {},
}
KINDS = {
    bool: "true or false",
    int: "a whole number",
    str: "a text",
    list: "a list",
    dict: "an object",
}


@dataclass(frozen=True)
class Message:
    """What a browser asks for."""

    do: str
    fields: dict[str, Any]
    re: Any = None  # the answers carry it back

    @property
    def back(self) -> dict[str, Any]:
        """What answers carry back."""
        return {} if self.re is None else {"re": self.re}

    def __getitem__(self, name: str) -> Any:
        return self.fields[name]


def read_message(said: str | bytes) -> Message:
    """Read a message; Wrong says what is wrong with it."""
    if len(said) > LONGEST:
        raise Wrong(f"a message has at most {LONGEST} characters")
    try:
        raw = json.loads(said)
        json.dumps(raw, ensure_ascii=False).encode()  # fails for halves of letters, such as \ud800
    except (ValueError, RecursionError):
        raise Wrong("a message is a JSON object") from None
    if not isinstance(raw, dict):
        raise Wrong('a message is a JSON object, such as {"do": "lobby"}')
    re, do = raw.pop("re", None), raw.pop("do", None)
    if not isinstance(do, str) or do not in COMMANDS:
        raise Wrong(f"`do` must be one of {', '.join(COMMANDS)}")
    return Message(do, read_fields(do, COMMANDS[do], raw), small(re))


def small(re: Any) -> Any:
    """What a client may have answers carry back: a number or a short text."""
    if re is None or (isinstance(re, int) and abs(re) < 2**53):
        return re
    if isinstance(re, str) and len(re) <= 40:
        return re
    raise Wrong("`re` must be a whole number or a text of at most 40 letters")


def read_fields(what: str, known: dict[str, Field], given: dict[str, Any]) -> dict[str, Any]:
    for name in given:
        if name not in known:
            allowed = ", ".join(known) or "none"
            raise Wrong(f"{what} has no field {name[:40]!r}; its fields are: {allowed}")
    return {name: read_field(f"{what}: {name}", f, given.get(name)) for name, f in known.items()}


def read_field(name: str, field: Field, value: Any) -> Any:
    if value is None:
        if field.required:
            raise Wrong(f"{name} is missing")
        return field.default
    kinds = field.kind if isinstance(field.kind, tuple) else (field.kind,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise Wrong(f"{name} must be {' or '.join(KINDS.get(k, 'a number') for k in kinds)}")
    if isinstance(value, str) and field.kind is str and len(value) > field.high:
        raise Wrong(f"{name} has at most {int(field.high)} letters")
    if isinstance(value, int | float) and field.high and not field.low <= value <= field.high:
        raise Wrong(f"{name} ranges from {field.low} to {field.high}")
    return value


def read_settings(given: dict[str, Any]) -> dict[str, Any]:
    """The settings that are given."""
    known = read_fields("settings", SETTINGS, given)
    if known["hints"] not in (None, *HINTS):
        raise Wrong(f"hints must be one of {', '.join(HINTS)}")
    return {name: value for name, value in known.items() if value is not None}
