"""Every command of the package, by one name:

    spielgames COMMAND …        the same as python -m MODULE …
    spielgames COMMAND --help   tells more
    spielgames --version

The commands, each with its module:
"""

import ast
import re
import runpy
import sys
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

from spielgames import __version__
from spielgames.command import orderly_end, refuse

ENTRY_POINTS = "spielgames.commands"


def main() -> None:
    with orderly_end():
        answer()


def answer() -> None:
    commands = {entry.name: entry for entry in entry_points(group=ENTRY_POINTS)}
    name = sys.argv[1] if len(sys.argv) > 1 else "--help"
    if name in ("-h", "--help", "help"):
        print(describe(commands))
    elif name == "--version":
        print(__version__)
    elif name in commands:
        start(commands[name])
    else:
        refuse(f"there is no command {name!r}; there are {', '.join(sorted(commands))}")


def start(command: EntryPoint) -> None:
    """Become the command, as if by python -m."""
    del sys.argv[1]
    runpy.run_module(command.value, run_name="__main__", alter_sys=True)


def describe(commands: dict[str, EntryPoint]) -> str:
    """The commands, each with its module and what it is."""
    lines = [
        f"    {name:<16}{command.value:<26}{about(command.value)}"
        for name, command in sorted(commands.items())
    ]
    return "\n".join([__doc__ or "", *lines])


def about(module: str) -> str:
    """The first sentence of a module's docstring, read without importing it."""
    path = source_of(module)
    if path is None:
        return "(not installed)"
    docstring = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return re.split(r"[.:](?:\s|$)", " ".join(docstring.split("\n\n")[0].split()))[0]


def source_of(module: str) -> Path | None:
    """The file that python -m runs."""
    spec = find_spec(module)
    if spec is None:
        return None
    places = [Path(place) / "__main__.py" for place in spec.submodule_search_locations or ()]
    return next(filter(Path.is_file, places or [Path(spec.origin or "")]), None)


if __name__ == "__main__":
    main()
