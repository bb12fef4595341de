"""The verbs of a game that hides no move and has no chance but the deal; others override them.

Five help to solve a deal with open hands (docs/double_dummy.md), and the last six serve learners
with a belief state (docs/pomdp.md).
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, int64
from spielgames.core.hidden_cards import dealt_as_held
from spielgames.core.luck import Luck
from spielgames.core.record import TERMINAL, State
from spielgames.core.verbs import returns


def chance(s: State, p: np.ndarray) -> None:
    """Do nothing: there is no chance but the deal."""


def draw(s: State, luck: Luck) -> int:
    return int64(0)  # a literal would make Numba compile `advance` once more


def margin(s: State, seat: int) -> float:
    """Return 0, as only the utility says who won."""
    return 0.0


def relax(s: State) -> None:
    """Do nothing: every rule binds one card at a time."""


def cases(s: State, seat: int, k: int, allowed: np.ndarray) -> float:
    """Return a single case: pairwise deductions are all there is."""
    return 1.0 if k == 0 else -1.0


def retrace(s: State, seat: int, w: State, luck: Luck) -> None:
    """Deal what is held: cards never change hands, and those dealt to a pile stay there."""
    dealt_as_held(s, w)
    for pile in range(len(s.played), len(s.hands)):
        w.dealt[pile] = w.hands[pile]


def allies(s: State, seat: int) -> Cards:
    """Return the seat alone: everybody plays for themselves."""
    return bit(seat)


def score_bounds(s: State, seat: int) -> tuple[float, float]:
    """The score is the utility, and nothing is known of it before the end."""
    if s.turn != TERMINAL:
        return -np.inf, np.inf
    utilities = np.zeros(len(s.played))
    returns(s, utilities)
    return utilities[seat], utilities[seat]


def utility_of(s: State, seat: int, score: float) -> float:
    return score


def future_key(s: State, seat: int) -> np.uint64:
    """Return nothing to compare positions by."""
    return NONE


def distinct(s: State, actions: Cards) -> Cards:
    """Return all of them."""
    return actions


def stage(s: State) -> int:
    return int64(0)


def is_pause(s: State) -> bool:
    return s.turn == TERMINAL


def features(s: State, seat: int, beliefs: np.ndarray, out: np.ndarray) -> None:
    """Add nothing."""


def clues(s: State, beliefs: np.ndarray, out: np.ndarray) -> None:
    """Add nothing."""


def merit(s: State, a: int) -> int:
    return a


def gain(s: State, seat: int) -> float:
    """Return 0: the utility is all there is."""
    return 0.0
