"""Sheephead's compact encoding, and the state-evaluation features of Brau (2011)."""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, int64, make_set
from spielgames.core.pieces import Pieces, put_set
from spielgames.core.record import NOBODY, State
from spielgames.sheephead.cards import (
    CARDS,
    CLUBS,
    HEARTS,
    SPADES,
    TRUMP_ORDER,
    TRUMPS,
    points,
)
from spielgames.sheephead.rules import (
    ALONE,
    BURIED,
    CALL_UNKNOWN,
    PLAYERS,
    UNDER,
    is_nola,
)

# Pieces with a row per seat start with the observer.
PIECES = Pieces(
    {
        "hand": (CARDS,),
        "blind": (CARDS,),  # taken by the observer
        "buried": (CARDS,),  # by the observer
        "unknown": (CARDS,),  # laid down by the observer
        "played": (PLAYERS, CARDS),
        "trick": (PLAYERS - 1, CARDS),
        "picker": (PLAYERS + 1,),  # the last flag: nobody
        "partner": (PLAYERS,),  # as far as the observer knows
        "called": (CARDS,),
        "alone": (1,),
        "with_unknown": (1,),
        "nola": (1,),
        "voids": (PLAYERS - 1, 4),  # ♣, trump (in Nola ♦), ♥, ♠
        "points": (PLAYERS,),  # in tricks, as a share of the deck's
        "tricks": (PLAYERS,),  # as a share of all
        "passed": (PLAYERS,),
    },
    numbers=("points", "tricks"),
)
(
    HAND,
    BLIND_SEEN,
    OWN_BURIED,
    UNKNOWN,
    PLAYED,
    TRICK,
    PICKER,
    PARTNER,
    CALLED,
    IS_ALONE,
    WITH_UNKNOWN,
    NOLA,
    VOIDS,
    POINTS,
    TRICKS,
    PASSED,
) = PIECES.starts()

# Table 1 of Brau (2011). A suit's ace and ten make one number, adding 1 if the ace has been played,
# 2 if the agent has it, 4 if the ten has been played, 8 if the agent has it.
THESIS_PIECES = Pieces(
    {
        "seen": (4,),  # trumps, ♣, ♠, ♥ that are played (by anybody) or the agent's
        "has_trump": (PLAYERS - 1,),  # 0 once a seat is known to have none
        "honours": (9,),  # ♣Q Joker ♠Q ♥Q ♦Q ♣J ♠J ♥J ♦J: −1 not played, 0 agent's, 1 played
        "leader": (PLAYERS,),  # of the current trick
        "aces_and_tens": (4,),  # ♦ ♣ ♠ ♥
    }
)
SEEN, HAS_TRUMP, HONOURS, LEADER, ACES_AND_TENS = THESIS_PIECES.starts()
SEEN_SUITS = np.array([TRUMPS, CLUBS, SPADES, HEARTS])
HONOUR_CARDS = np.array(TRUMP_ORDER[:-10:-1])
ACE_CARDS = np.array([15, 7, 31, 23])
TEN_BELOW_ACE = 4
DIAMOND_EIGHT = make_set([9])  # a trump, or in Nola a diamond


@inlined
def seats_on(seat: int, other: int) -> int:
    """The number of places that `other` sits after `seat`."""
    return (int64(other) - int64(seat) + PLAYERS) % PLAYERS


@inlined
def seat_after(seat: int, k: int) -> int:
    return (int64(seat) + k) % PLAYERS


def observe(s: State, seat: int, out: np.ndarray) -> None:
    put_set(out, HAND, s.hands[seat])
    put_contract(s, seat, out)
    for k in range(PLAYERS):
        put_seat(s, seat_after(seat, k), k, out)
    for k in range(min(s.in_trick, PLAYERS - 1)):
        out[TRICK + CARDS * k + int64(s.trick[k])] = 1


@inlined
def put_contract(s: State, seat: int, out: np.ndarray) -> None:
    """Add who plays with whom, as far as the seat knows, and the picker's own secrets."""
    out[PICKER + (PLAYERS if s.picker == NOBODY else seats_on(seat, s.picker))] = 1
    if s.picker == seat:
        put_set(out, BLIND_SEEN, s.gained[seat])
        put_set(out, OWN_BURIED, s.hands[BURIED])
        put_set(out, UNKNOWN, s.hands[UNDER])
    if s.called & (s.public | s.dealt[seat]) != NONE:
        out[PARTNER + seats_on(seat, s.partner)] = 1
    put_set(out, CALLED, s.called)
    out[IS_ALONE] = s.call == ALONE
    out[WITH_UNKNOWN] = s.call >= CALL_UNKNOWN
    out[NOLA] = is_nola(s)


@inlined
def put_seat(s: State, seat: int, k: int, out: np.ndarray) -> None:
    """Add what everybody knows of the seat k places after the observer."""
    put_set(out, PLAYED + CARDS * k, s.played[seat])
    out[POINTS + k] = points(s.taken[seat]) / points(s.deck)
    out[TRICKS + k] = count(s.taken[seat]) / (PLAYERS * s.hand)
    out[PASSED + k] = seat < s.passes
    if k > 0:
        put_voids(s.voids[seat], VOIDS + 4 * (k - 1), out)


@inlined
def put_voids(voids: Cards, start: int, out: np.ndarray) -> None:
    """Add a set of suits as four flags."""
    out[start] = voids & CLUBS != NONE
    out[start + 1] = voids & DIAMOND_EIGHT != NONE
    out[start + 2] = voids & HEARTS != NONE
    out[start + 3] = voids & SPADES != NONE


@inlined
def thesis_features(s: State, seat: int, out: np.ndarray) -> None:
    """Add the features of Brau (`THESIS_PIECES`), made for a deal with trumps, to a zeroed row."""
    mine = own_cards(s, seat)
    for i in range(4):
        out[SEEN + i] = count((s.public | mine) & SEEN_SUITS[i])
        out[ACES_AND_TENS + i] = ace_and_ten(s, mine, ACE_CARDS[i])
    for k in range(1, PLAYERS):
        out[HAS_TRUMP + k - 1] = s.voids[seat_after(seat, k)] & DIAMOND_EIGHT == NONE
    for i in range(len(HONOUR_CARDS)):
        out[HONOURS + i] = honour(s, mine, bit(HONOUR_CARDS[i]))
    out[LEADER + seats_on(seat, s.leader)] = 1


@inlined
def own_cards(s: State, seat: int) -> Cards:
    """The agent's cards: the picker "has" the unknown and the buried cards, too."""
    hand = s.hands[seat]
    return hand | s.hands[BURIED] | s.hands[UNDER] if seat == s.picker else hand


@inlined
def honour(s: State, mine: Cards, card: Cards) -> int:
    if s.public & card != NONE:
        return 1
    return 0 if mine & card != NONE else -1


@inlined
def ace_and_ten(s: State, mine: Cards, ace: int) -> int:
    return ace_bits(s, mine, bit(ace)) + 4 * ace_bits(s, mine, bit(ace - TEN_BELOW_ACE))


@inlined
def ace_bits(s: State, mine: Cards, card: Cards) -> int:
    if s.public & card != NONE:
        return 1
    return 2 if mine & card != NONE else 0
