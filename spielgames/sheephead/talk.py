"""How Sheephead is talked about."""

from spielgames.core.cards import NONE, count, highest
from spielgames.core.record import NOBODY, State
from spielgames.core.talk import GERMAN, PLAY, Talk
from spielgames.core.words import SUIT_WORDS
from spielgames.sheephead.cards import RANKS, points
from spielgames.sheephead.legal import unknown_is_due
from spielgames.sheephead.rules import (
    ALONE,
    BIDDING,
    BURIED,
    BURYING,
    CALLING,
    LAYING,
    PASS,
    PLAYING,
    is_nola,
)
from spielgames.sheephead.scoring import side_points
from spielgames.sheephead.words import WORDS, action_name

PROMPTS = {
    BIDDING: "pick up the blind, or pass",
    CALLING: "call a partner, or play alone",
    LAYING: "lay an unknown card face down",
    PLAYING: "play a card",
}


def kind(s: State, a: int) -> str:
    if s.phase == PLAYING:
        return PLAY
    if a < PASS:
        return "bury" if s.phase == BURYING else "lay"
    return WORDS.get(a, "call")  # the other words are their own kinds


def choose(s: State) -> int:
    return int(s.blind) - count(s.hands[BURIED]) if s.phase == BURYING else 1


def prompt(s: State) -> str:
    if s.phase != BURYING:
        return PROMPTS[int(s.phase)]
    left = choose(s)
    return f"bury {left} card{'s' if left > 1 else ''}"


def why_not(s: State, card: int) -> str:
    if s.phase == LAYING:
        return "only a card that is no trump may stand for the called suit"
    hand = s.hands[s.turn]
    if unknown_is_due(s, hand):
        return "your unknown card must be played now"
    if s.in_trick == 0:
        return "if you lead the called suit, lead the called card"
    if hand & s.led == NONE:
        return "the called suit may not be discarded yet"
    if hand & s.led & s.called != NONE:
        return "you must play the called card"
    return f"you must follow {led_word(s)}"


def led_word(s: State) -> str:
    if s.led == s.trumps:
        return "trump"
    return SUIT_WORDS[highest(s.led) // RANKS]


def contract(s: State) -> str:
    if is_nola(s):
        return "Nola: everybody passed"
    if not s.call:
        return ""
    return "the picker plays alone" if s.call == ALONE else action_name(s, int(s.call))


def roles(s: State) -> dict[int, str]:
    known = {} if s.picker == NOBODY else {int(s.picker): "picker"}
    if s.called & s.public:
        known[int(s.partner)] = "partner"
    return known


def winner(s: State) -> int:
    return int(s.winning)


def ending(s: State) -> str:
    if s.picker == NOBODY:
        return f"Nola: seat {int(s.winning)} took the last trick."
    ours = int(side_points(s))
    return f"{ours} : {int(points(s.deck)) - ours} for the picker's side."


TALK = Talk(
    about="Whoever picks up the blind plays with a secret partner against the other three.",
    match="for money, over a number of deals",
    deck=GERMAN,
    kind=kind,
    prompt=prompt,
    choose=choose,
    why_not=why_not,
    contract=contract,
    roles=roles,
    winner=winner,
    ending=ending,
)
