"""The events of a deal as a seat saw them: trick by trick, and what was said in between."""

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

EVERYBODY = -1  # in place of a seat: a spectator who sees everything
WIDTH = 78
NO_BREAK = "\u00a0"
SEPARATOR = NO_BREAK + "· "
DRAWN, LAID = "draw", "face down"  # the words for hidden cards


class Event(NamedTuple):
    """An event, in the words of the seat that is told of it."""

    seat: int  # NOBODY if it concerns no seat
    word: str
    trick: int  # the number of the trick it belongs to, or precedes
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
    """All that happened since the deal. A trick is one card of every seat."""
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
    """The taker of each complete trick: the seat that led to the next one, or is about to."""
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
    """The taker of the last trick: the side with one more trick than the others account for."""
    won = game.public(row[0])["tricks"]
    sides = range(game.players) if len(won) == game.players else game.teams
    known = Counter(sides[seat] for seat in seats.values())
    side = next(side for side, tricks in enumerate(won) if tricks > known[side])
    members = [str(seat) for seat in range(game.players) if sides[seat] == side]
    return f"seat {'+'.join(members)}"


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
    for (seat, word), same in groupby((event.seat, event.word) for event in group):
        times = len(list(same))
        yield seat, word + (f" ×{times}" if times > 1 else "")


def who(seat: int, viewer: int) -> str:
    if seat == NOBODY:
        return ""
    return "you" if seat == viewer else f"seat {seat}"


def pack(items: Iterable[str], separator: str, first: str = "  ") -> str:
    """Pack items into as few lines as they need, without breaking any."""
    text = separator.join(item.replace(" ", NO_BREAK) for item in items)
    indent = " " * len(first)
    packed = fill(
        text, WIDTH, initial_indent=first, subsequent_indent=indent, break_on_hyphens=False
    )
    return "\n".join(line.replace(NO_BREAK, " ").rstrip() for line in packed.splitlines())
