"""The value of a deal of Coinche seen with open hands (docs/double_dummy.md).

The score is the attackers' points, belote aside, or 1 if they take all tricks of a capot; for the
defenders, the same with a minus sign.
"""

import numpy as np

from spielgames.coinche.rules import level_of
from spielgames.coinche.scores import (
    LADDER,
    MADE_AND_ANNOUNCED,
    announced,
    belote_of,
    bid_value,
    made_and_announced,
)
from spielgames.coinche.tables import LAST_TRICK, RANKS
from spielgames.core.cards import NONE, Cards, count, inlined, int64, lane, make_set
from spielgames.core.record import TERMINAL, State
from spielgames.core.sequences import in_hands

TEAMS = np.array([0b0101, 0b1010], np.uint64)
SEVENS, EIGHTS, NINES, TENS, JACKS, QUEENS, KINGS, ACES = (
    make_set(range(rank, 4 * RANKS, RANKS)) for rank in range(RANKS)
)


def allies(s: State, seat: int) -> Cards:
    return TEAMS[int64(seat) & 1] if s.playing else NONE


@inlined
def is_capot(s: State) -> bool:
    return level_of(s.contract) == LADDER


@inlined
def sweep_counts(s: State) -> bool:
    """Whether all tricks are worth more than all points."""
    return s.reward == MADE_AND_ANNOUNCED and not s.doubled


@inlined
def all_points(s: State) -> int:
    """The points that the tricks hold."""
    trumps = s.deck & lane(s.trump, RANKS)
    points = 11 * count(s.deck & ACES) + 10 * count(s.deck & TENS) + 4 * count(s.deck & KINGS)
    points += 3 * count(s.deck & QUEENS) + 2 * count(s.deck & JACKS) + 18 * count(trumps & JACKS)
    return points + 14 * count(trumps & NINES) + LAST_TRICK


@inlined
def attack_bounds(s: State, attack: int) -> tuple[int, int]:
    """The fewest and the most points that the attackers can still end with."""
    over, clean = s.turn == TERMINAL, s.tricks[1 - attack] == 0
    if is_capot(s):
        return int64(over and clean), int64(clean)
    total, low = all_points(s), int64(s.points[attack])
    if not (clean and sweep_counts(s)):
        return low, total - int64(s.points[1 - attack])
    return total + 1 if over else low, total + 1


def score_bounds(s: State, seat: int) -> tuple[float, float]:
    attack = int64(s.bidder) & 1
    low, high = attack_bounds(s, attack)
    return (float(low), float(high)) if int64(seat) & 1 == attack else (-float(high), -float(low))


def utility_of(s: State, seat: int, score: float) -> float:
    attack = int64(s.bidder) & 1
    attacks = int64(seat) & 1 == attack
    points = int64(score) if attacks else -int64(score)
    made = points > 0 if is_capot(s) else points + belote_of(s, attack) >= bid_value(s, s.contract)
    if s.reward == MADE_AND_ANNOUNCED:
        total = all_points(s)
        swept = points > total or (is_capot(s) and made)
        points = total if swept else points
        scores = made_and_announced(s, attack, made, points, total - points, swept)
    else:
        scores = announced(s, made)
    return float(scores[0] if attacks else scores[1])


def future_key(s: State, seat: int) -> np.uint64:
    """Between tricks: the cards left, all of whose holders are known, and who leads."""
    if s.in_trick > 0 or not s.playing:
        return NONE
    key = in_hands(s) << np.uint64(4) | np.uint64(s.turn) << np.uint64(2) | np.uint64(1)
    if (is_capot(s) or sweep_counts(s)) and s.tricks[1 - (int64(s.bidder) & 1)] > 0:
        key |= np.uint64(2)
    return key


def distinct(s: State, actions: Cards) -> Cards:
    """Seven, eight and nine (of trumps, seven and eight) are worth nothing: of those next to each
    other, the lowest remains.
    """
    gone = ~in_hands(s)
    for k in range(s.in_trick):
        gone &= ~(np.uint64(1) << np.uint64(s.trick[k]))
    sevens, plain = actions & SEVENS, ~lane(s.trump, RANKS)
    nines = (actions & EIGHTS | (sevens << np.uint64(1)) & gone) << np.uint64(1) & plain
    return actions & ~(sevens << np.uint64(1) | nines)
