"""Sheephead in words."""

from typing import Any

from spielgames.core.cards import Cards, has, members
from spielgames.core.record import NOBODY, State
from spielgames.core.words import NO_TRUMP, RANKS_8, Place, card_name, place
from spielgames.sheephead.cards import JOKER, RANKS, STRENGTH, points
from spielgames.sheephead.rules import (
    ALONE,
    BURIED,
    CALL_ACE,
    CALL_CARDS,
    CALL_UNKNOWN,
    PASS,
    PICK,
    PLAYERS,
    UNDER,
    is_nola,
)

WORDS = {PASS: "pass", PICK: "pick", ALONE: "alone"}


def sheephead_card(card: int) -> str:
    """`Q♣`, and `Jk` for the joker."""
    return "Jk" if card == JOKER else card_name(card, RANKS_8)


def sheephead_cards(cards: Cards) -> list[str]:
    return [sheephead_card(card) for card in members(cards)]


def action_name(s: State, a: int) -> str:
    if a < PASS:
        return sheephead_card(a)
    if a < CALL_ACE:
        return WORDS[a]
    (called,) = sheephead_cards(CALL_CARDS[a - CALL_ACE])
    return f"call {called} with an unknown card" if a >= CALL_UNKNOWN else f"call {called}"


def public(s: State) -> dict[str, Any]:
    facts: dict[str, Any] = {"passes": int(s.passes)}
    if is_nola(s):
        facts["nola"] = True
    if s.picker != NOBODY:
        facts["picker"] = int(s.picker)
    if s.call:
        facts["call"] = action_name(s, int(s.call))
    if s.called & s.public:
        facts["partner"] = int(s.partner)
    facts["trick"] = [sheephead_card(card) for card in s.trick[: s.in_trick]]
    facts["points"] = [int(points(cards)) for cards in s.taken]
    facts["tricks"] = [int(cards).bit_count() // PLAYERS for cards in s.taken]
    return facts


def private(s: State, seat: int) -> dict[str, Any]:
    """The picker's secrets: what was found, buried and laid down."""
    if s.picker != seat:
        return {}
    return {
        "blind": sheephead_cards(s.gained[seat]),
        "buried": sheephead_cards(s.hands[BURIED]),
        "unknown": sheephead_cards(s.hands[UNDER]),
    }


def place_card(s: State, card: int) -> Place:
    """The place of a card in a sorted hand. Trumps are one suit; in Nola ranks are in natural
    order.
    """
    suit, rank = divmod(card, RANKS)
    if not s.trumps:
        return place(suit, NO_TRUMP, rank)
    return place(suit, suit if has(s.trumps, card) else NO_TRUMP, STRENGTH[card])
