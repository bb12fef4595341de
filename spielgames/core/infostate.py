"""The perfect-recall encodings of every game: what a seat was dealt, and all it has seen since.

Two histories get the same information state exactly when the seat cannot tell them apart. Hence it
includes whose turn it is, which may reveal who holds a card; a seat to move knows that anyway, so
at decisions what it recalls is enough. Seats are counted from the observer, so that one network can
play all of them.
"""

import numpy as np
from numba import prange

from spielgames.core.arrays import fill
from spielgames.core.cards import NONE, inlined, int64
from spielgames.core.game import Game, Variant
from spielgames.core.loops import Kernel
from spielgames.core.luck import mix
from spielgames.core.pieces import Pieces, put_set
from spielgames.core.record import NOBODY, State, event_action, event_seat, is_visible


def recall_pieces(game: Game, variant: Variant) -> Pieces:
    """The recall encoding. `events` has a row per event: the action (empty if hidden), and its
    maker.
    """
    events = variant.max_moves + variant.max_draws
    return Pieces(
        {
            "seat": (game.players,),
            "dealt": (game.cards,),
            "gained": (game.cards,),
            "events": (events, game.event_width),
        }
    )


def infostate_pieces(game: Game, variant: Variant) -> Pieces:
    """The recall encoding, then `turn`: a flag per seat, and one while cards are being dealt."""
    return Pieces(recall_pieces(game, variant).shapes | {"turn": (game.players + 1,)})


@inlined
def relative_seat(s: State, seat: int, who: int) -> int:
    """The number of seat `who`, counted from the observer; a spectator counts from seat 0."""
    players = len(s.played)
    return (who - seat) % players if seat < players else who


@inlined
def recall(s: State, seat: int, cards: int, width: int, out: np.ndarray) -> None:
    """Fill the row `out`; `width` is that of an event."""
    players = len(s.played)
    fill(out, 0)
    if seat < players:  # a spectator sees only the events
        out[seat] = 1
        put_set(out, players, s.dealt[seat])
        put_set(out, players + cards, s.gained[seat])
    at = players + 2 * cards
    for t in range(s.length):
        event = s.events[t]
        who = event_seat(event)
        if is_visible(event, seat):
            out[at + event_action(event)] = 1
        if who != NOBODY:
            out[at + width - players + relative_seat(s, seat, who)] = 1
        at += width


@inlined
def infostate(s: State, seat: int, cards: int, width: int, out: np.ndarray) -> None:
    """Fill the row `out` with the recall encoding, then with whose turn it is."""
    recall(s, seat, cards, width, out)
    players = len(s.played)
    turn = len(out) - players - 1
    if s.undealt != NONE:
        out[turn + players] = 1
    elif s.turn >= 0:
        out[turn + relative_seat(s, seat, int64(s.turn))] = 1


@inlined
def fingerprint(s: State, seat: int, seed: int) -> np.uint64:
    """A random number that is the same in all positions that the seat cannot tell apart."""
    code = mix(np.uint64(seed) ^ mix(np.uint64(seat)))
    code = mix(code ^ s.dealt[seat])
    code = mix(code ^ s.gained[seat])
    for t in range(s.length):
        event = int64(s.events[t])
        seen = event if is_visible(event, seat) else event & ~255
        code = mix(code + np.uint64(seen))
    return code


@Kernel
def fill_recalls(
    states: np.ndarray, seats: np.ndarray, cards: int, width: int, out: np.ndarray
) -> None:
    for i in prange(len(states)):
        recall(states[i], seats[i], cards, width, out[i])


@Kernel
def fill_infostates(
    states: np.ndarray, seats: np.ndarray, cards: int, width: int, out: np.ndarray
) -> None:
    for i in prange(len(states)):
        infostate(states[i], seats[i], cards, width, out[i])


@Kernel
def fill_fingerprints(states: np.ndarray, seats: np.ndarray, seed: int, out: np.ndarray) -> None:
    for i in prange(len(states)):
        out[i] = fingerprint(states[i], seats[i], seed)
