"""Run an OpenSpiel script unchanged, with our games registered:

    python -m spielgames.run open_spiel.python.examples.example --game_string=python_hearts

OpenSpiel has no plug-ins: a script knows only the games that its own process has registered.
"""

import importlib.util
import re
import runpy
import sys

from spielgames.core.registry import find


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
        message = (
            f"there is no module {arguments[0]!r}; scripts are open_spiel.python.examples.NAME"
        )
        print(message, file=sys.stderr)
        return 2
    sys.argv = arguments
    try:
        runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    except IndexError:
        if not (named := game_of_more_than_two(arguments)):
            raise
        print(f"{arguments[0]} seats two players; {named}", file=sys.stderr)
        return 2
    return 0


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
