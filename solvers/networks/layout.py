"""What goes into a network and what comes out, and where to find things in an encoding."""

import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from spielgames.core.pieces import Pieces


class Events(NamedTuple):
    """Where an encoding tells what has happened: for each event, what was done and who did it."""

    start: int
    count: int
    deeds: int  # how many different numbers say what
    seats: int  # and who


@dataclass(frozen=True)
class Shape:
    """What goes in and what comes out."""

    width: int  # columns of an encoding
    actions: int  # outputs
    cards: int = 0  # cards of the deck, numbered ranks·suit + rank
    ranks: int = 1
    sets: tuple[int, ...] = ()  # where an encoding holds one flag for each card: the first column
    hands: tuple[int, ...] = ()  # those of them that are held: the own hand, or everybody's
    suited: tuple[int, ...] = ()  # where it holds one number for each suit: the first column
    trump: int = -1  # the first of a flag for each suit; -1: there are none
    events: Events | None = None


def shape_of(pieces: Pieces, actions: int, cards: int, ranks: int, players: int = 0) -> Shape:
    """Every row of a piece that is as long as the deck is a set of cards."""
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
        events=events,
    )


def shape_from(kept: Mapping[str, Any]) -> Shape:
    """From what JSON has made of one; older ones know less."""
    shape = {name: tuple(x) if isinstance(x, list) else x for name, x in kept.items()}
    events = shape.get("events")
    return Shape(**shape | {"events": events and Events(*events)})
