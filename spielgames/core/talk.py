"""How a game is talked about at a table: what its moves are, and why some are forbidden."""

from collections.abc import Callable
from dataclasses import dataclass

from spielgames.core.record import State

PLAY = "play"  # the kind of a card that is played to a trick
CARD_KINDS = {PLAY, "pass_card", "bury", "lay", "draw"}  # of actions that move a card
FRENCH, GERMAN = "french", "german"  # how the cards of a deck may be drawn


@dataclass(frozen=True)
class Talk:
    """The words and facts that a table needs. The functions are given the whole state, but tell
    only what everybody may know; `prompt` and `why_not` also what the seat to move does. The
    defaults suit a game in which cards are played to tricks, and nothing else happens.
    """

    about: str = ""  # the game, in a sentence
    rules: str = ""  # for somebody who has never played it, if spielgames has no page of them
    match: str = ""  # how matches are won
    deck: str = FRENCH  # or GERMAN
    kind: Callable[[State, int], str] = lambda s, a: PLAY  # of an action: PLAY, "bid", "pass", …
    prompt: Callable[[State], str] = lambda s: "play a card"  # what the seat to move is asked for
    choose: Callable[[State], int] = lambda s: 1  # how many actions of one kind it asks for
    # Why a card of its hand may not be played.
    why_not: Callable[[State, int], str] = lambda s, card: "this card may not be played now"
    trump: Callable[[State], int | None] = lambda s: None  # the suit
    contract: Callable[[State], str] = lambda s: ""  # what is played for, once it is settled
    roles: Callable[[State], dict[int, str]] = lambda s: {}  # of seats
    winner: Callable[[State], int] = lambda s: int(s.turn)  # of the trick, or of the last one
    ending: Callable[[State], str] = lambda s: ""  # of a finished deal, as players count
    said: Callable[[State, int], str] = lambda s, a: ""  # a declaration, aloud
