"""The start of every script, and its errors: one sentence on what was wrong, and exit code 2."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryFile
from typing import NoReturn

from absl import app, flags

from spielgames.core.registry import full_name


def run(
    main: Callable[..., None], more_help: Callable[[], str] | None = None, names: int = 0
) -> None:
    """Start a script. Bad input ends it with a sentence, Ctrl-C with exit code 130; `more_help` is
    appended to --help. `main` is given up to so many `names`, arguments that are no flags.
    """
    with orderly_end():
        app.run(
            lambda argv: main(*argv[1:]),
            flags_parser=lambda argv: parse(argv, more_help, names),
        )


@contextmanager
def orderly_end() -> Iterator[None]:
    """End with exit code 130 after Ctrl-C, and quietly when nobody reads on, as after `| head`."""
    try:
        yield
        sys.stdout.flush()
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class GameParser(flags.ArgumentParser):
    """Reads the name of one of our games, with or without `python_`."""

    def parse(self, argument: str) -> str:
        return full_name(argument)


def define_game(default: str, about: str) -> None:
    """Define the flag --game, for scripts about our games."""
    flags.DEFINE(GameParser(), "game", default, about)


def parse(argv: list[str], more_help: Callable[[], str] | None, names: int) -> list[str]:
    try:
        rest = flags.FLAGS(argv)
        if unknown := rest[1 + names :]:
            raise flags.Error(f"unknown argument {unknown[0]!r}; use --name=value")
    except flags.Error as error:
        refuse(f"{str(error).splitlines()[-1]} (--help lists the flags)")
    except (AttributeError, KeyError) as error:
        refuse_field(error)
    except SystemExit:  # absl has shown its help, and counts that as a failure
        if more_help:
            print(more_help(), flush=True)
        sys.exit(0)
    return rest


@contextmanager
def user_input() -> Iterator[None]:
    """A context in which an error is about what the user gave: a name, a number, a file."""
    try:
        yield
    except (ValueError, OSError) as error:
        refuse(str(error))


def check_place(path: Path) -> None:
    """Check that a file can be written, before hours of work rather than after."""
    if path.is_dir():
        raise ValueError(f"{path} is a folder; a file is needed")
    try:
        with TemporaryFile(dir=path.parent):
            pass
    except OSError as error:
        raise ValueError(f"{path} can't be written: {error.strerror}") from None


def refuse_field(error: AttributeError | KeyError) -> NoReturn:
    """Refuse a flag for a field that its config does not have. The field comes first in the error,
    or last if a number was taken for a part of the config.
    """
    said = str(error)
    field = (re.findall(r"lookup: ([\w.]+)", said) or re.findall(r"\w+", said))[0]
    refuse(f"the config has no field {field!r} (--help lists the flags)")


def refuse(why: str) -> NoReturn:
    print(printable(why), file=sys.stderr)
    sys.exit(2)


def printable(text: str) -> str:
    """The text with escape sequences and other invisible characters spelt out: names and files may
    contain anything, and must not control the terminal.
    """
    return "".join(c if c.isprintable() or c == "\n" else spelt(c) for c in text)


def spelt(character: str) -> str:
    return character.encode("unicode_escape").decode()
