"""The rules of one deal of Snapszer (docs/rules/snapszer.md); `rules=schnapsen` is strict."""

import numpy as np

from spielgames.core.cards import (
    NONE,
    Cards,
    bit,
    count,
    has,
    inlined,
    int64,
    lane,
    lowest,
    nth,
    unless_empty,
)
from spielgames.core.luck import Luck, below
from spielgames.core.record import CHANCE, NOBODY, State, lay_open
from spielgames.snapszer.record import (
    CARDS,
    CLOSE,
    EXCHANGE,
    GOAL,
    HIGHER,
    MARRY,
    NO_CARD,
    PLAYERS,
    POINTS,
    QUEENS,
    RANKS,
    SCHNAPSEN,
    SNAPSZER,
    TALON,
    UNKNOWN,
    UPCARD,
    couple_of,
    is_open,
    scores_next,
    trump_jack,
)
from spielgames.snapszer.scoring import conclude, conclude_played_out


def legal(s: State) -> Cards:
    hand = s.hands[s.turn]
    if s.led != NO_CARD:
        return hand if is_open(s) else answers(s, hand)
    if s.couple != NONE:
        return hand & s.couple
    return hand | marriages(hand) | talon_actions(s, hand)


@inlined
def answers(s: State, hand: Cards) -> Cards:
    """A higher card of the suit, else any of the suit, else a trump, else any card ("The closed
    talon").
    """
    same = hand & lane(s.led // RANKS, RANKS)
    if same != NONE:
        return unless_empty(same & HIGHER[s.led], same)
    return unless_empty(hand & lane(s.trump, RANKS), hand)


@inlined
def marriages(hand: Cards) -> Cards:
    queens = hand & (hand >> np.uint64(1)) & QUEENS  # those with their king, the next card
    actions = NONE
    while queens != NONE:
        queen = lowest(queens)
        queens ^= bit(queen)
        actions |= bit(MARRY + queen // RANKS)
    return actions


@inlined
def talon_actions(s: State, hand: Cards) -> Cards:
    if not is_open(s):
        return NONE
    actions = NONE
    if count(s.hands[TALON]) >= 3:  # four with the upcard
        actions |= bit(CLOSE)
    if s.rules == SCHNAPSEN and has(hand, trump_jack(s)):
        actions |= bit(EXCHANGE)
    return actions


def chance(s: State, p: np.ndarray) -> None:
    """A draw from the talon; or what is public: the match points before the deal, and the automatic
    exchange of the trump jack, which is certain.
    """
    seat = scores_next(s)
    if seat != NOBODY:
        for points in range(GOAL):
            p[points] = 1.0 / GOAL if s.given[seat] == UNKNOWN else s.given[seat] == points
        return
    if s.drawer == NOBODY:
        p[trump_jack(s)] = 1.0
        return
    cards = s.hands[TALON]
    each = 1.0 / count(cards)
    while cards != NONE:
        p[lowest(cards)] = each
        cards ^= bit(lowest(cards))


def draw(s: State, luck: Luck) -> int:
    seat = scores_next(s)
    if seat != NOBODY:
        return below(luck, GOAL) if s.given[seat] == UNKNOWN else int64(s.given[seat])
    if s.drawer == NOBODY:
        return trump_jack(s)
    return nth(s.hands[TALON], below(luck, count(s.hands[TALON])))


def apply(s: State, a: int) -> None:
    if s.turn == CHANCE:
        if scores_next(s) != NOBODY:
            tell_score(s, a)
        elif s.drawer == NOBODY:
            exchange(s, s.leader)
            s.turn = s.leader
        else:
            draw_card(s, a)
    elif a < CARDS:
        play_card(s, a)
    elif a == CLOSE:
        close(s)
    elif a == EXCHANGE:
        exchange(s, s.turn)
    else:
        marry(s, a - MARRY)


@inlined
def tell_score(s: State, points: int) -> None:
    s.score[scores_next(s)] = points
    if scores_next(s) == NOBODY:
        s.turn = 0


@inlined
def play_card(s: State, a: int) -> None:
    seat = s.turn
    lay_open(s, seat, bit(a))
    s.couple = NONE
    if s.led == NO_CARD:
        s.led = a
        s.turn = 1 - seat
    else:
        end_trick(s, s.led, a)


@inlined
def beats(s: State, answer: int, led: int) -> bool:
    trumps = lane(s.trump, RANKS)
    return has(HIGHER[led], answer) or (has(trumps, answer) and not has(trumps, led))


@inlined
def end_trick(s: State, led: int, answer: int) -> None:
    winner = s.turn if beats(s, answer, led) else 1 - s.turn
    s.led = NO_CARD
    s.taken[winner] |= bit(led) | bit(answer)
    s.tricks[winner] += 1
    s.points[winner] += POINTS[led] + POINTS[answer] + s.pending[winner]
    s.pending[winner] = 0
    if s.points[winner] >= s.target:
        conclude(s, winner)
    elif is_open(s):
        start_drawing(s, winner)
    elif s.hands[winner] == NONE:
        conclude_played_out(s, winner)
    else:
        s.turn = winner


@inlined
def start_drawing(s: State, winner: int) -> None:
    """The winner draws first, and finds at least one hidden card."""
    s.leader = winner
    s.drawer = winner
    s.turn = CHANCE


@inlined
def draw_card(s: State, a: int) -> None:
    seat = s.drawer
    s.hands[TALON] ^= bit(a)
    s.hands[seat] |= bit(a)
    s.gained[seat] |= bit(a)
    if seat != s.leader:
        start_lead(s)
    elif s.hands[TALON] != NONE:
        s.drawer = 1 - seat
    else:
        s.hands[1 - seat] |= s.hands[UPCARD]
        s.hands[UPCARD] = NONE
        start_lead(s)


@inlined
def start_lead(s: State) -> None:
    """Under snapszer rules the exchange is automatic, so a leader without one lacks the jack."""
    jack = trump_jack(s)
    s.drawer = NOBODY
    s.turn = s.leader
    if s.rules == SNAPSZER and is_open(s):
        if has(s.hands[s.leader], jack):
            s.turn = CHANCE
        elif not has(s.public, jack):
            s.lacked[s.leader] = s.length


@inlined
def exchange(s: State, seat: int) -> None:
    """Exchange the trump jack for the upcard; both stay public ("The open talon")."""
    jack = bit(trump_jack(s))
    s.hands[seat] ^= jack | s.hands[UPCARD]
    s.hands[UPCARD] = jack
    s.public |= jack
    s.exchanger = seat


@inlined
def close(s: State) -> None:
    s.closer = s.turn
    for seat in range(PLAYERS):
        s.closing_tricks[seat] = s.tricks[seat]
        s.closing_points[seat] = s.points[seat]


@inlined
def marry(s: State, suit: int) -> None:
    """Points count at once; under schnapsen rules, once the declarer has a trick ("Points")."""
    seat = s.turn
    worth = 2 * s.marriage if suit == s.trump else s.marriage
    s.couple = couple_of(suit)
    s.public |= s.couple
    s.married[seat] |= 1 << suit
    if s.rules == SCHNAPSEN and s.tricks[seat] == 0:
        s.pending[seat] += worth
        return
    s.points[seat] += worth
    if s.points[seat] >= s.target:
        conclude(s, seat)
