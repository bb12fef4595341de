"""What a deal of Hearts is worth: RULES.md, "Hearts"."""

import numpy as np

from spielgames.core.cards import NONE, count, inlined
from spielgames.core.record import State
from spielgames.hearts.rules import HEARTS, NO_TRICK_BONUS, PLAYERS, QUEEN


@inlined
def all_points(s: State) -> int:
    """What the moon is worth: 26 with the full deck."""
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
    """Penalty points: a moon counts for the others, and then nobody is rewarded for no tricks."""
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
    """The mean of the others' points minus one's own: zero-sum; a moon is +26 and −26/3."""
    total = 0.0
    for seat in range(PLAYERS):
        out[seat] = final_points(s, seat)
        total += out[seat]
    for seat in range(PLAYERS):
        out[seat] = (total - 4.0 * out[seat]) / 3.0
