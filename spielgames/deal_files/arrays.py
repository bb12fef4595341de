"""The deals of a file as arrays, without playing them again.

deals = read_arrays(Path("deals.jsonl.gz"))
deals.history[0]  # the actions of the first deal, dealing included; −1 after its end
deals.returns.mean(axis=0)
"""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from spielgames.deal_files.files import read_text
from spielgames.deal_files.lines import Fields, objects

PAST = -1  # after the end of a deal


class Arrays(NamedTuple):
    """n deals."""

    names: list[str]  # the agents
    seats: np.ndarray  # [n, players] int: who sat there, as an index of `names`
    deal: np.ndarray  # [n] int: its number among those of the seed; −1 if it is not known
    history: np.ndarray  # [n, longest] int8
    returns: np.ndarray  # [n, players] float


def read_arrays(path: Path) -> Arrays:
    """All deals of a file of JSON lines, which are of one game."""
    found = list(objects(read_text(path).splitlines(), str(path)))
    if not found:
        raise ValueError(f"{path} holds no deals")
    lines = [fields for _, fields in found]
    try:
        return arrays_of(lines)
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        first = str(error).splitlines()[0]
        raise ValueError(f"{path} does not hold deals of one game: {first}") from None


def arrays_of(lines: list[Fields]) -> Arrays:
    names = list(dict.fromkeys(name for fields in lines for name in fields["seats"]))
    place = {name: k for k, name in enumerate(names)}
    longest = max(len(fields["history"]) for fields in lines)
    history = np.full((len(lines), longest), PAST, np.int8)
    for row, fields in zip(history, lines, strict=True):
        row[: len(fields["history"])] = fields["history"]
    numbers = (fields["deal"] for fields in lines)
    return Arrays(
        names,
        np.array([[place[name] for name in fields["seats"]] for fields in lines]),
        np.array([PAST if number is None else number for number in numbers]),
        history,
        np.array([fields["returns"] for fields in lines], float),
    )
