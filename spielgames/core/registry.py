"""From a game string, `python_hearts(pass=left)`, to a game and its variant."""

import re

import pyspiel

from spielgames.core.game import GAMES, Game, Parameters, Variant, with_defaults


def find(name: str) -> tuple[Game, Variant]:
    """The game and variant of a string as OpenSpiel writes it."""
    if not re.fullmatch(r"\w+(\([^()]*\))?", name):
        raise ValueError(f"{name!r} is no game; write NAME or NAME(parameter=value,…)")
    params = pyspiel.game_parameters_from_string(name)
    short = params.pop("name", name)
    if short not in GAMES:
        raise ValueError(f"there is no game {short!r}; there are {', '.join(sorted(GAMES))}")
    return GAMES[short], variant_of(GAMES[short], params)


def variant_of(game: Game, params: Parameters) -> Variant:
    """The variant of some parameters; an impossible one is a ValueError that says why."""
    try:
        return game.variant(with_defaults(game, params))
    except ValueError as error:
        raise ValueError(f"{game.name}: {error}") from None
