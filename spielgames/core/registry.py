"""From a game string, `python_hearts(pass=left)`, to a game and its variant."""

import re

import pyspiel

from spielgames.core.game import GAMES, Game, Parameters, Variant, with_defaults


def name_of(game: str | pyspiel.Game) -> str:
    """The string of a game, which may already be loaded."""
    return game if isinstance(game, str) else str(game)


def full_name(text: str) -> str:
    """`python_hearts(pass=left)` for `hearts(pass=left)`; other names stay as they are."""
    name = f"python_{text.strip()}"
    return name if is_ours(name) else text


def is_ours(name: str) -> bool:
    return name.partition("(")[0] in GAMES


def find(game: str | pyspiel.Game) -> tuple[Game, Variant]:
    """The game and variant of a string as OpenSpiel writes it, or of a loaded game."""
    name = name_of(game)
    if not re.fullmatch(r"\w+(\([^()]*\))?", name):
        raise ValueError(f"{name!r} is not a game; write NAME or NAME(parameter=value,…)")
    check_numbers(name)
    params = pyspiel.game_parameters_from_string(name)
    short = params.pop("name", name)
    if short not in GAMES:
        raise ValueError(f"there is no game {short!r}; the games are {', '.join(sorted(GAMES))}")
    return GAMES[short], variant_of(GAMES[short], params)


def load_foreign(name: str) -> pyspiel.Game:
    """One of OpenSpiel's own games."""
    if name.partition("(")[0] not in pyspiel.registered_names():
        ours = ", ".join(sorted(GAMES))
        raise ValueError(f"there is no game {name!r}; the games are {ours}, and OpenSpiel's own")
    check_numbers(name)
    try:
        return pyspiel.load_game(name)
    except pyspiel.SpielError as error:
        raise ValueError(str(error).splitlines()[0]) from None


def check_numbers(name: str) -> None:
    """Check the numbers in a game string. OpenSpiel takes a value of digits, signs and dots for a
    number, and fails without naming it if it cannot read it.
    """
    for value in re.findall(r"=([-+.0-9]+)(?=[,)])", name):
        if not is_number(value):
            raise ValueError(
                f"{name}: {value} is not allowed;"
                f" whole numbers range from {-(2**31)} to {2**31 - 1}"
            )


def is_number(text: str) -> bool:
    """Whether OpenSpiel can read a number; whole ones have 32 bits."""
    try:
        float(text)
        return "." in text or -(2**31) <= int(text) < 2**31
    except ValueError:
        return False


def variant_of(game: Game, params: Parameters) -> Variant:
    """The variant of some parameters; an impossible one is a ValueError that says why."""
    try:
        return game.variant(with_defaults(game, params))
    except ValueError as error:
        raise ValueError(f"{game.name}: {error}") from None
