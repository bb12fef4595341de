"""Sheephead as a game: parameters and their bounds."""

from spielgames.core.cards import small_deck
from spielgames.core.game import Game, Parameters, Variant, check_flag, check_number
from spielgames.core.words import RANKS_8
from spielgames.sheephead import (
    appraisal,
    clues,
    legal,
    open_hands,
    players,
    rules,
    scoring,
    talk,
    tensors,
    words,
    worlds,
)
from spielgames.sheephead.cards import JOKER, RANKS
from spielgames.sheephead.match import SheepheadMatch

DERIVED = -1  # the size of the hands or of the blind follows from the deck


def shares(cards: int) -> list[tuple[int, int]]:
    """All pairs (hand, blind) that share out a deck, the largest hands first."""
    hands = range((cards - 1) // rules.PLAYERS, 0, -1)
    return [(hand, cards - rules.PLAYERS * hand) for hand in hands]


def share(params: Parameters, cards: int) -> tuple[int, int]:
    """The chosen hand and blind; what is not given follows, with hands as large as possible."""
    hand = check_number(params, "hand", DERIVED, 6)
    blind = check_number(params, "blind", DERIVED, 27)
    for share in shares(cards):
        if hand in (DERIVED, share[0]) and blind in (DERIVED, share[1]):
            return share
    allowed = " or ".join(f"hand={h} with blind={b}" for h, b in shares(cards))
    raise ValueError(
        f"hand={hand} and blind={blind} do not share out {cards} cards among five seats; "
        + (f"use {allowed}" if allowed else "choose more suits or ranks: at least six cards")
    )


def variant(params: Parameters) -> Variant:
    suits = check_number(params, "suits", 2, 4)
    ranks = check_number(params, "ranks", 2, RANKS)
    hand, blind = share(params, suits * ranks)
    duties = check_flag(params, "duties")
    doubled = check_flag(params, "doubled")
    nola = check_flag(params, "nola")
    return Variant(
        fields={
            "deck": small_deck(suits, ranks, RANKS),
            "hand": hand,
            "blind": blind,
            "duties": rules.SHOW | rules.KEEP if duties else 0,
            "doubled": doubled,
            "nola": nola,
        },
        max_moves=rules.PLAYERS * (hand + 1) + blind + 2,
        max_draws=0,
        min_utility=-120.0 * (1 + doubled),
        max_utility=100.0 * (1 + doubled),
        zero_sum=True,
    )


SHEEPHEAD = Game(
    name="python_sheephead",
    title="Sheephead",
    version=2,  # 2: a ten may be called only in a suit of which a card is kept
    players=rules.PLAYERS,
    actions=rules.ACTIONS,
    ranks=RANKS_8,
    dtype=rules.SHEEPHEAD_STATE,
    pieces=tensors.PIECES,
    parameters={
        "suits": 4,
        "ranks": RANKS,
        "hand": DERIVED,  # 6 with the full deck
        "blind": DERIVED,  # 2 with the full deck
        "duties": True,
        "doubled": False,
        "nola": True,
    },
    variant=variant,
    modules=(rules, legal, scoring, tensors, worlds, players, open_hands, clues, appraisal),
    action_name=words.action_name,
    public=words.public,
    private=words.private,
    place=words.place_card,
    talk=talk.TALK,
    unit="cents",
    levels=players.LEVELS,
    piles=("blind", "buried", "under"),
    special={JOKER: "Jk"},
    match=SheepheadMatch(goal=100),
    appraisal=appraisal.APPRAISAL,
)
