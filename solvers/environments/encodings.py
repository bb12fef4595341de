"""What a network is shown of one of our games, and all hands for a privileged critic.

`compact` encodings are what the game's paper shows a network, `recall` all that the seat has ever
seen, `events` the compact one followed by all events in short, `paper` the hand-made features of
the game's paper, which forget most.
"""

from dataclasses import replace

import numpy as np
from numba import prange

from spielgames.core.arrays import fill
from spielgames.core.cards import bit, has, inlined
from spielgames.core.game import Game, Variant, compact_pieces
from spielgames.core.infostate import recall_pieces
from spielgames.core.loops import Kernel
from spielgames.core.pieces import Pieces, put_set
from spielgames.core.record import NOBODY, State, event_action, event_seat, is_visible
from spielgames.core.verbs import features

ENCODINGS = ("compact", "recall", "events", "paper")


def pieces_of(game: Game, variant: Variant, encoding: str) -> Pieces:
    """Return the pieces of an encoding. Each event is a row: see `put_events`."""
    if encoding == "recall":
        return recall_pieces(game, variant)
    pieces = compact_pieces(game, variant)
    if encoding == "compact":
        return pieces
    if encoding == "paper":
        return paper_pieces(game)
    told = variant.max_moves + variant.max_draws, 2
    return replace(
        pieces,
        shapes=pieces.shapes | {"told": told},
        numbers=(*pieces.numbers, "told"),
    )


def paper_pieces(game: Game) -> Pieces:
    if game.appraisal is None:
        raise ValueError(f"encoding=paper is not allowed: {game.name} has no such features")
    return game.appraisal.paper


@Kernel
def fill_features(
    states: np.ndarray, seats: np.ndarray, beliefs: np.ndarray, out: np.ndarray
) -> None:
    for i in prange(len(states)):
        fill(out[i], 0.0)
        features(states[i], seats[i], beliefs[i], out[i])


@Kernel
def show_hands(states: np.ndarray, viewers: np.ndarray, cards: int, out: np.ndarray) -> None:
    """Write whose move it is, then every hand, the viewer's first, then the piles."""
    for i in prange(len(states)):
        s = states[i]
        players = len(s.played)
        fill(out[i], 0)
        if s.turn >= 0:
            out[i, (s.turn - viewers[i]) % players] = 1
        for place in range(len(s.hands)):
            holder = (place + viewers[i]) % players if place < players else place
            put_set(out[i], players + cards * place, s.hands[holder])


@inlined
def put_events(s: State, seat: int, cards: int, out: np.ndarray) -> None:
    """Write two numbers for each event, 0 where there is none. First what was done: 0 if the seat
    did not see it, 1 + card if a card was laid open, 1 + cards + action if it was anything else.
    Then who did it: 0 if it was chance, 1 for the seat itself, 2 for the next one, …

    A card's id may also be a call's. Of all that a seat did with the id of a card that it has laid
    open, that was the last.
    """
    fill(out, 0)
    covered = s.deck
    for t in range(s.length - 1, -1, -1):
        a, who = event_action(s.events[t]), event_seat(s.events[t])
        if who != NOBODY:
            out[2 * t + 1] = 1 + (who - seat) % len(s.played)
        if who != NOBODY and a < cards and has(covered & s.played[who], a):
            covered ^= bit(a)
            out[2 * t] = 1 + a
        elif is_visible(s.events[t], seat):
            out[2 * t] = 1 + cards + a


@Kernel
def fill_events(states: np.ndarray, seats: np.ndarray, cards: int, out: np.ndarray) -> None:
    for i in prange(len(states)):
        put_events(states[i], seats[i], cards, out[i])
