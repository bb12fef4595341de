"""Run an OpenSpiel script unchanged, with our games registered:

    python -m spielgames.run open_spiel.python.examples.example --game_string=python_hearts

OpenSpiel has no plug-ins: a script knows only the games that its own process has registered.
"""

import importlib.util
import runpy
import sys

import spielgames  # noqa: F401


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
    runpy.run_module(arguments[0], run_name="__main__", alter_sys=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
