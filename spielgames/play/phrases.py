"""Moves in words, by their kind: on buttons, for screen readers, and aloud."""

import re
from typing import NamedTuple

from spielgames.core.cards import SUIT_SYMBOLS
from spielgames.core.game import Game
from spielgames.core.record import State
from spielgames.core.talk import PLAY
from spielgames.core.words import SUIT_WORDS, card_words

LABELS = {
    PLAY: "play the {card}",
    "pass_card": "pass the {card}",
    "bury": "bury the {card}",
    "lay": "lay the {card} face down",
    "bid": "bid {name}",
    "trump": "make {suit} trumps",
    "pick": "pick up the blind",
    "alone": "play alone",
    "close": "close the talon",
    "marriage": "declare the marriage in {suit}",
    "exchange": "exchange the trump jack",
}
SPEECH = {
    "close": "I close!",
    "exchange": "I exchange.",
    "pick": "I pick.",
    "alone": "I play alone.",
    "coinche": "Coinche!",
    "surcoinche": "Surcoinche!",
}
SUITED = re.compile(f"(\\w*)([{SUIT_SYMBOLS}])")  # 90♥, trump ♥, call A♥


class Move(NamedTuple):
    """A legal action in words. `card`, `suit` and `value` are empty where it has none."""

    action: int
    kind: str
    name: str
    label: str
    card: str
    suit: str
    value: str


def describe_move(game: Game, s: State, a: int) -> Move:
    kind, name = game.talk.kind(s, a), game.action_name(s, a)
    card = game.card_name(a) if a < game.cards and name == game.card_name(a) else ""
    found = SUITED.search(name)
    value, suit = found.groups() if found else ("", "")
    words = {
        "name": name,
        "card": card_words(card) if card else "",
        "suit": SUIT_WORDS[SUIT_SYMBOLS.index(suit)] if suit else "",
    }
    label = LABELS.get(kind, "{name}").format(**words)
    return Move(a, kind, name, label, card, suit, value)
