"""Snapszer in words."""

from typing import Any

from spielgames.core.cards import SUIT_SYMBOLS, members
from spielgames.core.record import CHANCE, NOBODY, State
from spielgames.core.words import RANKS_5, Place, card_name, card_names, place
from spielgames.snapszer.record import (
    CARDS,
    CLOSE,
    EXCHANGE,
    MARRY,
    NO_CARD,
    NO_TRUMP,
    PLAYERS,
    POINTS,
    RANKS,
    TALON,
    UNKNOWN,
    UPCARD,
    scores_next,
)


def action_name(s: State, a: int) -> str:
    if s.turn == CHANCE and scores_next(s) != NOBODY:
        return f"match points {a}"
    if s.turn == CHANCE:
        verb = "exchange" if s.drawer == NOBODY else "draw"
        return f"{verb} {card_name(a, RANKS_5)}"
    if a < CARDS:
        return card_name(a, RANKS_5)
    if a == CLOSE:
        return "close"
    return "exchange" if a == EXCHANGE else f"marry {SUIT_SYMBOLS[a - MARRY]}"


def public(s: State) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    if s.match:
        facts["match points"] = [int(p) for p in s.score if p != UNKNOWN]
    if s.trump != NO_TRUMP:
        facts["trump"] = SUIT_SYMBOLS[s.trump]
    facts["upcard"] = card_names(s.hands[UPCARD], RANKS_5)
    facts["talon"] = len(members(s.hands[TALON] | s.hands[UPCARD]))
    facts["trick"] = [card_name(s.led, RANKS_5)] if s.led != NO_CARD else []
    facts["points"] = [int(p) for p in s.points]
    facts["pending"] = [int(p) for p in s.pending]
    facts["tricks"] = [int(t) for t in s.tricks]
    if any(s.hands[:PLAYERS] & s.public):
        facts["shown"] = [card_names(hand & s.public, RANKS_5) for hand in s.hands[:PLAYERS]]
    if any(s.married):
        facts["marriages"] = ["".join(SUIT_SYMBOLS[i] for i in members(m)) for m in s.married]
    if s.exchanger != NOBODY:
        facts["exchanged by"] = int(s.exchanger)
    if s.closer != NOBODY:
        facts["closed by"] = int(s.closer)
    return facts


def private(s: State, seat: int) -> dict[str, Any]:
    return {"drawn": card_names(s.gained[seat] & ~s.dealt[UPCARD], RANKS_5)}


def place_card(s: State, card: int) -> Place:
    return place(card // RANKS, s.trump, POINTS[card])
