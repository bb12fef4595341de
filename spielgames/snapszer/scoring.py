"""The value of a Snapszer deal (docs/rules/snapszer.md, "Scoring")."""

import numpy as np

from spielgames.core.cards import inlined
from spielgames.core.record import NOBODY, TERMINAL, State
from spielgames.snapszer.chances import CHANCES
from spielgames.snapszer.record import SCHNAPSEN, SNAPSZER


@inlined
def conclude(s: State, winner: int) -> None:
    """End the deal: won with 66 points, by a failed closing, or (snapszer) by the last trick."""
    finish(s, winner, worth_if_won_by(s, winner))


@inlined
def worth_if_won_by(s: State, winner: int) -> int:
    """The game points of a deal that ends now."""
    loser = 1 - winner
    if s.closer == loser:
        return failed_closing(s)
    if s.closer == winner and s.rules == SCHNAPSEN:
        return game_points(s, s.closing_tricks[loser], s.closing_points[loser])
    return game_points(s, s.tricks[loser], s.points[loser])


@inlined
def conclude_played_out(s: State, winner: int) -> None:
    """End a deal without 66 points: the closer has failed, or else the last trick wins."""
    if s.closer != NOBODY:
        conclude(s, 1 - s.closer)
    elif s.rules == SCHNAPSEN:
        finish(s, winner, 1)
    else:
        conclude(s, winner)


@inlined
def game_points(s: State, tricks: int, points: int) -> int:
    """The game points won from a loser with these tricks and points."""
    if tricks == 0:
        return 3
    return 2 if points < s.half else 1


@inlined
def failed_closing(s: State) -> int:
    """The cost of failing: 3 if the opponent had no trick at closing (by snapszer rules, if either
    had none), else 2.
    """
    trickless = s.closing_tricks[1 - s.closer] == 0
    if s.rules == SNAPSZER and s.closing_tricks[s.closer] == 0:
        trickless = True
    return 3 if trickless else 2


@inlined
def finish(s: State, winner: int, worth: int) -> None:
    s.winner = winner
    s.worth = worth
    s.turn = TERMINAL


def returns(s: State, out: np.ndarray) -> None:
    gain = gained_by(s, s.winner, s.worth)
    out[s.winner] = gain
    out[1 - s.winner] = -gain


@inlined
def gained_by(s: State, winner: int, worth: int) -> float:
    """The utility of winning so many game points; in a match, by how much the chance of winning it
    grows.
    """
    if not s.match:
        return float(worth)
    own, other = s.score[winner], s.score[1 - winner]
    return CHANCES[own + worth, other] - CHANCES[own, other]
