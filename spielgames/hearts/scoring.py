"""The scores of a deal of Hearts (docs/rules/hearts.md, "Scoring")."""

import numpy as np

from spielgames.core.cards import NONE, count, inlined
from spielgames.core.record import State
from spielgames.hearts.rules import HEARTS, NO_TRICK_BONUS, PLAYERS, QUEEN


@inlined
def all_points(s: State) -> int:
    """All penalty points in the deck: 26 in the full game."""
    queen = 13 if s.deck & QUEEN != NONE else 0
    return count(s.deck & HEARTS) + queen


@inlined
def moon_shooter(s: State) -> int:
    """The seat that took all hearts and ♠Q, or −1."""
    for seat in range(PLAYERS):
        if s.points[seat] == all_points(s):
            return seat
    return -1


@inlined
def final_points(s: State, seat: int) -> float:
    """A seat's penalty points, after the moon and the bonuses ("Scoring", "Flags"). A moon counts
    for the others, and nobody then gets the bonus for no tricks.
    """
    shooter = moon_shooter(s)
    points = np.float64(s.points[seat])
    if shooter >= 0:
        points = np.float64(0 if seat == shooter else all_points(s))
    elif s.options & NO_TRICK_BONUS and s.tricks[seat] == 0:
        points -= 5
    if s.jack_taker == seat:
        points -= 10
    return points


def returns(s: State, out: np.ndarray) -> None:
    """The mean of the others' points less one's own ("Utilities"). Zero-sum; a moon pays +26,
    −26/3.
    """
    total = 0.0
    for seat in range(PLAYERS):
        out[seat] = final_points(s, seat)
        total += out[seat]
    for seat in range(PLAYERS):
        out[seat] = (total - 4.0 * out[seat]) / 3.0
