"""How Snapszer is talked about."""

from spielgames.core.cards import NONE, has, lane
from spielgames.core.record import CHANCE, NOBODY, State, event_action, is_chance
from spielgames.core.talk import GERMAN, PLAY, Talk
from spielgames.core.words import SUIT_WORDS
from spielgames.snapszer.record import (
    CARDS,
    CLOSE,
    EXCHANGE,
    HIGHER,
    MARRY,
    NO_CARD,
    NO_TRUMP,
    PLAYERS,
    RANKS,
)


def kind(s: State, a: int) -> str:
    if s.turn == CHANCE:
        return "exchange" if s.drawer == NOBODY else "draw"
    if a < CARDS:
        return PLAY
    return {CLOSE: "close", EXCHANGE: "exchange"}.get(a, "marriage")


def prompt(s: State) -> str:
    if s.couple != NONE:
        return "play the king or the queen of the marriage"
    return "lead a card" if s.led == NO_CARD else "play a card"


def why_not(s: State, card: int) -> str:
    if s.couple != NONE:
        return "you must play the king or the queen of the marriage"
    suit = s.led // RANKS
    same = s.hands[s.turn] & lane(suit, RANKS)
    if same & HIGHER[s.led] != NONE:
        return f"you must play a higher card of {SUIT_WORDS[suit]}"
    return f"you must follow {SUIT_WORDS[suit]}" if same != NONE else "you must trump"


def trump(s: State) -> int | None:
    return None if s.trump == NO_TRUMP else int(s.trump)


def contract(s: State) -> str:
    return "" if s.closer == NOBODY else "talon closed"


def roles(s: State) -> dict[int, str]:
    return {} if s.closer == NOBODY else {int(s.closer): "closed"}


def winner(s: State) -> int:
    if s.led != NO_CARD:
        return 1 - int(s.turn)
    moves = [event_action(e) for e in s.events[: s.length] if not is_chance(e)]
    last = next((a for a in reversed(moves) if a < CARDS), NO_CARD)
    return next((q for q in range(PLAYERS) if last >= 0 and has(s.taken[q], last)), 0)


def ending(s: State) -> str:
    points = " : ".join(str(int(n)) for n in s.points)
    return f"{points} points; seat {int(s.winner)} wins {int(s.worth)}."


def said(s: State, a: int) -> str:
    """A marriage is declared by what it counts."""
    if s.turn == CHANCE or not MARRY <= a < MARRY + 4:
        return ""
    return f"{int(s.marriage) * (2 if a - MARRY == s.trump else 1)}!"


TALK = Talk(
    about="Two players race to 66 points in tricks and marriages, and may close the talon.",
    match="to 7 game points",
    deck=GERMAN,
    kind=kind,
    prompt=prompt,
    why_not=why_not,
    trump=trump,
    contract=contract,
    roles=roles,
    winner=winner,
    ending=ending,
    said=said,
)
