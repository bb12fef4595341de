"""Deals as JSON lines: one object a line, with the history that the deal is played again from, and
OpenSpiel's struct of its end.
"""

import json
import math
from collections.abc import Iterator
from typing import Any

from spielgames.core.state import CardState
from spielgames.deal_files.history import FinishedDeal, follow

SCHEMA = 1
HEADER = "schema"  # a line with this field is about the file
CLOSE = 1e-6
Fields = dict[str, Any]


def to_line(finished: FinishedDeal, struct: bool = True) -> str:
    """The line of a deal; without its struct it is a quarter as long."""
    fields = {
        "game": finished.game,
        "version": finished.end.definition.version,
        "seats": list(finished.seats),
        "seed": finished.seed,
        "deal": finished.deal,
        "history": finished.end.history(),
        "returns": finished.end.returns(),
    }
    if struct:
        fields["state"] = finished.end.to_dict()
    return json.dumps(fields, ensure_ascii=False)


def to_text(deals: list[FinishedDeal]) -> str:
    return "".join(to_line(finished) + "\n" for finished in deals)


def read_lines(text: str, source: str) -> list[FinishedDeal]:
    """All deals of a text that comes from some source."""
    return [deal_of(fields, where) for where, fields in objects(text.splitlines(), source)]


def objects(lines: list[str], source: str) -> Iterator[tuple[str, Fields]]:
    """The objects of all lines that are deals, and where they are."""
    for number, line in enumerate(lines, 1):
        where = f"{source}, line {number}"
        if not line.strip():
            continue
        try:
            fields = json.loads(line)
        except ValueError:
            raise ValueError(f"{where}: this is not a whole JSON object") from None
        if not isinstance(fields, dict):
            raise ValueError(f"{where}: this is not a JSON object")
        if HEADER not in fields:
            yield where, fields
        elif fields[HEADER] != SCHEMA:
            raise ValueError(f"{where}: schema {fields[HEADER]} is unknown; this reads {SCHEMA}")


def deal_of(fields: Fields, where: str) -> FinishedDeal:
    """The deal of a line. What the line says about its end must be true."""
    try:
        game, history = fields.get("game"), fields.get("history")
        if not isinstance(game, str) or not isinstance(history, list):
            raise ValueError('a deal has a "game" and a "history", the list of all actions')
        end = follow(game, history)
        check_end(end, fields)
        return FinishedDeal(end, seats_of(fields), whole(fields, "seed"), whole(fields, "deal"))
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None


def check_end(end: CardState, fields: Fields) -> None:
    """Compare the end that the history leads to with the one that the line has."""
    told, true = fields.get("returns"), end.returns()
    if told is not None and not agree(told, true):
        raise ValueError(
            f"the returns are {told}, but the history leads to {true}{aged(end, fields)}"
        )
    if "state" in fields and fields["state"] != end.to_dict():
        raise ValueError(f"the state is not the one that the history leads to{aged(end, fields)}")


def agree(told: Any, true: list[float]) -> bool:
    numbers = isinstance(told, list) and all(isinstance(x, int | float) for x in told)
    return numbers and len(told) == len(true) and all(map(close, told, true))


def close(a: float, b: float) -> bool:
    return math.isclose(a, b, abs_tol=CLOSE)


def aged(end: CardState, fields: Fields) -> str:
    """What may explain it, if the deal is of another version of the game."""
    now, then = end.definition.version, fields.get("version", end.definition.version)
    return "" if then == now else f" (it was written by version {then} of the game; this is {now})"


def seats_of(fields: Fields) -> tuple[str, ...]:
    seats = fields.get("seats") or []
    if not isinstance(seats, list) or not all(isinstance(seat, str) for seat in seats):
        raise ValueError('"seats" is a list of names')
    return tuple(seats)


def whole(fields: Fields, name: str) -> int | None:
    number = fields.get(name)
    if number is not None and type(number) is not int:
        raise ValueError(f"{name}={number!r} is not a whole number")
    return number
