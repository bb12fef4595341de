"""The inputs and outputs of a network, and where to find things in an encoding."""

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from reprlib import repr as short
from typing import Any, NamedTuple

import numpy as np

from solvers.runs.settings import check_kind, from_plain
from spielgames.core.pieces import Pieces


class Events(NamedTuple):
    """The part of an encoding that tells, for each event, what was done and who did it."""

    start: int
    length: int
    deeds: int  # how many different numbers say what
    seats: int  # and who


@dataclass(frozen=True)
class Shape:
    """The inputs and outputs of a network."""

    width: int  # columns of an encoding
    actions: int  # outputs
    cards: int = 0  # cards of the deck, numbered ranks·suit + rank
    ranks: int = 1
    sets: tuple[int, ...] = ()  # where an encoding holds one flag for each card: the first column
    hands: tuple[int, ...] = ()  # those of them that are held: the own hand, or everybody's
    suited: tuple[int, ...] = ()  # where it holds one number for each suit: the first column
    trump: int = -1  # the first of a flag for each suit; -1: there are none
    suited_actions: tuple[int, ...] | None = None  # see `solvers.networks.canonical`
    events: Events | None = None

    def __post_init__(self) -> None:
        if min(self.width, self.actions, self.ranks) < 1 or self.cards < 0:
            raise ValueError(f"there is no encoding of this shape: {short(self)}")
        suits = self.cards // self.ranks
        pieces = [(self.sets, self.cards), (self.hands, self.cards), (self.suited, suits)]
        if self.trump != -1:
            pieces.append(((self.trump,), suits))
        if self.events:
            pieces.append(((self.events.start,), 2 * self.events.length))
        for starts, length in pieces:
            check_columns(starts, length, self.width)

    @property
    def set_columns(self) -> np.ndarray:
        """The columns of all sets, one after the other."""
        return (np.array(self.sets)[:, None] + np.arange(self.cards)).ravel()

    def is_known_to(self, shape: "Shape") -> bool:
        """Whether this shape fits encodings of another one. Shapes of older files know less."""
        return all(
            getattr(self, f.name) in (f.default, getattr(shape, f.name)) for f in fields(self)
        )


def check_columns(starts: Sequence[int], length: int, width: int) -> None:
    """Check that pieces of a length have room in an encoding."""
    inside = not starts or 0 <= min(starts) <= max(starts) <= width - length
    if not inside or len(starts) * length > width:
        raise ValueError(f"{length} columns from each of {short(starts)} on are not in {width}")


def shape_of(
    pieces: Pieces,
    actions: int,
    cards: int,
    ranks: int,
    players: int = 0,
    suited_actions: tuple[int, ...] | None = None,
) -> Shape:
    """Return the shape of an encoding: rows of pieces as long as the deck are sets of cards."""
    rows = {
        name: tuple(range(pieces.start(name), pieces.start(name) + math.prod(shape), cards))
        for name, shape in pieces.shapes.items()
        if shape[-1] == cards
    }
    suits = cards // ranks if cards else 1
    suited = [
        tuple(range(pieces.start(name), pieces.start(name) + math.prod(shape), suits))
        for name, shape in pieces.shapes.items()
        if name in pieces.suited
    ]
    events = None
    if "told" in pieces.shapes:
        count = pieces.shapes["told"][0]
        events = Events(pieces.start("told"), count, 1 + cards + actions, 1 + players)
    return Shape(
        width=pieces.size,
        actions=actions,
        cards=cards,
        ranks=ranks,
        sets=tuple(itertools.chain(*rows.values())),
        hands=rows.get("hands", rows.get("hand", ())),
        suited=tuple(itertools.chain(*suited)),
        trump=pieces.start("trump") if "trump" in pieces.shapes else -1,
        suited_actions=suited_actions,
        events=events,
    )


def shape_from(kept: Mapping[str, Any]) -> Shape:
    """Read a shape from JSON. Shapes of older files know less."""
    events = kept.get("events")
    if events is not None:
        events = Events(*events)
        check_kind("events", tuple(events), tuple[int, ...])
    return from_plain(Shape, {**kept, "events": events})
