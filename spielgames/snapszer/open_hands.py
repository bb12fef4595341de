"""The value of a deal of Snapszer when each seat knows the other's cards and the order of the talon
(docs/double_dummy.md). The score is the game points, of which the utility follows.
"""

import numpy as np

from spielgames.core.cards import NONE, ONE, count, inlined, int64
from spielgames.core.luck import mix
from spielgames.core.record import NOBODY, TERMINAL, State
from spielgames.snapszer.record import NO_CARD, UPCARD, is_open
from spielgames.snapszer.scoring import gained_by, worth_if_won_by


def score_bounds(s: State, seat: int) -> tuple[float, float]:
    """A deal is never worth more than if it were won now, unless a closing can still fail."""
    if s.turn == TERMINAL:
        worth = float(s.worth if s.winner == seat else -int64(s.worth))
        return worth, worth
    if is_open(s):
        return -3.0, 3.0
    return -float(worth_if_won_by(s, 1 - seat)), float(worth_if_won_by(s, seat))


def utility_of(s: State, seat: int, score: float) -> float:
    if not s.match or score == 0.0:
        return score
    if score > 0.0:
        return gained_by(s, seat, int64(score))
    return -gained_by(s, 1 - seat, int64(-score))


def future_key(s: State, seat: int) -> np.uint64:
    """At a lead: the cards that are left, all points, and how the talon was closed."""
    if s.led != NO_CARD or s.couple != NONE or s.turn < 0 or count(s.hands[0]) < 4:
        return NONE
    cards = s.hands[0] | s.hands[1] << np.uint64(20) | s.hands[UPCARD] << np.uint64(40)
    return mix(cards ^ mix(tally(s, 0) << np.uint64(32) | tally(s, 1))) | ONE


@inlined
def tally(s: State, seat: int) -> np.uint64:
    """All else about a seat that matters: at most 30 bits."""
    tally = int64(s.points[seat]) << 8 | int64(s.pending[seat])
    tally = tally << 2 | int64(s.turn == seat) << 1 | int64(s.tricks[seat] > 0)
    if s.closer != NOBODY:
        closing = int64(s.closing_points[seat] >= s.half) << 1 | int64(s.closing_tricks[seat] > 0)
        tally = tally << 3 | closing << 1 | int64(s.closer == seat)
    else:
        tally <<= 3
    return np.uint64(tally)
