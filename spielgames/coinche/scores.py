"""What a deal of Coinche is worth: RULES.md, `reward` and `belote`."""

import numpy as np

from spielgames.coinche.rules import LADDER, PASS, PLAYERS, level_of
from spielgames.coinche.tables import RANKS
from spielgames.core.cards import inlined
from spielgames.core.record import State

REWARDS = ("mirror", "classic", "no_defense", "good", "made_and_announced")
MIRROR, CLASSIC, NO_DEFENSE, GOOD, MADE_AND_ANNOUNCED = range(5)

STEP = 10  # points from one level of the ladder to the next
BELOTE_POINTS = 20
KING_AND_QUEEN = np.uint64(0b01100000)  # within a suit


@inlined
def bid_value(s: State, bid: int) -> int:
    level = level_of(bid)
    return np.int64(s.capot) if level == LADDER else np.int64(s.lowest) + STEP * level


@inlined
def points_made(s: State, team: int) -> int:
    """Tricks, and 20 for both trump king and queen in one dealt hand."""
    points = np.int64(s.points[team])
    pair = KING_AND_QUEEN << np.uint64(RANKS * s.trump)
    for seat in range(team, PLAYERS, 2):
        if s.belote and s.dealt[seat] & pair == pair:
            points += BELOTE_POINTS
    return points


@inlined
def is_made(s: State, team: int) -> bool:
    """Capot is all tricks; other contracts count points."""
    if level_of(s.contract) == LADDER:
        return s.tricks[1 - team] == 0
    return points_made(s, team) >= bid_value(s, s.contract)


@inlined
def scores_if_made(s: State, team: int) -> tuple[int, int]:
    """What the attackers and the defenders get. Points made are the federation's: all tricks are
    252 (golden.json, `capot_total`), as then the last one counts 100."""
    value = bid_value(s, s.contract)
    if s.reward == MADE_AND_ANNOUNCED:
        sweep = np.int64(s.sweep) if s.tricks[1 - team] == 0 else 0
        return value + points_made(s, team) + sweep, points_made(s, 1 - team)
    return value, 0 if s.reward == CLASSIC else -value


@inlined
def scores_if_failed(s: State) -> tuple[int, int]:
    """Likewise; a failed capot costs what it counts."""
    value = bid_value(s, s.contract)
    penalty = np.int64(s.penalty)
    if s.reward == MADE_AND_ANNOUNCED:
        return 0, penalty + value
    loss = value if level_of(s.contract) == LADDER else penalty
    if s.reward == GOOD:
        return -value, loss
    return 0 if s.reward == CLASSIC else -loss, 0 if s.reward == NO_DEFENSE else loss


def returns(s: State, out: np.ndarray) -> None:
    """Each seat gets its team's score; nothing when all passed."""
    for seat in range(PLAYERS):
        out[seat] = 0.0
    if s.contract == PASS:
        return
    team = np.int64(s.bidder) & 1
    attack, defence = scores_if_made(s, team) if is_made(s, team) else scores_if_failed(s)
    stakes = 1 << np.int64(s.doubled)
    for seat in range(PLAYERS):
        out[seat] = np.float64(stakes * (attack if seat & 1 == team else defence))
