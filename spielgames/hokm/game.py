"""Hokm as a game: parameters and their bounds."""

from spielgames.core.cards import small_deck
from spielgames.core.game import Game, Parameters, Variant, check_choice, check_deck, check_number
from spielgames.core.words import RANKS_13
from spielgames.hokm import open_hands, players, rules, talk, tensors, words, worlds
from spielgames.hokm.match import HokmMatch

NAMINGS = ("choose", "heuristic")


def variant(params: Parameters) -> Variant:
    suits, ranks = check_deck(params, rules.PLAYERS, 1, rules.RANKS)
    hand = suits * ranks // rules.PLAYERS
    preview = check_number(params, "preview", 1, max(hand, 5))
    return Variant(
        fields={
            "deck": small_deck(suits, ranks, rules.RANKS),
            "preview": min(preview, hand),  # the default of 5 is all of a small hand
            "naming": check_choice(params, "trump", NAMINGS),
        },
        max_moves=1 + suits * ranks,
        max_draws=0,
        min_utility=-3.0,
        max_utility=3.0,
        zero_sum=True,
        choices=max(hand, 4),
        stages=2,
    )


HOKM = Game(
    name="python_hokm",
    title="Hokm",
    version=1,
    players=rules.PLAYERS,
    actions=rules.NAME + 4,
    ranks=RANKS_13,
    dtype=rules.HOKM_STATE,
    pieces=tensors.PIECES,
    parameters={"suits": 4, "ranks": 13, "preview": 5, "trump": "choose"},
    variant=variant,
    modules=(rules, tensors, worlds, players, open_hands),
    action_name=words.action_name,
    public=words.public,
    private=words.private,
    place=words.place_card,
    talk=talk.TALK,
    unit="game points",
    levels=players.LEVELS,
    piles=("preview", "stock"),
    teams=(0, 1, 0, 1),
    match=HokmMatch(goal=7),
    choices={"trump": NAMINGS},
)
