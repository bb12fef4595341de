"""The value of a deal of Sheephead seen with open hands (docs/double_dummy.md).

The score is the points of the picker's side, −1 if it has no trick, and one more than there are for
all tricks; for the others, the same with a minus sign. In Nola, everybody plays for themselves, and
the score is the utility.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, has, inlined, int64
from spielgames.core.record import NOBODY, TERMINAL, State
from spielgames.core.sequences import in_hands
from spielgames.sheephead.cards import points
from spielgames.sheephead.rules import BURIED, LAYING, PLAYERS, UNDER, is_nola
from spielgames.sheephead.scoring import (
    PAYS_NOLA,
    nola_pays,
    pays_of,
    row_of,
    share_of,
    side_tricks,
)

SEVERAL = PLAYERS


def allies(s: State, seat: int) -> Cards:
    if s.phase < LAYING:
        return NONE
    if is_nola(s):
        return bit(seat)
    side = bit(s.picker)
    if s.partner != NOBODY:
        side |= bit(s.partner)
    return side if has(side, seat) else bit(PLAYERS) - np.uint64(1) & ~side


def score_bounds(s: State, seat: int) -> tuple[float, float]:
    if s.picker == NOBODY:
        return nola_bounds(s, seat)
    low, high = side_bounds(s)
    return (-high, -low) if share_of(s, seat) < 0 else (low, high)


@inlined
def side_bounds(s: State) -> tuple[float, float]:
    """The fewest and the most points that the picker's side can still end with."""
    tricks, all_points = side_tricks(s), points(s.deck)
    others = NONE
    for seat in range(PLAYERS):
        others |= s.taken[seat]
    others &= ~tricks
    low = points(tricks | s.hands[BURIED]) if tricks != NONE else -1
    high = all_points - points(others) if others != NONE else all_points + 1
    if s.turn == TERMINAL:
        low = high if others == NONE else low
        high = low
    return float(low), float(high)


@inlined
def sole_taker(s: State) -> int:
    """The only seat that has taken tricks; SEVERAL, or NOBODY, otherwise."""
    found = NOBODY
    for seat in range(PLAYERS):
        if s.taken[seat] != NONE:
            found = seat if found == NOBODY else SEVERAL
    return found


@inlined
def nola_bounds(s: State, seat: int) -> tuple[float, float]:
    unit = PAYS_NOLA * (1 + s.doubled)
    if s.turn == TERMINAL:
        pays = nola_pays(s)
        utility = 4 * pays if s.winning == seat else -pays
        return utility, utility
    taker = sole_taker(s)
    return -4 * unit, 4 * unit if taker in (seat, NOBODY) else unit


def utility_of(s: State, seat: int, score: float) -> float:
    if s.picker == NOBODY:
        return score
    share = share_of(s, seat)
    return share * pays_of(s, row_of(s, int64(-score if share < 0 else score)))


def future_key(s: State, seat: int) -> np.uint64:
    """Between tricks: the cards left, all of whose holders are known, and who leads; the picker's
    duties; and who has taken tricks.
    """
    if s.in_trick > 0:
        return NONE
    key = in_hands(s) | s.hands[UNDER]
    key |= np.uint64(1) << np.uint64(32) | np.uint64(s.turn) << np.uint64(33)
    key |= np.uint64(s.answered) << np.uint64(36)
    key |= np.uint64(s.hands[UNDER] != NONE) << np.uint64(37)
    return key | np.uint64(takers(s)) << np.uint64(38)


@inlined
def takers(s: State) -> int:
    if is_nola(s):
        return sole_taker(s)
    tricks = side_tricks(s)
    others = False
    for seat in range(PLAYERS):
        others |= s.taken[seat] & ~tricks != NONE
    return int64(tricks != NONE) << 1 | int64(others)
