"""Reading what a person types: a command, or a move by its number, as a card, or by its name."""

import re
from collections.abc import Iterable, Mapping

from spielgames.core.cards import SUIT_SYMBOLS

COMMANDS = {
    "hint": "hint",
    "undo": "undo",
    "history": "history",
    "rules": "rules",
    "help": "help",
    "?": "help",
    "quit": "quit",
    "exit": "quit",
    "q": "quit",
}
SUIT_WORDS = ("c club clubs ♧", "d diamond diamonds ♢", "h heart hearts ♡", "s spade spades ♤")
OTHER_WORDS = "ace a, king k, queen q, jack j, ten 10, t 10, nine 9, eight 8, seven 7, joker jk"
SAME = {word: SUIT_SYMBOLS[suit] for suit in range(4) for word in SUIT_WORDS[suit].split()}
SAME |= dict(pair.split() for pair in f"{OTHER_WORDS}, name trump, marriage marry".split(", "))
FILLERS = {"bid", "play", "lead", "the", "of", "in", "with", "an", "card"}
JOINED = re.compile(r"(10|[2-9tjqka]|\d+|capot|trump|marry|call)([cdhs])")
SHOWN = 8  # the most legal moves that an error lists


Reasons = Mapping[str, str]  # why each card of a hand may not be played


class Misread(ValueError):
    """Typed text that is neither a command nor a move."""


def read_command(text: str) -> tuple[str, str] | None:
    """Read a command and what follows it; None for what should be a move."""
    first, _, rest = text.strip().partition(" ")
    command = COMMANDS.get(first.lower())
    if command and rest and command != "hint":
        raise Misread(f"{first!r} takes no argument")
    return (command, rest.strip()) if command else None


def read_move(text: str, moves: dict[int, str], hand: Reasons, deck: Iterable[str]) -> int:
    """Read a move: one of `moves`, which has their words in the order of their numbers."""
    if text.strip().isdecimal():
        return read_number(text.strip(), moves)
    typed = parts(text)
    exact = [a for a, word in moves.items() if parts(word) == typed]
    lone_suit = len(typed) == 1 and typed[0] in SUIT_SYMBOLS  # too little to be meant
    near = [] if lone_suit else [a for a, word in moves.items() if set(typed) <= set(parts(word))]
    found = exact or (near if typed else [])
    if len(found) == 1:
        return found[0]
    if found:
        raise Misread(f"{text.strip()!r} could be {listed(moves[a] for a in found)}; say which")
    raise Misread(f"{complaint(text, typed, hand, deck)}; {allowed(moves)}")


def read_number(text: str, moves: dict[int, str]) -> int:
    numbers = {str(number): a for number, a in enumerate(moves, 1)}
    if text not in numbers:
        raise Misread(f"there is no move number {text}; {allowed(moves)}")
    return numbers[text]


def complaint(text: str, typed: list[str], hand: Reasons, deck: Iterable[str]) -> str:
    """The problem with words that name no legal move."""
    if not text.strip():
        return "nothing was typed"
    card = next((card for card in deck if parts(card) == typed), None)
    if card is None:
        return f"{text.strip()!r} is not a move here"
    if card not in hand:
        return f"{card} is not in your hand"
    return f"{card} is not allowed now" + (f": {hand[card]}" if hand[card] else "")


def allowed(moves: dict[int, str]) -> str:
    if len(moves) == 1:
        return f"write 1 or {next(iter(moves.values()))}, the only move (help lists the commands)"
    names = listed(moves.values())
    return f"write a number from 1 to {len(moves)}, or one of {names} (help lists the commands)"


def listed(words: Iterable[str]) -> str:
    """The first few of some words."""
    words = list(words)
    return ", ".join(words[:SHOWN]) + (", …" if len(words) > SHOWN else "")


def parts(text: str) -> list[str]:
    """The words that matter, in one spelling and order: `call ace c` and `call A♣` are the same."""
    text = re.sub(f"([{SUIT_SYMBOLS}♧♢♡♤])", r" \1 ", text.lower().replace("\ufe0f", ""))
    return sorted(part for word in text.split() for part in split_word(word))


def split_word(word: str) -> list[str]:
    """Split a word such as `10h` into its parts; fillers have none."""
    joined = JOINED.fullmatch(word)
    if joined:
        return [SAME.get(part, part) for part in joined.groups()]
    return [] if word in FILLERS else [SAME.get(word, word)]
