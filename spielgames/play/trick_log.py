"""The events of a deal as a seat saw them: trick by trick, and what was said in between."""

from collections.abc import Iterable
from itertools import groupby
from shutil import get_terminal_size
from textwrap import fill
from typing import NamedTuple

import numpy as np

from spielgames.core import describe, one_game
from spielgames.core.game import Game
from spielgames.core.record import (
    NOBODY,
    State,
    event_action,
    event_seat,
    is_chance,
    is_visible,
)
from spielgames.core.talk import CARD_KINDS, PLAY

EVERYBODY = -1  # in place of a seat: a spectator who sees everything
WIDTH, NARROWEST = 78, 58  # of the table
NO_BREAK = "\u00a0"
SEPARATOR = NO_BREAK + "· "
DEEDS = {"bury": "bury", "pass_card": "pass", "lay": "lay"}  # with cards that are not played
DRAWN, LAID = "draw", "face down"  # the words for hidden cards


class Event(NamedTuple):
    """An event, in the words of the seat that is told of it."""

    seat: int  # NOBODY if it concerns no seat
    word: str
    trick: int  # the number of the trick it belongs to, or precedes
    kind: str
    decided: bool  # not by chance
    said: str  # aloud
    card: str  # that moves, if the seat saw it

    @property
    def played(self) -> bool:
        """Whether a card was played to the trick."""
        return self.kind == PLAY


class Story(NamedTuple):
    """All that happened since the deal, as a seat saw it."""

    events: list[Event]
    winners: dict[int, int]  # of the complete tricks


def sees(viewer: int, event: int) -> bool:
    return viewer == EVERYBODY or is_visible(event, viewer)


class Chronicle:
    """The story of a deal as a viewer sees it, which is read on as the deal goes on."""

    def __init__(self, game: Game, viewer: int) -> None:
        self.game, self.viewer = game, viewer
        self.row: np.ndarray | None = None  # how far it has been read

    def read(self, row: np.ndarray) -> Story:
        """The story up to a state. A trick is one card of every seat."""
        if self.row is None or not leads_to(self.row, row):
            self.row = row.copy()
            one_game.start_dealt(self.row, row)
            self.story, self.cards = Story([], {}), 0
        for s, event in describe.later_passages(self.row, row):
            self.note_winner(s)
            self.note(s, event)
        self.note_winner(row[0])
        return self.story

    def note_winner(self, s: State) -> None:
        tricks, more = divmod(self.cards, self.game.players)
        if tricks and not more and tricks not in self.story.winners:
            self.story.winners[tricks] = self.game.talk.winner(s)

    def note(self, s: State, event: int) -> None:
        game, a, chance = self.game, event_action(event), is_chance(event)
        kind, word, said = game.talk.kind(s, a), game.action_name(s, a), game.talk.said(s, a)
        card = game.card_name(a) if kind in CARD_KINDS else ""
        if not sees(self.viewer, event):
            word, card = DRAWN if chance else LAID, ""
        trick = self.cards // game.players + 1
        self.story.events.append(
            Event(event_seat(event), word, trick, kind, not chance, said, card)
        )
        self.cards += kind == PLAY


def leads_to(past: np.ndarray, row: np.ndarray) -> bool:
    """Whether a deal that is at `past` may go on to `row`."""
    n = past["length"][0]
    same = past["events"][0, :n] == row["events"][0, :n]
    dealt = past["dealt"] == row["dealt"]
    return bool(n <= row["length"][0] and same.all() and dealt.all())


def read_story(game: Game, row: np.ndarray, viewer: int) -> Story:
    """All that happened since the deal."""
    return Chronicle(game, viewer).read(row)


def events_of(game: Game, row: np.ndarray, viewer: int) -> list[Event]:
    """All that happened since the deal."""
    return read_story(game, row, viewer).events


def trick_number(game: Game, row: np.ndarray) -> int:
    """The trick being played; 0 before the first card."""
    cards = sum(event.played for event in events_of(game, row, EVERYBODY))
    return cards // game.players + 1 if cards else 0


def takers(game: Game, row: np.ndarray, viewer: int) -> dict[int, str]:
    """The taker of each complete trick."""
    winners = read_story(game, row, viewer).winners
    return {trick: who(seat, viewer) for trick, seat in winners.items()}


def on_table(game: Game, events: list[Event]) -> list[Event]:
    """The cards of the incomplete trick."""
    played = [event for event in events if event.played]
    return played[len(played) // game.players * game.players :]


def since(events: list[Event], viewer: int) -> list[Event]:
    """The events after the viewer's last move; if that was a card, with its whole trick."""
    mine = [i for i, event in enumerate(events) if event.decided and event.seat == viewer]
    if not mine:
        return events
    last = events[mine[-1]]
    whole = (i for i, event in enumerate(events) if event.played and event.trick == last.trick)
    return events[next(whole) if last.played else mine[-1] + 1 :]


def tell(events: Iterable[Event], taken: dict[int, str], viewer: int) -> str:
    """One line for each trick, and for what was said or drawn in between."""
    groups = groupby(events, key=lambda event: (event.trick, event.played))
    return "\n".join(
        tell_group(list(group), trick if played else 0, taken, viewer)
        for (trick, played), group in groups
    )


def tell_group(group: list[Event], trick: int, taken: dict[int, str], viewer: int) -> str:
    moves = [": ".join(filter(None, (who(seat, viewer), word))) for seat, word in repeated(group)]
    if trick in taken:
        moves[-1] += f" → {taken[trick]}"
    return pack(moves, SEPARATOR, f"  trick {trick}:  " if trick else "  ")


def repeated(group: list[Event]) -> Iterable[tuple[int, str]]:
    """Each seat and its move, with several equal moves in a row as one."""
    for (seat, word), same in groupby((event.seat, deed(event)) for event in group):
        times = len(list(same))
        yield seat, word + (f" ×{times}" if times > 1 else "")


def deed(event: Event) -> str:
    """`Q♠`, or `bury Q♠` where a card that is seen is not played."""
    verb = DEEDS.get(event.kind) if event.card else None
    return f"{verb} {event.word}" if verb else event.word


def who(seat: int, viewer: int) -> str:
    if seat == NOBODY:
        return ""
    return "you" if seat == viewer else f"seat {seat}"


def width() -> int:
    """The width of the table: that of the terminal, within limits."""
    return max(NARROWEST, min(WIDTH, get_terminal_size().columns - 2))


def pack(items: Iterable[str], separator: str, first: str = "  ") -> str:
    """Pack items into as few lines as they need, without breaking any."""
    text = separator.join(item.replace(" ", NO_BREAK) for item in items)
    indent = " " * len(first)
    packed = fill(
        text, width(), initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
    )
    return "\n".join(line.replace(NO_BREAK, " ").rstrip() for line in packed.splitlines())
