"""The value of a deal of Hokm seen with open hands (docs/double_dummy.md).

The score is the number of tricks, as if all were played; −1 for losing without a trick, and one
more than there are for winning without losing one.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, inlined, int64
from spielgames.core.record import TERMINAL, State
from spielgames.core.sequences import hands_key, in_hands, lowest_of_sequences
from spielgames.hokm.rules import NO_TRUMP_YET, RANKS, hand_size, worth_of_kot

TEAMS = np.array([0b0101, 0b1010], np.uint64)


def allies(s: State, seat: int) -> Cards:
    return TEAMS[int64(seat) & 1]


def score_bounds(s: State, seat: int) -> tuple[float, float]:
    team = int64(seat) & 1
    ours, theirs, tricks = int64(s.tricks[team]), int64(s.tricks[1 - team]), hand_size(s)
    low = ours if ours > 0 else -1
    high = tricks - theirs if theirs > 0 else tricks + 1
    if s.turn == TERMINAL:
        low = high if theirs == 0 else low
        high = low if ours == 0 else high
    return float(low), float(high)


def utility_of(s: State, seat: int, score: float) -> float:
    team = int64(seat) & 1
    if score < 0:
        return -float(worth_of_kot(1 - team))
    if score > hand_size(s):
        return float(worth_of_kot(team))
    return float(np.sign(2 * score - hand_size(s)))


def future_key(s: State, seat: int) -> np.uint64:
    """Between tricks: who holds which cards, told as places among those left."""
    if s.in_trick > 0 or is_naming(s):
        return NONE
    rest = (
        int64(s.trump) << 4
        | int64(s.turn) << 2
        | int64(s.tricks[0] > 0) << 1
        | int64(s.tricks[1] > 0)
    )
    return hands_key(s, in_hands(s), RANKS, rest)


@inlined
def is_naming(s: State) -> bool:
    return s.trump == NO_TRUMP_YET


def distinct(s: State, actions: Cards) -> Cards:
    """Of cards next to each other, the lowest."""
    if is_naming(s):
        return actions
    alive = in_hands(s)
    for k in range(s.in_trick):
        alive |= np.uint64(1) << np.uint64(s.trick[k])
    return lowest_of_sequences(actions, alive, RANKS, NONE)
