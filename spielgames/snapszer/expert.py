"""Snapszer's expert player: it weighs cards, and closing.

The weights were fitted to play-outs, then improved in duels (`analysis.experts.tune`). Exchanging,
marrying and perfect endings are those of the other levels (`players`).
"""

import numpy as np

from spielgames.core.cards import (
    NONE,
    Cards,
    bit,
    count,
    has,
    inlined,
    lane,
    lowest,
)
from spielgames.core.record import State
from spielgames.snapszer.record import (
    HIGHER,
    MARRY,
    NO_CARD,
    POINTS,
    RANKS,
    TALON,
    TEN,
    UPCARD,
    couple_of,
    is_open,
)
from spielgames.snapszer.rules import beats, marriages

EARLY, LATE, STRICT = range(3)  # stages of the talon
LEAD, ANSWER = 0, 3
SITUATIONS = 6

# In game points, one row per mark: leads and then answers, each while the talon is large, while it
# has at most three hidden cards, and when it is closed.
WEIGHTS = np.array(
    [
        (0.07, 0.05, 0.36, -0.11, -0.18, 0.00),  # the chance to win the trick, from −1 to 1
        (-0.04, 0.01, 0.01, 0.46, 0.35, 0.28),  # as far as it is won, each ten points on the table
        (-0.02, -0.30, -0.16, -0.19, -0.26, -0.17),  # each ten points of the card
        (-0.11, -0.06, 0.07, -0.53, -0.45, 0.00),  # a trump
        (0.06, 0.05, 0.26, -0.30, -0.22, -0.06),  # the highest card left of a plain suit
        (0.06, 0.13, 0.48, -0.01, -0.22, -0.49),  # the highest trump left
        (0.00, 0.00, 0.00, -0.39, -0.59, -0.09),  # half of a marriage in the hand
        (0.00, 0.00, 0.00, -0.57, -0.51, -0.10),  # half of the marriage in trumps
        (-0.23, -0.22, 0.00, -0.07, -0.12, 0.00),  # half of a marriage that can still come
        (-0.23, -0.13, 0.24, 0.00, 0.00, 0.00),  # each ten points that may be trumped
        (0.00, -0.01, 0.00, 0.00, 0.34, 0.00),  # the chance to win the last trick of the open talon
        (0.04, 0.18, 0.03, 0.07, 0.19, -0.07),  # a ten below an ace that is out
        (0.08, 0.03, 0.04, -0.04, -0.02, 0.05),  # each card of its suit in the hand
        (-0.08, -0.05, -0.07, -0.04, -0.07, 0.00),  # each trump that is out, if it is one
        (0.27, 0.19, 0.12, 0.00, 0.13, 0.06),  # the chance to win a trick that reaches the target
    ]
)
MARKS = len(WEIGHTS)

# What closing gains over playing on, in game points, one row per feature: while the talon is large,
# and when it has three hidden cards.
CLOSING = np.array(
    [
        (-0.53, -0.18),  # at all
        (0.38, 0.09),  # each ten points by which the winners pass the target
        (0.46, 0.27),  # each ten points by which they fall short
        (0.01, 0.31),  # an opponent without a trick
        (0.03, 0.22),  # an opponent with less than half of the points
        (0.16, 0.19),  # the opponent's points, in tens
        (0.12, 0.27),  # each own trump
        (0.34, 0.16),  # each trump that is out
        (0.12, 0.31),  # the highest trump
        (0.30, 0.44),  # each winner in a plain suit
        (-0.21, -0.15),  # each winner, and each trump that is out
        (-0.05, -0.54),  # each hidden card of the talon
        (-0.73, -0.26),  # a marriage in the hand
        (0.26, 0.00),  # no trick of one's own
    ]
)
FEATURES = len(CLOSING)

DISCARD = 4.25  # the points expected from the card that follows a winner


@inlined
def weigh_cards(s: State, cards: Cards, weights: np.ndarray) -> Cards:
    """The card of the highest weight."""
    kind = situation(s)
    best, found = -np.inf, NONE
    while cards != NONE:
        card = lowest(cards)
        cards ^= bit(card)
        value, told = 0.0, marks(s, card)
        for k in range(MARKS):
            value += weights[k, kind] * told[k]
        if value > best:
            best, found = value, bit(card)
    return found


@inlined
def gains_by_closing(s: State, weights: np.ndarray) -> bool:
    value, told = 0.0, features(s)
    for k in range(FEATURES):
        value += weights[k, stage(s)] * told[k]
    return value > 0.0


@inlined
def situation(s: State) -> int:
    return (LEAD if s.led == NO_CARD else ANSWER) + stage(s)


@inlined
def stage(s: State) -> int:
    if not is_open(s):
        return STRICT
    return LATE if count(s.hands[TALON]) <= 3 else EARLY


@inlined
def unseen(s: State) -> Cards:
    """The cards that may be in the opponent's hand."""
    return s.deck & ~(s.hands[s.turn] | s.played[0] | s.played[1] | s.hands[UPCARD])


@inlined
def share(s: State, cards: Cards) -> float:
    """The chance, about, that one of these cards is in the opponent's hand; 1 if it was shown."""
    out = unseen(s) & ~s.public
    shown = unseen(s) & s.public
    if cards & shown != NONE:
        return 1.0
    each = (count(s.hands[1 - s.turn]) - count(shown)) / max(count(out), 1)
    return min(1.0, count(out & cards) * each)


@inlined
def marks(s: State, card: int) -> tuple[float, ...]:
    suit, hand = card // RANKS, s.hands[s.turn]
    is_trump, out, points = suit == s.trump, unseen(s), POINTS[card]
    trumps, couple = lane(s.trump, RANKS), couple_of(suit)
    boss, spouse = out & HIGHER[card] == NONE, couple ^ bit(card)
    pair = has(couple, card) and hand & spouse != NONE
    hope = has(couple, card) and is_open(s) and out & spouse != NONE
    ruff = 0.0
    if s.led == NO_CARD:
        risk = share(s, HIGHER[card])
        if not is_trump:
            void = 1.0 if is_open(s) else 1.0 - share(s, lane(suit, RANKS))
            ruff = void * share(s, trumps)
        if not is_open(s):
            risk = min(1.0, risk + ruff)
        win, table = 1.0 - 2.0 * risk, points
    else:
        win = 1.0 if beats(s, card, s.led) else -1.0
        table = POINTS[s.led] + points
    last = is_open(s) and count(s.hands[TALON]) == 1
    return (
        win,
        win * table / 10.0,
        points / 10.0,
        1.0 if is_trump else 0.0,
        1.0 if boss and not is_trump else 0.0,
        1.0 if boss and is_trump else 0.0,
        1.0 if pair and not is_trump else 0.0,
        1.0 if pair and is_trump else 0.0,
        1.0 if hope and not pair else 0.0,
        ruff * points / 10.0,
        win if last else 0.0,
        1.0 if card % RANKS == TEN and not boss else 0.0,
        float(count(hand & lane(suit, RANKS))),
        float(count(out & trumps)) if is_trump else 0.0,
        win if s.points[s.turn] + s.pending[s.turn] + table + 2 >= s.target else 0.0,
    )


@inlined
def features(s: State) -> tuple[float, ...]:
    """What may speak for closing or against it."""
    seat, other, trumps = s.turn, 1 - s.turn, lane(s.trump, RANKS)
    hand, out = s.hands[seat], unseen(s)
    worth, winners, pair = 0.0, 0.0, marriages(hand)
    rest = hand
    while rest != NONE:
        card = lowest(rest)
        rest ^= bit(card)
        if out & HIGHER[card] == NONE:
            worth += POINTS[card] + DISCARD
            winners += 0.0 if has(trumps, card) else 1.0
    if pair != NONE:
        worth += 2.0 * s.marriage if has(pair, MARRY + s.trump) else s.marriage
    margin = (s.points[seat] + s.pending[seat] + worth - s.target) / 10.0
    held, around = float(count(hand & trumps)), float(count(out & trumps))
    return (
        1.0,
        max(margin, 0.0),
        min(margin, 0.0),
        1.0 if s.tricks[other] == 0 else 0.0,
        1.0 if s.points[other] < s.half else 0.0,
        s.points[other] / 10.0,
        held,
        around,
        1.0 if hand & trumps & ~lower_than(out & trumps) != NONE else 0.0,
        winners,
        winners * around,
        float(count(s.hands[TALON])),
        1.0 if pair != NONE else 0.0,
        1.0 if s.tricks[seat] == 0 else 0.0,
    )


@inlined
def lower_than(cards: Cards) -> Cards:
    """The cards of their suit that some of these beat."""
    lower = NONE
    while cards != NONE:
        card = lowest(cards)
        cards ^= bit(card)
        lower |= lane(card // RANKS, RANKS) & ~HIGHER[card]
    return lower
