"""The terminal: painted text out, typed lines in."""

import os
import re
import sys

from spielgames.command import printable

SUIT_COLOURS = {"♣": 32, "♦": 36, "♥": 31, "♠": 1}  # green, cyan, red; spades bold
WORD = re.compile(r"\w{0,5}([♣♦♥♠])|\b(Jk)\b")  # up to `capot♥`; unbounded it would be quadratic
CLEAR = "\033[2J\033[3J\033[H"  # the screen, and what has scrolled off it
JOKER_SUIT = "♦"  # in the place of ♦7
COLOURS = ("auto", "always", "never")


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
        text = printable(text)
        print(paint(text) if self.colour else text, flush=True)

    def ask(self, prompt: str) -> str:
        """Ask for a line; EOFError at the end of input."""
        return input(prompt)

    def clear(self) -> None:
        """Leave nothing on the screen for the next person to read."""
        if sys.stdout.isatty():
            print(CLEAR, end="", flush=True)

    def pause(self) -> str:
        """Wait for a line, if somebody is there to press Enter."""
        return self.ask("[Enter: go on, q: leave] ") if sys.stdin.isatty() else ""
