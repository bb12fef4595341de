"""The agents that people can choose at a table: each has a name, and a level in words."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from spielgames.agents import kinds
from spielgames.core.registry import find
from spielgames.specs import kind_and_options

FILE = Path(__file__).with_name("roster.json")


class Opponent(NamedTuple):
    """An agent with a name. `games` are those that it plays, all if none is named; with `variants`
    in any variant, otherwise as they are written.
    """

    id: str
    name: str
    level: str
    about: str
    spec: str
    games: tuple[str, ...] = ()
    variants: bool = False
    proposed: bool = False  # for a first game

    def plays(self, game: str) -> bool:
        definition, variant = find(game)
        known = [find(name) for name in self.games]
        if self.variants:
            return definition in [other for other, _ in known]
        return not known or (definition, variant) in known

    @property
    def installed(self) -> bool:
        return kind_and_options(self.spec)[0] in kinds()


@cache
def roster() -> dict[str, Any]:
    return json.loads(FILE.read_text(encoding="utf-8"))


def analyst(name: str, worlds: int) -> str:
    """The spec of the search that analyses a game, or does what the name says."""
    known = roster()["analysts"]
    return known.get(name, known["worlds"]).format(worlds=worlds)


@cache
def all_opponents() -> list[Opponent]:
    entries = roster()["opponents"]
    return [Opponent(**entry | {"games": tuple(entry.get("games", ()))}) for entry in entries]


@cache
def opponents(game: str) -> dict[str, Opponent]:
    """Those who play the variant, by their ids."""
    return {who.id: who for who in all_opponents() if who.installed and who.plays(game)}


def known_as(game: str, text: str) -> Opponent | None:
    """The opponent that a name, an id or the spec of an agent stands for."""
    wanted = text.strip().lower()
    names = ((who, (who.name.lower(), who.id, who.spec)) for who in opponents(game).values())
    return next((who for who, known in names if wanted in known), None)


def shown_name(game: str, text: str) -> str:
    """`Rosa, solid`; the spec of an agent that has no name."""
    who = known_as(game, text)
    return f"{who.name}, {who.level}" if who else text


def opponent(game: str, name: str) -> Opponent:
    known = opponents(game)
    if name not in known:
        raise ValueError(f"there is no agent {name!r}; there are {', '.join(known)}")
    return known[name]
