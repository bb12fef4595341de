"""The terminal: painted text out, typed lines in."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer

from spielgames.command import printable

SUIT_COLOURS = {"♣": 32, "♦": 36, "♥": 31, "♠": 1}  # green, cyan, red; spades bold
WORD = re.compile(r"\w{0,5}([♣♦♥♠])|\b(Jk)\b")  # up to `capot♥`; unbounded it would be quadratic
CLEAR = "\033[2J\033[3J\033[H"  # the screen, and what has scrolled off it
JOKER_SUIT = "♦"  # in the place of ♦7
LETTERS = str.maketrans(
    dict(zip("♣♦♥♠·─▸", "CDHS.->", strict=True)) | {"→": "->", "…": "...", "±": "+-", "×": "x"}
)
PATIENCE_S = {"thinking …": 1.0, "compiling, once: this may take a minute or two …": 8.0}
COLOURS = ("auto", "always", "never")


class Quit(Exception):
    """Raised when somebody leaves the table."""


def paint(text: str) -> str:
    """Colour every card and every suit."""
    return WORD.sub(
        lambda word: f"\033[{SUIT_COLOURS[word[1] or JOKER_SUIT]}m{word[0]}\033[0m", text
    )


def wants_colour(choice: str) -> bool:
    """Whether to use colours; by default on a terminal, unless NO_COLOR is set (no-color.org)."""
    if choice == "auto":
        return sys.stdout.isatty() and not os.environ.get("NO_COLOR")
    return choice == "always"


class Terminal:
    """The terminal at which people read and type."""

    def __init__(self, colour: bool) -> None:
        self.colour = colour

    def show(self, text: str) -> None:
        text = self.spelt(printable(text))
        print(paint(text) if self.colour else text, flush=True)

    def ask(self, prompt: str) -> str:
        """Ask for a line; EOFError at the end of input."""
        return input(self.spelt(prompt))

    def spelt(self, text: str) -> str:
        """The text with letters for the suits where the terminal has no signs for them."""
        try:
            text.encode(sys.stdout.encoding or "ascii")
        except UnicodeEncodeError:
            return text.translate(LETTERS)
        return text

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Say why nothing happens, to somebody who is there and has waited for a while."""
        waits = PATIENCE_S.items() if sys.stdout.isatty() else ()
        timers = [Timer(seconds, self.show, [f"  {words}"]) for words, seconds in waits]
        for timer in timers:
            timer.daemon = True
            timer.start()
        try:
            yield
        finally:
            for timer in timers:
                timer.cancel()

    def clear(self) -> None:
        """Leave nothing on the screen for the next person to read."""
        if sys.stdout.isatty():
            print(CLEAR, end="", flush=True)

    def pause(self) -> str:
        """Wait for a line, if somebody is there to press Enter."""
        return self.ask("[Enter: go on, q: leave] ") if sys.stdin.isatty() else ""
