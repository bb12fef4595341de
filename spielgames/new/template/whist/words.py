"""Whist in words, for the table and for OpenSpiel's strings."""

from typing import Any

from spielgames.core.record import State
from spielgames.core.talk import Talk
from spielgames.core.words import RANKS_13, SUIT_WORDS, Place, card_name, place

from . import rules


def action_name(s: State, a: int) -> str:
    return card_name(a, RANKS_13)


def public(s: State) -> dict[str, Any]:
    """What everybody sees."""
    return {"tricks": [int(n) for n in s.tricks]}


def private(s: State, seat: int) -> dict[str, Any]:
    """What a seat knows besides its hand."""
    return {}


def place_card(s: State, card: int) -> Place:
    """Where a card lies in a hand that is shown sorted."""
    return place(card // rules.RANKS, -1, card % rules.RANKS)


def why_not(s: State, card: int) -> str:
    """Why a card of one's hand may not be played."""
    return f"you must follow {SUIT_WORDS[s.led]}"


def winner(s: State) -> int:
    """Who wins the trick so far, or has won the last one."""
    return int(s.winner)


def ending(s: State) -> str:
    """The end of a deal, as players count."""
    return "Tricks: " + ", ".join(f"seat {seat} has {n}" for seat, n in enumerate(s.tricks)) + "."


TALK = Talk(
    about="Follow suit; the highest card of the suit led takes the trick.",
    rules=rules.__doc__ or "",
    why_not=why_not,
    winner=winner,
    ending=ending,
)
