"""The rules of one deal of Coinche (docs/rules/coinche.md): an auction, then tricks in its trump.

Which card beats which is in `tables`, what a deal is worth in `scores`.
"""

import numpy as np

from spielgames.coinche.tables import BEATERS, CARDS, LAST_TRICK, POINTS, RANKS
from spielgames.core.cards import NONE, ONE, Cards, bit, count, inlined, int64, lane, unless_empty
from spielgames.core.record import TERMINAL, State, clear, lay_open, state_dtype

PLAYERS = 4
ALL = lane(0, CARDS)

# Calls; a bid is 1 + 4 * level + suit, and the level above the ladder is capot.
PASS, FIRST_BID, FIRST_CAPOT, LAST_BID, COINCHE, SURCOINCHE = 0, 1, 37, 40, 41, 42
ACTIONS = 43
LADDER = 9
LONGEST_AUCTION = 37

COINCHE_STATE = state_dtype(
    PLAYERS,
    0,
    LONGEST_AUCTION + CARDS,
    [
        ("reward", "i1"),  # parameter: one of scores.REWARDS
        ("belote", "i1"),  # parameter: whether it counts
        ("undertrump", "i1"),  # parameter: see trumps_of_void_hand
        ("doubling", "i1"),  # parameter: whether there is coinche and surcoinche
        ("coincher_attacks", "i1"),  # parameter: whether a coinche takes the contract over
        ("offered", "u8"),  # all bids of the variant
        ("lowest", "i2"),  # value of the ladder's first level
        ("capot", "i2"),  # what capot counts
        ("penalty", "i2"),  # what another failed contract costs
        ("sweep", "i2"),  # what all tricks add to the points made
        ("open", "u8"),  # bids that may still be called
        ("contract", "i1"),  # the standing bid; PASS if there is none
        ("bidder", "i1"),  # its seat, or that of the coincher who has taken it over
        ("doubled", "i1"),  # 0, 1 after a coinche, 2 after a surcoinche
        ("passes", "i1"),  # in a row
        ("calls", "i1"),  # made so far
        ("playing", "i1"),  # whether the auction is over
        ("trump", "i1"),
        ("trick", "i1", (PLAYERS,)),  # the cards of the current trick, in order
        ("in_trick", "i1"),  # how many of them have been played
        ("leader", "i1"),
        ("winning", "i1"),  # the seat that wins the trick so far
        ("beaters", "u8"),  # cards that would take the trick so far
        ("stake", "i1"),  # points in the trick so far
        ("points", "i2", (2,)),  # per team
        ("tricks", "i1", (2,)),
        ("voids", "i1", (PLAYERS,)),  # suits that a seat has shown it lacks, as bits
    ],
)


def reset(s: State) -> None:
    clear(s)
    s.open = s.offered
    s.contract = PASS
    s.bidder = 0
    s.doubled = 0
    s.passes = 0
    s.calls = 0
    s.playing = 0
    s.trump = 0
    s.leader = 0
    clear_trick(s)
    for team in range(2):
        s.points[team] = 0
        s.tricks[team] = 0
    for seat in range(PLAYERS):
        s.room[seat] = count(s.deck) // PLAYERS
        s.voids[seat] = 0


def begin(s: State) -> None:
    for seat in range(PLAYERS):
        s.hands[seat] = s.dealt[seat]
    s.turn = 0


def legal(s: State) -> Cards:
    return playable(s, s.hands[s.turn]) if s.playing else callable_now(s)


def apply(s: State, a: int) -> None:
    if s.playing:
        play_card(s, a)
    else:
        call(s, a)


@inlined
def are_partners(seat: int, other: int) -> bool:
    return (int64(seat) ^ int64(other)) & 1 == 0


@inlined
def callable_now(s: State) -> Cards:
    """Pass; a higher bid; a coinche of the other side's bid, a surcoinche of one's own."""
    calls = s.open | ONE
    if s.doubling and s.contract != PASS:
        ours = are_partners(s.turn, s.bidder)
        if s.doubled == 0 and not ours:
            calls |= bit(COINCHE)
        if s.doubled == 1 and ours != s.coincher_attacks:
            calls |= bit(SURCOINCHE)
    return calls


@inlined
def level_of(bid: int) -> int:
    return (int64(bid) - FIRST_BID) >> 2


@inlined
def suit_of_bid(bid: int) -> int:
    return (int64(bid) - FIRST_BID) & 3


@inlined
def call(s: State, a: int) -> None:
    s.calls += 1
    if a == PASS:
        s.passes += 1
    else:
        s.passes = 0
        if a <= LAST_BID:
            bid(s, a)
        else:
            s.doubled = a - COINCHE + 1
            s.open = NONE
            if s.coincher_attacks:
                s.bidder = s.turn
    if a == SURCOINCHE or (s.passes == 3 and s.contract != PASS):
        start_play(s)
    elif s.passes == PLAYERS:
        s.turn = TERMINAL
    else:
        s.turn = (s.turn + 1) & 3


@inlined
def bid(s: State, a: int) -> None:
    """A later bid must be higher in value, whatever its suit ("The auction")."""
    s.contract = a
    s.bidder = s.turn
    too_low = np.uint64(4 * level_of(a) + FIRST_BID + 4)
    s.open = s.offered >> too_low << too_low


@inlined
def start_play(s: State) -> None:
    """Seat 0 leads, whoever won the auction ("Play")."""
    s.playing = 1
    s.trump = suit_of_bid(s.contract)
    s.turn = 0


@inlined
def playable(s: State, hand: Cards) -> Cards:
    """The cards that may be played ("Play"). Every rule forbids a card because of one other card in
    the hand, so that `core.worlds` can test cards in pairs.
    """
    if s.in_trick == 0:
        return hand
    led = s.trick[0] // RANKS
    same = hand & lane(led, RANKS)
    trumps = hand & lane(s.trump, RANKS)
    over = trumps & s.beaters
    if same != NONE:
        return over if led == s.trump and over != NONE else same
    if s.undertrump:
        return trumps_of_void_hand(s, hand, trumps, over)
    return hand if are_partners(s.turn, s.winning) else unless_empty(over, hand)


@inlined
def trumps_of_void_hand(s: State, hand: Cards, trumps: Cards, over: Cards) -> Cards:
    """The other published reading: a player who trumps must overtrump if possible, even the
    partner, and one who cannot overtrump an opponent must still trump.
    """
    trumping = unless_empty(over, trumps)
    if are_partners(s.turn, s.winning):
        return (hand & ~trumps) | trumping
    return unless_empty(trumping, hand)


@inlined
def play_card(s: State, a: int) -> None:
    seat = s.turn
    card = bit(a)
    lay_open(s, seat, card)
    s.trick[s.in_trick] = a
    s.in_trick += 1
    s.stake += POINTS[s.trump, a]
    if a // RANKS != s.trick[0] // RANKS:
        show_voids(s, seat, a)
    if card & s.beaters != NONE:
        s.winning = seat
        s.beaters = BEATERS[s.trump, a]
    if s.in_trick == PLAYERS:
        end_trick(s)
    else:
        s.turn = (seat + 1) & 3


@inlined
def show_voids(s: State, seat: int, a: int) -> None:
    """Note the suit not followed; not trumping where one must proves a void in trumps, too."""
    s.voids[seat] |= 1 << (s.trick[0] // RANKS)
    untrumped = s.beaters & lane(s.trump, RANKS) == lane(s.trump, RANKS)
    must_trump = not are_partners(seat, s.winning) and (untrumped or s.undertrump)
    if must_trump and a // RANKS != s.trump:
        s.voids[seat] |= 1 << s.trump


@inlined
def end_trick(s: State) -> None:
    winner = s.winning
    last = s.hands[winner] == NONE
    s.points[winner & 1] += s.stake + (LAST_TRICK if last else 0)
    s.tricks[winner & 1] += 1
    s.leader = winner
    s.turn = TERMINAL if last else winner
    clear_trick(s)


@inlined
def clear_trick(s: State) -> None:
    """Clear the trick; whatever card is led will win it for now."""
    s.in_trick = 0
    s.stake = 0
    s.winning = 0
    s.beaters = ALL
