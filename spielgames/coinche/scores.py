"""The value of a deal of Coinche (docs/rules/coinche.md, "Scoring")."""

import numpy as np

from spielgames.coinche.rules import LADDER, PASS, PLAYERS, level_of
from spielgames.coinche.tables import RANKS
from spielgames.core.cards import inlined, int64
from spielgames.core.record import State

REWARDS = ("mirror", "classic", "no_defense", "good", "made_and_announced")
MIRROR, CLASSIC, NO_DEFENSE, GOOD, MADE_AND_ANNOUNCED = range(5)

STEP = 10  # points from one level of the ladder to the next
BELOTE_POINTS = 20
KING_AND_QUEEN = np.uint64(0b01100000)  # within a suit


@inlined
def bid_value(s: State, bid: int) -> int:
    level = level_of(bid)
    return int64(s.capot) if level == LADDER else int64(s.lowest) + STEP * level


@inlined
def belote_of(s: State, team: int) -> int:
    """20 for trump king and queen dealt to one hand."""
    points = 0
    pair = KING_AND_QUEEN << np.uint64(RANKS * s.trump)
    for seat in range(team, PLAYERS, 2):
        if s.belote and s.dealt[seat] & pair == pair:
            points += BELOTE_POINTS
    return points


@inlined
def points_made(s: State, team: int) -> int:
    """The points of tricks and belote."""
    return int64(s.points[team]) + belote_of(s, team)


@inlined
def is_made(s: State, team: int) -> bool:
    """Whether the contract is made: capot takes all tricks, other contracts count points."""
    if level_of(s.contract) == LADDER:
        return s.tricks[1 - team] == 0
    return points_made(s, team) >= bid_value(s, s.contract)


@inlined
def loss(s: State) -> int:
    """The cost of failing; a failed capot costs as much as a made one counts."""
    is_capot = level_of(s.contract) == LADDER
    return bid_value(s, s.contract) if is_capot else int64(s.penalty)


@inlined
def stakes(s: State) -> int:
    return 1 << int64(s.doubled)


@inlined
def announced(s: State, made: bool) -> tuple[int, int]:
    """The scores of the attackers and the defenders for the contract alone."""
    value, fall = bid_value(s, s.contract), loss(s)
    if made:
        attack, defence = value, 0 if s.reward == CLASSIC else -value
    elif s.reward == GOOD:
        attack, defence = -value, fall
    else:
        attack = 0 if s.reward == CLASSIC else -fall
        defence = 0 if s.reward == NO_DEFENSE else fall
    return stakes(s) * attack, stakes(s) * defence


@inlined
def made_and_announced(
    s: State, team: int, made: bool, points: int, theirs: int, swept: bool
) -> tuple[int, int]:
    """The same by the federation's other scoring: both sides score the points they made, and the
    attackers their contract as well. All tricks are worth 252 points (golden.json, `capot_total`),
    because the last one then counts 100. If the contract fails or is doubled, only the winners
    score: the contract and 160, for a capot 250 and 250, times two or four if doubled.

    Belote is never multiplied. Its 20 belong to the side that holds it, doubled or not, but to the
    defenders if the attackers fail. `points` and `theirs` are those of the tricks.
    """
    value = bid_value(s, s.contract)
    everything = stakes(s) * (value + loss(s))
    belote, their_belote = belote_of(s, team), belote_of(s, 1 - team)
    if not made:
        return 0, everything + belote + their_belote
    if s.doubled:
        return everything + belote, their_belote
    sweep = int64(s.sweep) if swept else 0
    return value + points + belote + sweep, theirs + their_belote


def returns(s: State, out: np.ndarray) -> None:
    """Each seat gets its team's score; 0 if all passed ("Utilities")."""
    for seat in range(PLAYERS):
        out[seat] = 0.0
    if s.contract == PASS:
        return
    team = int64(s.bidder) & 1
    made = is_made(s, team)
    if s.reward == MADE_AND_ANNOUNCED:
        points, theirs = int64(s.points[team]), int64(s.points[1 - team])
        swept = s.tricks[1 - team] == 0
        attack, defence = made_and_announced(s, team, made, points, theirs, swept)
    else:
        attack, defence = announced(s, made)
    for seat in range(PLAYERS):
        out[seat] = np.float64(attack if seat & 1 == team else defence)
