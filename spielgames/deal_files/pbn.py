"""Deals of Hokm and Hearts in Portable Bridge Notation (PBN 2.1), which bridge programs read.

Seats 0 to 3 are North, East, South and West. The Deal tag has the hands as play begins. In Hokm the
contract is for seven tricks in the Hakem's trump: at bridge, level one. Own tags say what PBN has
no word for, and other programs skip them:

    Game      the variant
    Before    what was done before the play, in order: the suit named, or the cards passed
    Dealt     in Hearts, the hands before the cards were passed
    Preview   in Hokm, the cards that the Hakem saw before naming trump
    Returns   the utilities of the seats
"""

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

import numpy as np

from spielgames.core import describe
from spielgames.core.cards import SUIT_SYMBOLS, members
from spielgames.core.game import Game
from spielgames.core.record import event_action, event_seat
from spielgames.core.state import CardState
from spielgames.core.talk import PLAY
from spielgames.deal_files.history import FinishedDeal

GAMES = ("python_hokm", "python_hearts")
SEATS = "NESW"
NAMES = ("North", "East", "South", "West")
SUITS = "SHDC"  # in the order of a hand
LETTERS = dict(zip(SUIT_SYMBOLS, "CDHS", strict=True))
TABLE = 4  # seats, and cards of a trick
NOT_PLAYED, END = "-", "*"
BETWEEN = "; "  # what was done before the play
FIRST = "% PBN 2.1"
TEN = "10", "T"


class Play(NamedTuple):
    """A card that was played."""

    seat: int
    card: str


class Told(NamedTuple):
    """A deal as PBN has it."""

    hands: list[str]  # as the play begins
    before: list[str]
    plays: list[Play]


def spelt(word: str) -> str:
    """`10♣` becomes CT, `trump ♠` becomes `trump S`: PBN knows no suit symbols."""
    if word[-1] in LETTERS and " " not in word:
        return LETTERS[word[-1]] + word[:-1].replace(*TEN)
    return "".join(LETTERS.get(letter, letter) for letter in word)


def hand_text(game: Game, cards: np.uint64) -> str:
    """`AKQ.J5.T.98`: spades, hearts, diamonds, clubs."""
    names = [spelt(game.card_name(card)) for card in reversed(list(members(cards)))]
    return ".".join("".join(name[1:] for name in names if name[0] == suit) for suit in SUITS)


def tell(state: CardState) -> Told:
    """What PBN says about a finished deal."""
    game, before, plays = state.definition, [], []
    hands: list[str] = []
    for s, event in describe.passages(state.row):
        action = event_action(event)
        word = spelt(game.action_name(s, action))
        if game.talk.kind(s, action) == PLAY:
            hands = hands or [hand_text(game, cards) for cards in s.hands[: game.players]]
            plays.append(Play(event_seat(event), word))
        else:
            before.append(word)
    return Told(hands, before, plays)


def to_text(deals: list[FinishedDeal]) -> str:
    """A PBN file."""
    parts = [game_text(finished, number) for number, finished in enumerate(deals, 1)]
    return "\n".join([FIRST, *parts])


def game_text(finished: FinishedDeal, number: int) -> str:
    """The tags and the play of one deal."""
    game = finished.end.definition
    if game.name not in GAMES:
        raise ValueError(f"PBN is for Hokm and Hearts; for {finished.game}, use JSON lines")
    told = tell(finished.end)
    tags = tags_of(finished, told, number)
    leader = told.plays[0].seat
    lines = [f'[{name} "{text}"]' for name, text in tags.items()]
    return "\n".join([*lines, f'[Play "{SEATS[leader]}"]', *tricks(told.plays, leader), ""])


def tags_of(finished: FinishedDeal, told: Told, number: int) -> dict[str, str]:
    """PBN's fifteen obligatory tags, in their order, and our own."""
    row, game = finished.end.row[0], finished.end.definition
    people = dict(zip(NAMES, finished.seats or ("?",) * len(NAMES), strict=True))
    dealt = [hand_text(game, cards) for cards in row.dealt[: game.players]]
    hokm = game.name == "python_hokm"
    contract = f"1{LETTERS[SUIT_SYMBOLS[row.trump]]}" if hokm else ""
    tags = {"Event": game.title, "Site": "", "Date": "????.??.??", "Board": str(number)}
    tags |= {seat: people[seat].replace('"', "'") for seat in ("West", "North", "East", "South")}
    tags |= {"Dealer": "N", "Vulnerable": "None", "Deal": f"N:{' '.join(told.hands)}"}
    tags |= {"Scoring": "", "Declarer": "N" if hokm else "", "Contract": contract}
    tags |= {"Result": str(row.tricks[0]) if hokm else "", "Game": finished.game}
    tags |= {"Before": BETWEEN.join(told.before)} if told.before else {}
    tags |= {"Preview": hand_text(game, row.dealt[game.players])} if hokm else {}
    tags |= {"Dealt": f"N:{' '.join(dealt)}"} if not hokm and dealt != told.hands else {}
    return tags | {"Returns": " ".join(f"{x:.12g}" for x in finished.end.returns())}


def tricks(plays: list[Play], leader: int) -> Iterator[str]:
    """A line for each trick; the columns are the seats, clockwise from the first leader."""
    for _, trick in groupby(enumerate(plays), lambda pair: pair[0] // TABLE):
        cards = {play.seat: play.card for _, play in trick}
        yield " ".join(cards.get((leader + k) % TABLE, NOT_PLAYED) for k in range(TABLE))
    yield END
