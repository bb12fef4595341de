"""Run an OpenSpiel script unchanged, with our games registered:

    python -m spielgames.run open_spiel.python.examples.example --game_string=python_hearts

OpenSpiel has no plug-ins: a script knows only the games that its own process has registered.
docs/openspiel.md tells which of OpenSpiel's examples work with which game.
"""

import importlib.util
import re
import runpy
import sys
from collections.abc import Callable
from typing import Any

import pyspiel

from spielgames.command import refuse
from spielgames.core.registry import GAMES, find


def main() -> int:
    arguments = sys.argv[1:]
    if not arguments or arguments[0] in ("-h", "--help"):
        print(__doc__)
        return 0 if arguments else 2
    try:
        found = importlib.util.find_spec(arguments[0])
    except ModuleNotFoundError:
        found = None
    if found is None:
        refuse(f"there is no module {arguments[0]!r}; scripts are open_spiel.python.examples.NAME")
    sys.argv = arguments
    pyspiel.load_game = with_players(pyspiel.load_game)
    try:
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    except IndexError:
        if not (named := game_of_more_than_two(arguments)):
            raise
        refuse(f"{arguments[0]} seats two players; {named}")
    return 0


def with_players(load: Callable[..., pyspiel.Game]) -> Callable[..., pyspiel.Game]:
    """Many scripts say how many players a game has, which ours do not ask, and then cannot name a
    variant: `load_game("python_snapszer(suits=2)", {"players": 2})`.
    """

    def load_game(name: str, parameters: dict[str, Any] | None = None) -> pyspiel.Game:
        given = dict(parameters or {})
        if name.split("(")[0] not in GAMES or given.keys() - {"players"}:
            return load(name, *([given] if given else []))
        game = load(name)
        if given.get("players", game.num_players()) != game.num_players():
            refuse(f"{name} has {game.num_players()} players: write --players={game.num_players()}")
        return game

    return load_game


def game_of_more_than_two(arguments: list[str]) -> str:
    """What is to be said of the first of our games with more than two seats that is named."""
    for name in re.findall(r"python_\w+", " ".join(arguments)):
        game = find(name)[0]
        if game.players > 2:
            return (
                f"{game.name} has {game.players} seats (python -m spielgames.play seats them all)"
            )
    return ""


if __name__ == "__main__":
    sys.exit(main())
