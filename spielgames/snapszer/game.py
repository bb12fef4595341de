"""Snapszer as a game: parameters and their bounds."""

from dataclasses import replace

from spielgames.core.cards import members, small_deck
from spielgames.core.game import (
    Game,
    Parameters,
    Variant,
    check_choice,
    check_flag,
    check_number,
)
from spielgames.core.words import RANKS_5
from spielgames.snapszer import (
    open_hands,
    players,
    record,
    rules,
    scoring,
    talk,
    tensors,
    words,
    worlds,
)
from spielgames.snapszer.chances import CHANCES
from spielgames.snapszer.match import SnapszerMatch

RULES = ("snapszer", "schnapsen")
FULL_POINTS = 120


def scaled(full: int, points: int) -> int:
    """Scale a number of card points to a smaller deck."""
    return round(full * points / FULL_POINTS)


def check_hand(params: Parameters, cards: int) -> int:
    """The size of the hands, for a deck from which both seats draw equally often."""
    if cards % 2:
        raise ValueError(
            f"suits={params['suits']} and ranks={params['ranks']} make {cards} cards;"
            " the number must be even, so that both seats draw alike"
        )
    return check_number(params, "hand", 1, cards // 2)


def variant(params: Parameters) -> Variant:
    suits = check_number(params, "suits", 2, 4)
    ranks = check_number(params, "ranks", 2, record.RANKS)
    style = check_choice(params, "rules", RULES)
    hand = check_hand(params, suits * ranks)
    deck = small_deck(suits, ranks, record.RANKS)
    points = sum(int(record.POINTS[card]) for card in members(deck))
    target = scaled(66, points)
    hidden = max(suits * ranks - 2 * hand - 1, 0)
    marriages = suits if ranks >= 3 and hand >= 2 else 0
    automatic = style == record.SNAPSZER
    # A talon of two is gone after the first trick, before which nothing is automatic.
    exchanges = int(ranks >= 4 and hidden >= (3 if automatic else 1))
    alone = Variant(
        fields={
            "deck": deck,
            "rules": style,
            "hand_size": hand,
            "target": target,
            "half": (target + 1) // 2,
            "marriage": scaled(20, points),
            "given": record.UNKNOWN,
        },
        # Closing adds a move, but takes at least four cards out of the game.
        max_moves=suits * ranks + marriages + exchanges * (not automatic),
        max_draws=hidden + exchanges * automatic,
        min_utility=-3.0,
        max_utility=3.0,
        zero_sum=True,
        draw_outcomes=record.CARDS,
    )
    return in_match(alone) if check_flag(params, "match") else alone


def in_match(alone: Variant) -> Variant:
    """The same deal as part of a match: the score comes first, and says what points are worth."""
    most = float((CHANCES[3:] - CHANCES[:-3]).max())  # by winning three game points
    return replace(
        alone,
        fields=alone.fields | {"match": True},
        max_draws=alone.max_draws + record.PLAYERS,
        min_utility=-most,
        max_utility=most,
        pieces=tensors.MATCH_PIECES,
        unit="chance of winning the match",
        alone=alone,
    )


SNAPSZER = Game(
    name="python_snapszer",
    title="Snapszer",
    version=1,
    players=record.PLAYERS,
    actions=record.ACTIONS,
    ranks=RANKS_5,
    dtype=record.SNAPSZER_STATE,
    pieces=tensors.PIECES,
    parameters={"rules": "snapszer", "suits": 4, "ranks": 5, "hand": 5, "match": False},
    variant=variant,
    modules=(record, rules, scoring, tensors, worlds, players, open_hands),
    levels=players.LEVELS,
    action_name=words.action_name,
    public=words.public,
    private=words.private,
    place=words.place_card,
    talk=talk.TALK,
    unit="game points",
    suited_actions=(record.MARRY,),
    piles=("talon", "upcard"),
    match=SnapszerMatch(record.GOAL),
    choices={"rules": RULES},
)
