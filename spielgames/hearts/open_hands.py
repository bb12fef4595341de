"""The value of a deal of Hearts seen with open hands (docs/double_dummy.md), one seat against the
others, who are as glad of a moon shot by one of them as of points that the seat takes.

The score is three times the utility: all seats' points less four times one's own.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, count, inlined, int64
from spielgames.core.record import CHANCE, TERMINAL, State
from spielgames.core.sequences import hands_key, in_hands, lowest_of_sequences
from spielgames.hearts.moon import NOBODY, sole_taker
from spielgames.hearts.rules import JACK, JACK_BONUS, NO_TRICK_BONUS, PLAYERS, QUEEN, RANKS
from spielgames.hearts.scoring import all_points, final_points

NO_TRICKS = 15  # by how much bonuses for no tricks can move a score, either way


def score_bounds(s: State, seat: int) -> tuple[float, float]:
    low, high = final_bounds(s, seat) if s.turn == TERMINAL else bounds_ahead(s, seat)
    return float(low), float(high)


@inlined
def final_bounds(s: State, seat: int) -> tuple[int, int]:
    total = 0.0
    for other in range(PLAYERS):
        total += final_points(s, other)
    score = int64(total - 4 * final_points(s, seat))
    return score, score


@inlined
def bounds_ahead(s: State, seat: int) -> tuple[int, int]:
    """The bounds before the end: as long as one seat has all points, it may yet shoot the moon."""
    every, mine, taken, jack = all_points(s), int64(s.points[seat]), int64(0), int64(0)
    for other in range(PLAYERS):
        taken += int64(s.points[other])
    total, left = every, every - taken
    if s.options & JACK_BONUS and s.deck & JACK != NONE:
        total -= 10
        jack = 40 if s.jack_taker < 0 else 0
    gained = 40 if s.jack_taker == seat else 0
    taker = sole_taker(s)
    low, high = total - 4 * (mine + left), total - 4 * mine
    if taker in (seat, NOBODY):
        high = total + 2 * every
    if taker != seat and taker >= NOBODY:
        low = min(low, total - 2 * every)
    spread = NO_TRICKS if s.options & NO_TRICK_BONUS else 0
    return low + gained - spread, high + gained + jack + spread


def utility_of(s: State, seat: int, score: float) -> float:
    return score / 3.0


def future_key(s: State, seat: int) -> np.uint64:
    """Between tricks: who holds which cards, told as places among those left, and who may yet shoot
    the moon.
    """
    if s.in_trick > 0 or s.passing or s.turn == CHANCE:
        return NONE
    rest = int64(s.turn) << 5 | (sole_taker(s) + 2) << 2
    rest |= int64(s.broken) << 1 | int64(s.jack_taker >= 0)
    if s.options & NO_TRICK_BONUS:
        for other in range(PLAYERS):
            rest |= int64(s.tricks[other] > 0) << (7 + other)
    alive = in_hands(s)
    special = places_of_special(alive)
    return hands_key(s, alive, RANKS, rest | special << 11)


@inlined
def places_of_special(alive: Cards) -> int:
    """The places of ♠Q and ♦J among the cards left."""
    queen = count(alive & (QUEEN - np.uint64(1))) if alive & QUEEN != NONE else 63
    jack = count(alive & (JACK - np.uint64(1))) if alive & JACK != NONE else 63
    return queen << 6 | jack


def distinct(s: State, actions: Cards) -> Cards:
    """Keep the lowest of cards next to each other; ♠Q is worth points, and ♦J perhaps."""
    if s.passing:
        return actions
    alive = in_hands(s) | s.trick_cards
    apart = QUEEN | JACK if s.options & JACK_BONUS else QUEEN
    return lowest_of_sequences(actions, alive, RANKS, apart & alive)
