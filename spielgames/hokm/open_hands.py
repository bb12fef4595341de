"""The value of a deal of Hokm seen with open hands (docs/double_dummy.md).

The score is the number of tricks, as if all were played; −1 for losing without a trick, and one
more than there are for winning without losing one.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, count, highest, inlined, int64, lane
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
    elif s.in_trick == 0 and not is_naming(s):
        quick = quick_tricks(s)
        sure = sure_trumps(s, 1 - (int64(s.turn) & 1))
        mine, yours = (quick, sure) if int64(s.turn) & 1 == team else (sure, quick)
        low += mine if ours > 0 else 0
        high -= yours if theirs > 0 else 0
    return float(low), float(high)


@inlined
def sure_trumps(s: State, team: int) -> int:
    """The tricks that a side's highest trumps win, however the cards are played: those of one hand,
    as partners' may fall together.
    """
    trumps = lane(s.trump, RANKS)
    others = (s.hands[1 - team] | s.hands[3 - team]) & trumps
    return max(
        count(above(s.hands[team] & trumps, others)),
        count(above(s.hands[team + 2] & trumps, others)),
    )


@inlined
def above(cards: Cards, others: Cards) -> Cards:
    """The cards higher than all others of their suit."""
    return (
        cards
        if others == NONE
        else cards >> np.uint64(highest(others)) << np.uint64(highest(others))
    )


@inlined
def quick_tricks(s: State) -> int:
    """The tricks that the leader can take at once: highest cards, as often as all opponents who
    could trump must follow.
    """
    hand, trumps = s.hands[s.turn], lane(s.trump, RANKS)
    left, right = s.hands[(s.turn + 1) & 3], s.hands[(s.turn + 3) & 3]
    partner = s.hands[(s.turn + 2) & 3]
    quick = int64(0)
    for suit in range(4):
        same = lane(suit, RANKS)
        tops = count(above(hand & same, (left | right | partner) & same))
        if suit != s.trump:
            if left & trumps != NONE:
                tops = min(tops, count(left & same))
            if right & trumps != NONE:
                tops = min(tops, count(right & same))
        quick += tops
    return quick


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
    """Keep the lowest of cards next to each other."""
    if is_naming(s):
        return actions
    alive = in_hands(s)
    for k in range(s.in_trick):
        alive |= np.uint64(1) << np.uint64(s.trick[k])
    return lowest_of_sequences(actions, alive, RANKS, NONE)
