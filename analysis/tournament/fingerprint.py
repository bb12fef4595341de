"""A checksum of what an agent is: its settings and the weights of its networks.

Two agents of the same spec have the same checksum, unless the network in a folder or the preset
that the spec names has changed in the meantime.
"""

import hashlib
from collections.abc import Iterator
from types import FunctionType, ModuleType
from typing import Any

import numpy as np

from spielgames.agents import Agent
from spielgames.core.game import Game, Variant

DIGITS = 16
OPAQUE = (type, ModuleType, Game, Variant)  # the game's own version stands for it


def fingerprint(agent: Agent) -> str:
    """The checksum of an agent that has not played yet: games may leave traces in it."""
    digest = hashlib.sha256()
    for part in contents(agent, set()):
        digest.update(part + b"\0")
    return digest.hexdigest()[:DIGITS]


def contents(thing: Any, seen: set[int]) -> Iterator[bytes]:
    """All numbers and texts that a thing holds, in a fixed order."""
    if isinstance(thing, str | int | float | None):
        yield repr(thing).encode()
    elif isinstance(thing, np.ndarray):
        yield f"{thing.dtype} {thing.shape}".encode() + np.ascontiguousarray(thing).tobytes()
    elif isinstance(thing, FunctionType):
        yield thing.__qualname__.encode()
    elif isinstance(thing, OPAQUE) or id(thing) in seen:
        return
    else:
        seen.add(id(thing))
        for part in parts_of(thing):
            yield from contents(part, seen)


def parts_of(thing: Any) -> Iterator[Any]:
    """What a thing consists of, one level down."""
    if hasattr(thing, "state_dict"):  # a network
        for name, weights in thing.state_dict().items():
            yield from (name, weights.numpy())
    elif isinstance(thing, dict):
        yield from (part for pair in thing.items() for part in pair)
    elif isinstance(thing, list | tuple):
        yield from thing
    else:
        yield from getattr(thing, "__dict__", {}).values()
