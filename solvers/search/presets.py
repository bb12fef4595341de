"""Named searches, `search` and `search:NAME`, one set for each game (presets.json).

A set for one variant, as `python_hokm(trump=heuristic)`, comes before that for the whole game; a
game without a set, perhaps of another package, has that for `any`.
"""

import json
from functools import cache
from pathlib import Path

from spielgames.agents import Agent, make_agent
from spielgames.core.registry import find

FILE = Path(__file__).with_name("presets.json")
ANY = "any"


@cache
def all_presets() -> dict[str, dict[str, str]]:
    """The specs of each game or variant, by name."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def presets(game: str) -> dict[str, str]:
    """The presets of a variant: those of its game, some perhaps replaced by its own."""
    definition, variant = find(game)
    sets = all_presets()
    own = [sets[name] for name in sets if name != ANY and find(name) == (definition, variant)]
    found = dict(sets.get(definition.name, sets[ANY]))
    for specs in own:
        found |= specs
    return found


def search(game: str, preset: str = "") -> Agent:
    """The search that was found best for the game; `fast` and `clairvoyant` are other presets, the
    last of which cheats: it sees all hands.
    """
    known = presets(game)
    if preset not in known:
        names = ", ".join(filter(None, known)) or "none"
        raise ValueError(f"{game} has no search {preset!r}; it has {names}")
    return make_agent(known[preset], game)
