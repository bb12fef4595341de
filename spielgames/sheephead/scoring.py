"""The payments of a deal of Sheephead (docs/rules/sheephead.md, "Scoring" and "Nola")."""

import numpy as np

from spielgames.core.cards import NONE, Cards, inlined
from spielgames.core.record import NOBODY, State
from spielgames.sheephead.cards import points
from spielgames.sheephead.rules import BURIED

# What each opponent pays, by what the picker's side has: all tricks; more than 3/4 of the points,
# 1/2, 1/4; less; no trick.
PAYS_PAIR = np.array([15.0, 10.0, 5.0, -10.0, -15.0, -20.0])
PAYS_ALONE = np.array([25.0, 20.0, 15.0, -20.0, -25.0, -30.0])
PAYS_NOLA = 5.0


@inlined
def side_tricks(s: State) -> Cards:
    """The cards in the tricks of the picker's side."""
    if s.partner == NOBODY:
        return s.taken[s.picker]
    return s.taken[s.picker] | s.taken[s.partner]


@inlined
def side_points(s: State) -> int:
    """The points of the picker's side, which has the buried cards."""
    return points(side_tricks(s) | s.hands[BURIED])


@inlined
def final_score(s: State) -> int:
    """The points of the picker's side; −1 if it has no trick, and one more than there are for all
    tricks.
    """
    tricks = side_tricks(s)
    if tricks == NONE:
        return -1
    return points(s.deck) + 1 if tricks | s.hands[BURIED] == s.deck else side_points(s)


@inlined
def row_of(s: State, score: int) -> int:
    """The row of the payments that applies; small decks scale the 30, 60 and 90 of 120 points."""
    quarters, deck = 4 * score, points(s.deck)
    if score < 0:
        return 5
    if score > deck:
        return 0
    return 4 - (quarters > deck) - (quarters > 2 * deck) - (quarters > 3 * deck)


@inlined
def pays_of(s: State, row: int) -> float:
    """What each opponent pays."""
    pays = PAYS_ALONE if s.partner == NOBODY else PAYS_PAIR
    return pays[row] * (1 + s.doubled)


@inlined
def share_of(s: State, seat: int) -> int:
    """The picker has two shares, or all four if alone; the partner one; the others pay one."""
    if seat == s.picker:
        return 4 if s.partner == NOBODY else 2
    return 1 if seat == s.partner else -1


def returns(s: State, out: np.ndarray) -> None:
    """Cents ("Utilities"), zero-sum."""
    if s.picker == NOBODY:
        pays = nola_pays(s)
        for seat in range(len(out)):
            out[seat] = 4 * pays if seat == s.winning else -pays
        return
    pays = pays_of(s, row_of(s, final_score(s)))
    for seat in range(len(out)):
        out[seat] = share_of(s, seat) * pays


@inlined
def nola_pays(s: State) -> float:
    """Five from each other seat for all tricks; otherwise five to each other for the last trick;
    nothing for a deal without Nola that is to be dealt again.
    """
    if not s.nola:
        return 0.0
    all_tricks = s.taken[s.winning] == s.public
    return PAYS_NOLA * (1 + s.doubled) if all_tricks else -PAYS_NOLA * (1 + s.doubled)


@inlined
def is_tied(s: State) -> bool:
    """Whether a finished deal was tied at 60–60, which doubles the next five deals of a session."""
    return s.picker != NOBODY and 2 * side_points(s) == points(s.deck)
