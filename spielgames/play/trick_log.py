"""What happened, as a seat saw it: trick by trick, and what was said in between."""

from collections import Counter
from collections.abc import Iterable
from itertools import groupby
from textwrap import fill
from typing import NamedTuple

import numpy as np

from spielgames.core import describe
from spielgames.core.game import Game
from spielgames.core.record import (
    NOBODY,
    event_action,
    event_seat,
    is_chance,
    is_private,
    is_visible,
)

EVERYBODY = -1  # in place of a seat: sees all that happens, as a spectator does
WIDTH = 78
NO_BREAK = "\u00a0"
SEPARATOR = NO_BREAK + "· "
DRAWN, LAID = "draw", "face down"  # what is seen of hidden cards


class Event(NamedTuple):
    """Something that happened, in the words of whoever it is told to."""

    seat: int  # NOBODY if it is chance's alone
    word: str
    trick: int  # the number of the trick that it belongs to, or comes before
    played: bool  # a card played to that trick
    decided: bool  # not by chance


def sees(viewer: int, event: int) -> bool:
    return viewer == EVERYBODY or is_visible(event, viewer)


def is_card(game: Game, event: int, word: str) -> bool:
    """Whether a card was played to a trick: openly, and named by nothing but the card."""
    a = event_action(event)
    if is_chance(event) or is_private(event) or a >= game.cards:
        return False
    return word == game.card_name(a)


def events_of(game: Game, row: np.ndarray, viewer: int) -> list[Event]:
    """All that happened since the deal. A trick is a card of every seat."""
    told: list[Event] = []
    cards = 0
    for event, word in describe.events(game, row):
        played = is_card(game, event, word)
        chance = is_chance(event)
        if not sees(viewer, event):
            word = DRAWN if chance else LAID
        told.append(Event(event_seat(event), word, cards // game.players + 1, played, not chance))
        cards += played
    return told


def trick_number(game: Game, row: np.ndarray) -> int:
    """The trick being played; 0 before the first card."""
    cards = sum(event.played for event in events_of(game, row, EVERYBODY))
    return cards // game.players + 1 if cards else 0


def takers(game: Game, row: np.ndarray, viewer: int) -> dict[int, str]:
    """Who took each complete trick: whoever led to the next one, or is about to."""
    plays = [event for event in events_of(game, row, viewer) if event.played]
    tricks, turn = len(plays) // game.players, int(row["turn"][0])
    seats = {event.trick - 1: event.seat for event in reversed(plays) if event.trick > 1}
    if tricks and len(plays) % game.players == 0 and turn >= 0:
        seats[tricks] = turn
    names = {trick: who(seat, viewer) for trick, seat in seats.items()}
    if tricks and tricks not in seats:
        names[tricks] = last_taker(game, row, seats)
    return names


def last_taker(game: Game, row: np.ndarray, seats: dict[int, int]) -> str:
    """Nobody leads after the last trick: it went to the side that has one more than we know of."""
    won = game.public(row[0])["tricks"]
    sides = range(game.players) if len(won) == game.players else game.teams
    known = Counter(sides[seat] for seat in seats.values())
    side = next(side for side, tricks in enumerate(won) if tricks > known[side])
    members = [str(seat) for seat in range(game.players) if sides[seat] == side]
    return f"seat {'+'.join(members)}"


def on_table(game: Game, events: list[Event]) -> list[Event]:
    """The cards of the trick that is not complete."""
    played = [event for event in events if event.played]
    return played[len(played) // game.players * game.players :]


def since(events: list[Event], viewer: int) -> list[Event]:
    """What came after the viewer's last move; if that was a card, his whole trick too."""
    mine = [i for i, event in enumerate(events) if event.decided and event.seat == viewer]
    if not mine:
        return events
    last = events[mine[-1]]
    whole = (i for i, event in enumerate(events) if event.played and event.trick == last.trick)
    return events[next(whole) if last.played else mine[-1] + 1 :]


def tell(events: Iterable[Event], taken: dict[int, str], viewer: int) -> str:
    """A line for each trick, and for what was said or drawn in between."""
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
    """Who did what, several equal moves in a row as one."""
    for (seat, word), same in groupby((event.seat, event.word) for event in group):
        times = len(list(same))
        yield seat, word + (f" ×{times}" if times > 1 else "")


def who(seat: int, viewer: int) -> str:
    if seat == NOBODY:
        return ""
    return "you" if seat == viewer else f"seat {seat}"


def pack(items: Iterable[str], separator: str, first: str = "  ") -> str:
    """Items in as few lines as they need, none of them broken."""
    text = separator.join(item.replace(" ", NO_BREAK) for item in items)
    indent = " " * len(first)
    packed = fill(
        text, WIDTH, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
    )
    return "\n".join(line.replace(NO_BREAK, " ").rstrip() for line in packed.splitlines())
