"""Reads games, runs and policies: benchmarks, figures, reports. Here: how its scripts start."""

import sys
from collections.abc import Callable
from typing import NoReturn

from absl import app, flags


def run(main: Callable[[], None]) -> None:
    """Runs a script. A bad flag ends it with one sentence and exit code 2, Ctrl-C with 130."""
    try:
        app.run(lambda _: main(), flags_parser=parse)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)


def parse(argv: list[str]) -> list[str]:
    """Reads the command line."""
    try:
        rest = flags.FLAGS(argv)
    except flags.Error as error:
        refuse(str(error))
    except SystemExit:
        sys.exit(0)  # after --help, which absl counts as a failure
    if rest[1:]:
        refuse(f"unknown argument {rest[1]!r}; every option is written --name=value")
    return rest


def refuse(reason: str) -> NoReturn:
    print(f"{reason} (--help lists the flags)", file=sys.stderr)
    sys.exit(2)
