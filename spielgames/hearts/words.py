"""Hearts in words."""

from typing import Any

from spielgames.core.record import CHANCE, State
from spielgames.core.words import NO_TRUMP, RANKS_13, Place, card_name, card_names, place
from spielgames.hearts.rules import RANKS

DIRECTIONS = ("left", "right", "across", "hold")


def action_name(s: State, a: int) -> str:
    if s.turn == CHANCE:
        return f"pass {DIRECTIONS[a]}" if a < 3 else "hold"
    return card_name(a, RANKS_13)


def public(s: State) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if s.direction < 4:
        facts["passing"] = DIRECTIONS[s.direction]
    facts["trick"] = [card_name(c, RANKS_13) for c in s.trick[: s.in_trick]]
    facts["points"] = [int(p) for p in s.points]
    facts["tricks"] = [int(t) for t in s.tricks]
    return facts


def private(s: State, seat: int) -> dict[str, Any]:
    return {
        "passed": card_names(s.passed[seat], RANKS_13),
        "received": card_names(s.gained[seat], RANKS_13),
    }


def place_card(s: State, card: int) -> Place:
    return place(card // RANKS, NO_TRUMP, card % RANKS)
