"""Coinche in words."""

from typing import Any

from spielgames.coinche.rules import COINCHE, FIRST_CAPOT, PASS, SURCOINCHE, suit_of_bid
from spielgames.coinche.scores import bid_value
from spielgames.coinche.tables import PLAIN_STRENGTH, RANKS, TRUMP_STRENGTH
from spielgames.core.cards import SUIT_SYMBOLS
from spielgames.core.record import State, event_action
from spielgames.core.words import NO_TRUMP, RANKS_8, Place, card_name, place

CALLS = {PASS: "pass", COINCHE: "coinche", SURCOINCHE: "surcoinche"}
DOUBLES = ("", " coinche", " surcoinche")


def action_name(s: State, a: int) -> str:
    return card_name(a, RANKS_8) if s.playing else call_name(s, a)


def call_name(s: State, a: int) -> str:
    """`pass`, `90♥`, `capot♠`, …"""
    if a in CALLS:
        return CALLS[a]
    value = "capot" if a >= FIRST_CAPOT else str(bid_value(s, a))
    return value + SUIT_SYMBOLS[suit_of_bid(a)]


def contract_name(s: State) -> str:
    """`90♥ coinche by seat 2`"""
    return f"{call_name(s, s.contract)}{DOUBLES[s.doubled]} by seat {s.bidder}"


def public(s: State) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "auction": [call_name(s, event_action(e)) for e in s.events[: s.calls]]
    }
    if s.contract != PASS:
        facts["contract"] = contract_name(s)
    facts["trick"] = [card_name(c, RANKS_8) for c in s.trick[: s.in_trick]]
    facts["points"] = [int(p) for p in s.points]
    facts["tricks"] = [int(t) for t in s.tricks]
    return facts


def private(s: State, seat: int) -> dict[str, Any]:
    """The observer's secrets besides the hand: none."""
    return {}


def place_card(s: State, card: int) -> Place:
    suit, rank = divmod(card, RANKS)
    trump = s.trump if s.playing else NO_TRUMP
    return place(suit, trump, (TRUMP_STRENGTH if suit == trump else PLAIN_STRENGTH)[rank])
