"""Hokm in words."""

from typing import Any

from spielgames.core.cards import SUIT_SYMBOLS
from spielgames.core.record import State
from spielgames.core.words import RANKS_13, Place, card_name, place
from spielgames.hokm.rules import NAME, NO_TRUMP_YET, RANKS


def action_name(s: State, a: int) -> str:
    return f"trump {SUIT_SYMBOLS[a - NAME]}" if a >= NAME else card_name(a, RANKS_13)


def public(s: State) -> dict[str, Any]:
    facts: dict[str, Any] = {"hakem": 0}
    if s.trump != NO_TRUMP_YET:
        facts["trump"] = SUIT_SYMBOLS[s.trump]
    facts["trick"] = [card_name(c, RANKS_13) for c in s.trick[: s.in_trick]]
    facts["tricks"] = [int(t) for t in s.tricks]
    return facts


def private(s: State, seat: int) -> dict[str, Any]:
    return {}


def place_card(s: State, card: int) -> Place:
    return place(card // RANKS, s.trump, card % RANKS)
