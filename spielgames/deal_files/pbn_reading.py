"""Reading deals of Hokm and Hearts from Portable Bridge Notation, as `deal_files.pbn` writes it."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

import numpy as np
import pyspiel

from spielgames.core.game import Game
from spielgames.core.registry import find
from spielgames.core.state import CardState
from spielgames.deal_files.history import FinishedDeal
from spielgames.deal_files.lines import agree
from spielgames.deal_files.pbn import BETWEEN, END, GAMES, NAMES, SEATS, SUITS, TABLE, spelt
from spielgames.play.typed import Hands, named_cards, next_place

TAG = re.compile(r'\[\s*(\w+)\s+"(.*)"\s*\]')
COMMENT = re.compile(r"\{[^}]*\}|;[^\n\"]*$", re.MULTILINE)
NOTE = re.compile(r"=\d+=|\$\d+|\^.*")  # annotations among the cards
NEEDED = ("Game", "Deal", "Play")


class Token(NamedTuple):
    """A word and the number of its line."""

    word: str
    line: int


class Section(NamedTuple):
    """A tag's value, and the tokens that follow it."""

    line: int
    value: str
    tokens: list[Token]


Tags = dict[str, Section]


def read_pbn(text: str, source: str) -> list[FinishedDeal]:
    """All deals of a text that comes from some source."""
    deals = []
    for tags in games_of(text, source):
        try:
            deals.append(deal_of(tags))
        except ValueError as error:
            raise ValueError(f"{source}, {error}") from None
    return deals


def games_of(text: str, source: str) -> Iterator[Tags]:
    """The tags of each game. A tag that comes again begins the next one."""
    tags: Tags = {}
    last = Section(0, "", [])
    quiet = COMMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
    for number, line in enumerate(map(str.strip, quiet.splitlines()), 1):
        if not line or line.startswith("%"):
            continue
        if not line.startswith("[") and tags:
            words = (word for word in line.split() if not NOTE.fullmatch(word))
            last.tokens.extend(Token(word, number) for word in words)
            continue
        found = TAG.fullmatch(line)
        if not found:
            raise ValueError(f"{source}, line {number}: {line[:40]!r} is not a tag of PBN")
        if found[1] in tags:
            yield tags
            tags = {}
        last = tags[found[1]] = Section(number, found[2], [])
    if tags:
        yield tags


@contextmanager
def on_line(number: int) -> Iterator[None]:
    """A context whose errors are about a line."""
    try:
        yield
    except ValueError as error:
        raise ValueError(f"line {number}: {error}") from None


def deal_of(tags: Tags) -> FinishedDeal:
    """The deal of a game's tags, played again."""
    with on_line(min(section.line for section in tags.values())):
        missing = [name for name in NEEDED if name not in tags]
        if missing:
            raise ValueError(f"this game has no tag {missing[0]}")
    name = tags["Game"].value
    with on_line(tags["Game"].line):
        game, _ = find(name)
        if game.name not in GAMES:
            raise ValueError(f"PBN is for Hokm and Hearts, not {name}")
    state = pyspiel.load_game(name).new_initial_state()
    end = follow(state, hands_of(game, state.row, tags), tags)
    if "Returns" in tags:
        check_returns(tags["Returns"], end.returns())
    people = tuple(tags[name].value if name in tags else "?" for name in NAMES)
    return FinishedDeal(end, () if set(people) == {"?"} else people)


def check_returns(told: Section, true: list[float]) -> None:
    with on_line(told.line):
        if not agree(numbers(told.value), true):
            raise ValueError(f"the returns are {told.value}, but the play leads to {true}")


def numbers(text: str) -> list[float]:
    try:
        return [float(word) for word in text.split()]
    except ValueError:
        raise ValueError(f"{text!r} are not returns") from None


def hands_of(game: Game, row: np.ndarray, tags: Tags) -> Hands:
    """The cards of each place, as they are dealt."""
    deck = {spelt(word): card for card, word in zip(*named_cards(game, row), strict=True)}
    deal = tags["Dealt"] if "Dealt" in tags else tags["Deal"]
    with on_line(deal.line):
        hands = seat_hands(deal.value, deck)
    if "Preview" in tags:  # before seat 0, which gets the rest
        with on_line(tags["Preview"].line):
            preview = hand_of(tags["Preview"].value, deck)
        hands[0] = [card for card in hands[0] if card not in preview]
        hands = {game.players: preview} | hands
    return hands


def seat_hands(text: str, deck: dict[str, int]) -> Hands:
    """The cards of all seats, which hold the deck."""
    first, _, rest = text.partition(":")
    written = rest.split()
    if len(first) != 1 or first not in SEATS or len(written) != TABLE:
        raise ValueError("a deal is written N:HAND HAND HAND HAND, from the seat before the colon")
    start = SEATS.index(first)
    hands = {(start + k) % TABLE: hand_of(hand, deck) for k, hand in enumerate(written)}
    if sorted(card for hand in hands.values() for card in hand) != sorted(deck.values()):
        raise ValueError("the hands do not hold each card of the deck once")
    return hands


def hand_of(text: str, deck: dict[str, int]) -> list[int]:
    """The cards of `AKQ.J5.T.98`."""
    suits = text.split(".")
    if len(suits) != len(SUITS):
        raise ValueError(f"{text!r} is not a hand: four suits are separated by dots")
    words = [suit + rank for suit, ranks in zip(SUITS, suits, strict=True) for rank in ranks]
    unknown = [word for word in words if word not in deck]
    if unknown:
        raise ValueError(f"{unknown[0]!r} is not a card of this deck")
    return [deck[word] for word in words]


def follow(state: CardState, hands: Hands, tags: Tags) -> CardState:
    """Deal the hands, do what was done before the play, and play."""
    play, before = tags["Play"], words_of(tags.get("Before"))
    with on_line(play.line):
        if play.value not in list(SEATS):
            raise ValueError(f"Play is {play.value!r}; it is the seat that leads: one of {SEATS}")
    done = 0  # cards played
    while not state.is_terminal():
        action = next_place(state, hands) if state.is_chance_node() else None
        if action is None and before:
            action = action_of(state, before.pop(0))
        elif action is None:
            column = (state.current_player() - SEATS.index(play.value)) % TABLE
            action = action_of(state, token_at(play, done // TABLE * TABLE + column))
            done += 1
        state = state.child(action)
    return state


def words_of(before: Section | None) -> list[Token]:
    """What was done before the play."""
    return [Token(word, before.line) for word in before.value.split(BETWEEN)] if before else []


def token_at(section: Section, place: int) -> Token:
    """The word at a place; past the last, the sign that the play ends."""
    tokens = section.tokens
    last = tokens[-1].line if tokens else section.line
    return tokens[place] if place < len(tokens) else Token(END, last)


def action_of(state: CardState, token: Token) -> int:
    """The legal action that is written like that."""
    names = {spelt(state.action_to_string(action)): action for action in state.legal_actions()}
    with on_line(token.line):
        if token.word in names:
            return names[token.word]
        turn = state.current_player()
        who = SEATS[turn] if turn >= 0 else "chance"
        if token.word == END:
            raise ValueError(f"the play ends before the deal does: {who} is to move")
        raise ValueError(f"{who} cannot do {token.word!r}; allowed are {', '.join(names)}")
