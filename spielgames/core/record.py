"""The fields that every game's state record has, and how events are packed.

deck     the cards of the variant (a parameter)
hands    one set per seat, then the hidden piles (talon, blind, buried, …)
dealt    what the deal placed in each of those (the origin of every card)
gained   per seat: cards received later without an event that names them (passed, blind, drawn)
played   per seat: cards played openly
public   cards whose place everybody knows: played, or shown while in a hand
undealt  cards that chance has yet to place, in deck order
room     how many more cards chance places in each hand or pile
turn     whose move: a seat, CHANCE or TERMINAL
private  whether the next move is seen by its maker alone
drawer   the seat that alone sees the pending chance outcome; NOBODY if all do
length   how many events have happened since the deal
events   what happened: action, who, and whether it was chance or private
"""

import numpy as np

from spielgames.core.cards import Cards, inlined, int64

State = np.record
CHANCE = -1
TERMINAL = -4
NOBODY = 15
OUTSIDER = 14  # a spectator, who sees only what everybody sees
IS_CHANCE = 1 << 12
IS_PRIVATE = 1 << 13


def state_dtype(players: int, piles: int, events: int, fields: list[tuple]) -> np.dtype:
    """The dtype of a game's record: the common fields and its own, widest first so they pack
    well.
    """
    common = [
        ("deck", "u8"),
        ("hands", "u8", (players + piles,)),
        ("dealt", "u8", (players + piles,)),
        ("gained", "u8", (players,)),
        ("played", "u8", (players,)),
        ("public", "u8"),
        ("undealt", "u8"),
        ("room", "i1", (players + piles,)),
        ("turn", "i1"),
        ("private", "i1"),
        ("drawer", "i1"),
        ("length", "i1"),
        ("events", "u2", (events,)),
    ]
    for name, *_ in common + fields:
        if hasattr(np.record, name):
            raise ValueError(
                f"a field can't be called {name!r}: NumPy's records have that attribute"
            )
    order = sorted(common + fields, key=lambda f: -np.dtype(f[1]).itemsize)
    return np.dtype((np.record, np.dtype(order, align=True)))


@inlined
def note_event(s: State, a: int) -> None:
    """Append the move about to be made to the history."""
    if s.turn == CHANCE:
        event = a | int64(s.drawer) << 8 | IS_CHANCE
    else:
        event = a | int64(s.turn) << 8 | (IS_PRIVATE if s.private else 0)
    s.events[s.length] = event
    s.length += 1


@inlined
def event_action(event: int) -> int:
    return int64(event) & 255


@inlined
def set_event_action(s: State, t: int, a: int) -> None:
    """Rewrite the action of an event (in worlds, where hidden events are invented)."""
    s.events[t] = (int64(s.events[t]) & ~255) | a


@inlined
def event_seat(event: int) -> int:
    return int64(event) >> 8 & 15


@inlined
def is_chance(event: int) -> bool:
    return int64(event) & IS_CHANCE != 0


@inlined
def is_private(event: int) -> bool:
    return int64(event) & IS_PRIVATE != 0


@inlined
def is_visible(event: int, seat: int) -> bool:
    """Whether a seat saw what happened. (Everybody sees that something happened.)"""
    who = event_seat(event)
    hidden = is_private(event) or (is_chance(event) and who != NOBODY)
    return not hidden or who == seat


@inlined
def lay_open(s: State, seat: int, card: Cards) -> None:
    """Let a seat play a card of its hand in the open."""
    s.hands[seat] ^= card
    s.played[seat] |= card
    s.public |= card


@inlined
def clear(s: State) -> None:
    """Reset the common fields; every game's `reset` starts with this."""
    for place in range(len(s.hands)):
        s.hands[place] = 0
        s.dealt[place] = 0
        s.room[place] = 0
    for seat in range(len(s.played)):
        s.gained[seat] = 0
        s.played[seat] = 0
    s.public = 0
    s.undealt = s.deck
    s.turn = CHANCE
    s.private = 0
    s.drawer = NOBODY
    s.length = 0
