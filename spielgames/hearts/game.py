"""Hearts as a game: parameters and their bounds."""

from spielgames.core.cards import small_deck
from spielgames.core.game import (
    Game,
    Parameters,
    Variant,
    check_choice,
    check_deck,
    check_flag,
    check_number,
)
from spielgames.core.words import RANKS_13
from spielgames.hearts import open_hands, players, rules, scoring, talk, tensors, words, worlds
from spielgames.hearts.match import HeartsMatch

PASSES = ("left", "right", "across", "hold", "any")
FLAGS = {
    "no_pts_on_first_trick": rules.NO_POINTS_FIRST,
    "can_lead_any_club": rules.ANY_CLUB_LEADS,
    "jd_bonus": rules.JACK_BONUS,
    "avoid_all_tricks_bonus": rules.NO_TRICK_BONUS,
    "must_break_hearts": rules.MUST_BREAK,
    "qs_breaks_hearts": rules.QUEEN_BREAKS,
    "can_lead_hearts_instead_of_qs": rules.HEARTS_FOR_QUEEN,
}


def variant(params: Parameters) -> Variant:
    suits, ranks = check_deck(params, rules.PLAYERS, 2, rules.RANKS)
    hand = suits * ranks // rules.PLAYERS
    direction = check_choice(params, "pass", PASSES)
    passes = check_number(params, "pass_count", 1, rules.RANKS)
    if direction != rules.HOLD and passes > hand:
        raise ValueError(
            f"pass_count={passes} is not allowed with hands of {hand}; pass fewer cards, or use"
            " pass=hold"
        )
    if params["can_lead_any_club"] and suits < 4:
        raise ValueError(
            f"can_lead_any_club=true is not allowed with suits={suits}, which has no clubs"
        )
    flags = sum(value for name, value in FLAGS.items() if check_flag(params, name))
    deck = small_deck(suits, ranks, rules.RANKS)
    worth = (
        ranks + 13 * (ranks >= 3) + 10 * params["jd_bonus"] + 5 * params["avoid_all_tricks_bonus"]
    )
    return Variant(
        fields={"deck": deck, "pass_rule": direction, "pass_count": passes, "options": flags},
        max_moves=suits * ranks + (4 * passes if direction != rules.HOLD else 0),
        max_draws=int(direction == rules.ANY),
        min_utility=-float(worth),
        max_utility=float(worth),
        zero_sum=True,
        choices=hand,
        draw_outcomes=4,
    )


HEARTS = Game(
    name="python_hearts",
    title="Hearts",
    version=2,  # 2: `voids` after an unbroken heart is led; cards to be passed are not in `hand`
    players=rules.PLAYERS,
    actions=rules.CARDS,
    ranks=RANKS_13,
    dtype=rules.HEARTS_STATE,
    pieces=tensors.PIECES,
    parameters={
        "suits": 4,
        "ranks": 13,
        "pass": "any",
        "pass_count": 3,
        "no_pts_on_first_trick": True,
        "can_lead_any_club": False,
        "jd_bonus": False,
        "avoid_all_tricks_bonus": False,
        "must_break_hearts": True,
        "qs_breaks_hearts": True,
        "can_lead_hearts_instead_of_qs": False,
    },
    variant=variant,
    modules=(rules, scoring, tensors, worlds, players, open_hands),
    action_name=words.action_name,
    public=words.public,
    private=words.private,
    place=words.place_card,
    talk=talk.TALK,
    unit="points",
    match=HeartsMatch(goal=100),
    choices={"pass": PASSES},
)
