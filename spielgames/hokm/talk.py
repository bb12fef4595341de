"""How Hokm is talked about."""

from spielgames.core.record import State
from spielgames.core.talk import FRENCH, PLAY, Talk
from spielgames.core.words import SUIT_WORDS
from spielgames.hokm.rules import NAME, NO_TRUMP_YET, RANKS


def kind(s: State, a: int) -> str:
    return "trump" if a >= NAME else PLAY


def prompt(s: State) -> str:
    return "choose the trump suit" if s.trump == NO_TRUMP_YET else "play a card"


def why_not(s: State, card: int) -> str:
    return f"you must follow {SUIT_WORDS[s.trick[0] // RANKS]}"


def trump(s: State) -> int | None:
    return None if s.trump == NO_TRUMP_YET else int(s.trump)


def roles(s: State) -> dict[int, str]:
    return {0: "Hakem"}


def winner(s: State) -> int:
    return int(s.winning)


def ending(s: State) -> str:
    hakems, others = map(int, s.tricks)
    return f"{hakems} tricks for the Hakem's team, {others} for the others."


TALK = Talk(
    about="The Hakem chooses the trump suit; the team that takes seven tricks wins the deal.",
    match="to 7 game points",
    deck=FRENCH,
    kind=kind,
    prompt=prompt,
    why_not=why_not,
    trump=trump,
    roles=roles,
    winner=winner,
    ending=ending,
)
