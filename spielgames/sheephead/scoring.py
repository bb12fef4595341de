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
def payment_row(s: State) -> int:
    """The row of the payments that applies; small decks scale the 30, 60 and 90 of 120 points."""
    tricks = side_tricks(s)
    if tricks == NONE:
        return 5
    if tricks | s.hands[BURIED] == s.deck:
        return 0
    quarters, deck = 4 * side_points(s), points(s.deck)
    return 4 - (quarters > deck) - (quarters > 2 * deck) - (quarters > 3 * deck)


def returns(s: State, out: np.ndarray) -> None:
    """Cents ("Utilities"), zero-sum. The picker has two shares, or all four if alone; the partner
    one.
    """
    if s.picker == NOBODY:
        nola_returns(s, out)
        return
    alone = s.partner == NOBODY
    pays = (PAYS_ALONE if alone else PAYS_PAIR)[payment_row(s)] * (1 + s.doubled)
    out[:] = -pays
    out[s.picker] = 4 * pays if alone else 2 * pays
    if not alone:
        out[s.partner] = pays


@inlined
def nola_returns(s: State, out: np.ndarray) -> None:
    """Five from each other seat for all tricks; otherwise five to each other for the last trick."""
    last = s.winning
    all_tricks = s.taken[last] == s.public
    pays = PAYS_NOLA * (1 + s.doubled) if all_tricks else -PAYS_NOLA * (1 + s.doubled)
    out[:] = -pays
    out[last] = 4 * pays


@inlined
def is_tied(s: State) -> bool:
    """Whether a finished deal was tied at 60–60, which doubles the next five deals of a session."""
    return s.picker != NOBODY and 2 * side_points(s) == points(s.deck)
