"""What a learner with a belief state sees of Sheephead: tables 1 and 3 of Brau (2011).

Table 1 is in `tensors.thesis_features`; here its numbers are scaled, and followed by more that the
thesis does not have: above all, on which side the seat plays. Table 2 is in `clues`. What table 3
leaves open is decided like this: a card that has a merit of its own has only that one; any other is
a stronger or weaker card of its own suit, whatever was led; and a card that is led is stronger. In
Nola the suits alone count, with merits of their own.
"""

from dataclasses import replace

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, int64
from spielgames.core.game import Appraisal
from spielgames.core.pieces import Pieces, put_set
from spielgames.core.record import NOBODY, State
from spielgames.sheephead.cards import CARDS, RANKS, TRUMPS, points
from spielgames.sheephead.clues import (
    CLUES,
    LED_SUITS,
    SIDES,
    STRONGER,
    WEAKER,
    WHERE,
    expected,
)
from spielgames.sheephead.players import is_with_picker, trust
from spielgames.sheephead.rules import (
    ALONE,
    BIDDING,
    BURIED,
    BURYING,
    CALL_ACE,
    CALL_TEN,
    CALL_UNKNOWN,
    PASS,
    PLAYERS,
    PLAYING,
    is_nola,
    strength_of,
    suit_of,
)
from spielgames.sheephead.tensors import (
    ACES_AND_TENS,
    HONOUR_CARDS,
    SEEN,
    THESIS_PIECES,
    own_cards,
    seat_after,
    thesis_features,
)

BIDS, BURIES, CALLS, PLAYS, NOLA = range(5)  # the stages
NINE_OF_DIAMONDS = 10
OWN_MERIT = np.array([25 if c == NINE_OF_DIAMONDS else WHERE.get(c, -1) for c in range(CARDS)])
CARD_NAMES = [
    *(["♣Q", "Jk", "♠Q", "♥Q", "♦Q", "♣J", "♠J", "♥J", "♦J"]),
    *(["♦A", "♣A", "♠A", "♥A", "♦10", "♣10", "♠10", "♥10", "♦9"]),
]
SUITS = "trump", "♣", "♠", "♥"
KINDS = tuple(f"{how} {suit}" for suit in SUITS for how in ("weaker", "stronger"))
NOLA_MERIT = len(KINDS) + len(CARD_NAMES)
BID_MERIT = NOLA_MERIT + len(KINDS)
CALL_MERIT = BID_MERIT + 2
BURY_MERIT = CALL_MERIT + 4
MERITS = (
    *(*KINDS, *CARD_NAMES),
    *(f"Nola: {kind}" for kind in KINDS),
    *("pass", "pick", "alone", "call an ace", "call a ten", "call with an unknown card"),
    *(f"bury {what} {suit}" for suit in SUITS for what in ("low", "ace or ten of")),
)

FEATURES = Pieces(
    THESIS_PIECES.shapes
    | {
        "role": (4,),  # picker, partner, against the picker, nobody has picked
        "alone": (1,),
        "friends": (PLAYERS - 1,),  # the probability that a seat is on the same side
        "balance": (1,),  # `gain`
        "trumps": (PLAYERS,),  # expected in each hand, the own one first
        "top": (2,),  # the own and all unseen cards among the five highest trumps
        "hand": (2,),  # points in the own hand; cards left
        "friend_leads": (1,),
        "holds": (3, CARDS),  # the own hand, by role
        "out": (CARDS,),  # the cards that others may hold
    }
)
ROLE, IS_ALONE, FRIENDS, BALANCE, TRUMPS_HELD, TOP, IN_HAND, FRIEND_LEADS, HELD, OUT = (
    FEATURES.starts()[5:]
)
TOP_TRUMPS = np.uint64(sum(1 << int(card) for card in HONOUR_CARDS[:5]))

APPRAISAL = Appraisal(
    stages=("bidding", "burying", "calling", "play", "nola"),
    plays=PLAYS,
    features=FEATURES,
    prefixes={"paper": THESIS_PIECES.size, "all": HELD, "cards": FEATURES.size},
    paper=replace(THESIS_PIECES, numbers=tuple(THESIS_PIECES.shapes)),
    certain=THESIS_PIECES.size,
    clues=CLUES,
    clue_prefixes={"paper": SIDES, "all": CLUES.size},
    merits=MERITS,
    predicted=BID_MERIT,
)


def stage(s: State) -> int:
    if s.phase == PLAYING:
        return int64(NOLA) if s.picker == NOBODY else int64(PLAYS)
    if s.phase == BIDDING:
        return int64(BIDS)
    return int64(BURIES) if s.phase == BURYING else int64(CALLS)


def is_pause(s: State) -> bool:
    return s.phase == PLAYING and s.in_trick == 0


def gain(s: State, seat: int) -> float:
    return balance(s, seat)


@inlined
def balance(s: State, seat: int) -> float:
    """The points of tricks, by the probability that their takers are on the seat's side."""
    if s.picker == NOBODY:
        return 0.0
    total = 0.0
    for other in range(PLAYERS):
        total += (2.0 * trust(s, seat, other) - 1.0) * points(s.taken[other])
    return total / points(s.deck)


def features(s: State, seat: int, beliefs: np.ndarray, out: np.ndarray) -> None:
    thesis_features(s, seat, out)
    for i in range(4):
        out[SEEN + i] /= s.hand
        out[ACES_AND_TENS + i] /= 8
    for k in range(1, PLAYERS):
        other = seat_after(seat, k)
        out[TRUMPS_HELD + k] = expected(beliefs[other], TRUMPS) / s.hand
        out[FRIENDS + k - 1] = trust(s, seat, other) if s.picker != NOBODY else 0.0
    mine = own_cards(s, seat)
    put_role(s, seat, out)
    out[TRUMPS_HELD] = count(s.hands[seat] & TRUMPS) / s.hand
    out[TOP] = count(s.hands[seat] & TOP_TRUMPS) / 3
    put_set(out, OUT, s.deck & ~(s.public | mine))
    out[TOP + 1] = count(TOP_TRUMPS & s.deck & ~(s.public | mine)) / 3
    out[IN_HAND] = points(s.hands[seat]) / 40
    out[IN_HAND + 1] = count(s.hands[seat]) / s.hand


@inlined
def put_role(s: State, seat: int, out: np.ndarray) -> None:
    if s.picker == NOBODY:
        out[ROLE + 3] = 1
        return
    role = 0 if s.picker == seat else 1 if is_with_picker(s, seat) else 2
    out[ROLE + role] = 1
    put_set(out, HELD + CARDS * role, s.hands[seat])
    out[IS_ALONE] = s.call == ALONE
    out[BALANCE] = balance(s, seat)
    if seat == s.picker:
        out[BALANCE] += points(s.hands[BURIED]) / points(s.deck)
    out[FRIEND_LEADS] = trust(s, seat, s.leader)


def merit(s: State, a: int) -> int:
    if s.phase == PLAYING:
        own = OWN_MERIT[a]
        if s.picker != NOBODY and own >= 0:
            return own
        return kind_of(s, a) + (NOLA_MERIT if is_nola(s) else 0)
    if a < PASS:
        suit = suit_number(bit(a))
        return BURY_MERIT + 2 * suit + (1 if points(bit(a)) >= 10 else 0)
    if a < ALONE:
        return int64(BID_MERIT + a - PASS)
    called = (a >= CALL_ACE) + (a >= CALL_TEN) + (a >= CALL_UNKNOWN)
    return int64(CALL_MERIT + called)


@inlined
def kind_of(s: State, a: int) -> int:
    """Whether a card is stronger than the best so far, and its suit; diamonds come with trumps."""
    suit = suit_of(s, a)
    stronger = s.in_trick == 0
    if not stronger and (suit == s.led or suit == s.trumps):
        stronger = strength_of(s, a, suit) > s.best
    number = suit_number(bit(a)) if s.trumps != NONE else NOLA_SUIT[a // RANKS]
    return 2 * number + (STRONGER if stronger else WEAKER)


NOLA_SUIT = np.array([1, 0, 3, 2])  # ♣ ♦ ♥ ♠


@inlined
def suit_number(card: Cards) -> int:
    """The place of a card's suit in the tables."""
    found = 0
    for i in range(1, 4):
        if card & LED_SUITS[i] != NONE:
            found = i
    return found
