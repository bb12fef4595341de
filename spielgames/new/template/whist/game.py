"""Whist as a game: its parameters and their bounds, and all its parts."""

from spielgames.core.cards import small_deck
from spielgames.core.game import Game, Parameters, Variant, check_number
from spielgames.core.openspiel import register
from spielgames.core.words import RANKS_13

from . import rules, words


def variant(params: Parameters) -> Variant:
    """Check parameters. Fewer `suits`, `ranks` and cards in a `hand` make small variants."""
    suits = check_number(params, "suits", 1, rules.SUITS)
    ranks = check_number(params, "ranks", 2, rules.RANKS)
    hand = check_number(params, "hand", 1, suits * ranks // rules.PLAYERS)
    average = hand / rules.PLAYERS
    return Variant(
        fields={"deck": small_deck(suits, ranks, rules.RANKS), "hand": hand},
        max_moves=rules.PLAYERS * hand,
        max_draws=0,
        min_utility=-average,
        max_utility=hand - average,
        zero_sum=True,
        choices=hand,
    )


WHIST = Game(
    name="python_whist",
    title="Whist",
    version=1,
    players=rules.PLAYERS,
    actions=rules.CARDS,
    ranks=RANKS_13,
    dtype=rules.WHIST_STATE,
    pieces=rules.PIECES,
    parameters={
        "suits": rules.SUITS,
        "ranks": rules.RANKS,
        "hand": min(rules.RANKS, rules.CARDS // rules.PLAYERS),
    },
    variant=variant,
    modules=(rules,),
    action_name=words.action_name,
    public=words.public,
    private=words.private,
    place=words.place_card,
    talk=words.TALK,
    unit="points",
    piles=("stock",),
)
register(WHIST)
