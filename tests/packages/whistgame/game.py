"""Whist as a game: no parameters."""

from typing import Any

from spielgames.core.cards import small_deck
from spielgames.core.game import Game, Parameters, Variant
from spielgames.core.openspiel import register
from spielgames.core.record import State
from spielgames.core.words import Place, card_name, place
from whistgame import rules

RANKS = "JQKA"


def variant(params: Parameters) -> Variant:
    return Variant(
        fields={"deck": small_deck(3, rules.RANKS, rules.RANKS)},
        max_moves=2 * rules.HAND,
        max_draws=0,
        min_utility=-1.0,
        max_utility=1.0,
        zero_sum=True,
        choices=rules.HAND,
    )


def public(s: State) -> dict[str, Any]:
    return {"tricks": [int(t) for t in s.tricks]}


def private(s: State, seat: int) -> dict[str, Any]:
    return {}


def action_name(s: State, a: int) -> str:
    return card_name(a, RANKS)


def place_card(s: State, card: int) -> Place:
    return place(card // rules.RANKS, -1, card % rules.RANKS)


WHIST = Game(
    name="python_whist",
    title="Whist",
    version=1,
    players=rules.PLAYERS,
    actions=16,
    ranks=RANKS,
    dtype=rules.WHIST_STATE,
    pieces=rules.PIECES,
    parameters={},
    variant=variant,
    modules=(rules,),
    action_name=action_name,
    public=public,
    private=private,
    place=place_card,
    unit="points",
    piles=("stock",),
)
register(WHIST)
