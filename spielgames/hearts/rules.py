"""The rules of one deal of Hearts (docs/rules/hearts.md); flags as in OpenSpiel's `hearts`. What a
deal pays is in `scoring.py`.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, lane, lowest, unless_empty
from spielgames.core.luck import Luck, below
from spielgames.core.record import CHANCE, NOBODY, TERMINAL, State, clear, lay_open, state_dtype

PLAYERS = 4
RANKS = 13
CARDS = 52
CLUBS, HEARTS, SPADES = lane(0, RANKS), lane(2, RANKS), lane(3, RANKS)
QUEEN = np.uint64(1) << np.uint64(3 * RANKS + 10)  # ♠Q, 13 points
JACK = np.uint64(1) << np.uint64(RANKS + 9)  # ♦J, a bonus under `jd_bonus`
SCORING = HEARTS | QUEEN
LEFT, RIGHT, ACROSS, HOLD, ANY = range(5)
GIVES_TO = np.array([1, 3, 2, 0])  # the receiver is this many seats further on

# The flags, as bits of `options` (docs/rules/hearts.md, "Flags").
NO_POINTS_FIRST = 1
ANY_CLUB_LEADS = 2
JACK_BONUS = 4
NO_TRICK_BONUS = 8
MUST_BREAK = 16
QUEEN_BREAKS = 32
HEARTS_FOR_QUEEN = 64

EVENTS = 1 + 12 + 52  # direction, passes, cards
HEARTS_STATE = state_dtype(
    PLAYERS,
    0,
    EVENTS,
    [
        ("pass_rule", "i1"),  # parameter: LEFT … HOLD, or ANY: drawn by chance
        ("pass_count", "i1"),  # parameter: how many cards each seat passes
        ("options", "i1"),  # parameter: the flags, as bits
        ("passed", "u8", (PLAYERS,)),  # the cards that each seat has chosen to pass
        ("direction", "i1"),  # LEFT … HOLD; ANY until it is drawn
        ("passing", "i1"),  # whether cards are being passed
        ("trick", "i1", (PLAYERS,)),  # the cards of the current trick, in order
        ("in_trick", "i1"),  # how many of them have been played
        ("winning", "i1"),  # the seat that wins the trick so far
        ("trick_cards", "u8"),  # the cards of the current trick, as a set
        ("tricks", "i1", (PLAYERS,)),  # won by each seat
        ("points", "i1", (PLAYERS,)),  # penalty points taken: hearts and ♠Q
        ("jack_taker", "i1"),  # the seat that took ♦J; −1 before, and without the bonus
        ("voids", "i1", (PLAYERS,)),  # suits that a seat has shown it lacks, as bits
        ("broken", "i1"),  # whether hearts may be led
    ],
)


def reset(s: State) -> None:
    clear(s)
    s.direction = s.pass_rule
    s.passing = 0
    s.in_trick = 0
    s.trick_cards = NONE
    s.broken = 0
    s.jack_taker = -1
    for seat in range(PLAYERS):
        s.room[seat] = count(s.deck) // PLAYERS
        s.passed[seat] = NONE
        s.tricks[seat] = 0
        s.points[seat] = 0
        s.voids[seat] = 0


def begin(s: State) -> None:
    for seat in range(PLAYERS):
        s.hands[seat] = s.dealt[seat]
    if s.pass_rule == ANY:
        s.turn = CHANCE
        s.drawer = NOBODY
    else:
        start_passing(s)


def chance(s: State, p: np.ndarray) -> None:
    for direction in range(4):
        p[direction] = 0.25


def draw(s: State, luck: Luck) -> int:
    return below(luck, 4)


@inlined
def start_passing(s: State) -> None:
    if s.direction == HOLD:
        start_play(s)
    else:
        s.passing = 1
        s.private = 1
        s.turn = 0


@inlined
def opening_card(s: State) -> Cards:
    """♣2; in a variant without clubs, the lowest card that is not a heart ("Small variants")."""
    return bit(lowest(s.deck & ~HEARTS))


@inlined
def start_play(s: State) -> None:
    """The holder of the opening card leads, so everybody knows where that card is ("Play")."""
    opening = opening_card(s)
    for seat in range(PLAYERS):
        if s.hands[seat] & opening != NONE:
            s.turn = seat
    s.public = opening


@inlined
def first_trick(s: State) -> bool:
    return s.tricks[0] + s.tricks[1] + s.tricks[2] + s.tricks[3] == 0


@inlined
def leads(s: State, hand: Cards) -> Cards:
    """The cards that may be led: hearts only once they are broken, or if nothing else is left."""
    if first_trick(s):
        return hand & CLUBS & s.deck if s.options & ANY_CLUB_LEADS else opening_card(s)
    if s.broken or not s.options & MUST_BREAK:
        return hand
    plain = hand & ~HEARTS
    if plain == QUEEN and s.options & HEARTS_FOR_QUEEN:
        return hand
    return unless_empty(plain, hand)


@inlined
def follows(s: State, hand: Cards) -> Cards:
    """Follow suit; else play anything, but avoid points in the first trick ("Play")."""
    same = hand & lane(s.trick[0] // RANKS, RANKS)
    if same != NONE:
        return same
    if s.options & NO_POINTS_FIRST and first_trick(s):
        return unless_empty(hand & ~SCORING, hand)
    return hand


def legal(s: State) -> Cards:
    hand = s.hands[s.turn]
    if s.passing:
        return hand & ~s.passed[s.turn]
    return leads(s, hand) if s.in_trick == 0 else follows(s, hand)


def apply(s: State, a: int) -> None:
    if s.turn == CHANCE:
        s.direction = a
        start_passing(s)
    elif s.passing:
        pass_card(s, a)
    else:
        play_card(s, a)


@inlined
def pass_card(s: State, a: int) -> None:
    """Each seat chooses its cards one by one; they arrive when all are chosen ("Passing")."""
    seat = s.turn
    s.passed[seat] |= bit(a)
    if count(s.passed[seat]) < s.pass_count:
        return
    if seat < PLAYERS - 1:
        s.turn = seat + 1
        return
    for giver in range(PLAYERS):
        s.hands[giver] ^= s.passed[giver]
    for giver in range(PLAYERS):
        receiver = (giver + GIVES_TO[s.direction]) & 3
        s.hands[receiver] |= s.passed[giver]
        s.gained[receiver] = s.passed[giver]
    s.passing = 0
    s.private = 0
    start_play(s)


@inlined
def play_card(s: State, a: int) -> None:
    seat = s.turn
    card = bit(a)
    lay_open(s, seat, card)
    s.trick_cards |= card
    s.trick[s.in_trick] = a
    led = s.trick[0] // RANKS
    show_voids(s, seat, card, led)
    if s.in_trick == 0 or (a // RANKS == led and card > highest_before(s, card, led)):
        s.winning = seat
    s.in_trick += 1
    breaks = HEARTS | QUEEN if s.options & QUEEN_BREAKS else HEARTS
    if card & breaks != NONE:
        s.broken = 1
    if s.in_trick == PLAYERS:
        end_trick(s)
    else:
        s.turn = (seat + 1) & 3


@inlined
def show_voids(s: State, seat: int, card: Cards, led: int) -> None:
    """Note the suit that was not followed; after a card of last resort, other suits too."""
    if card & lane(led, RANKS) == NONE:
        s.voids[seat] |= 1 << led
    rest = last_resort(s, card, led)
    if rest == NONE:
        return
    for suit in range(4):
        if rest & lane(suit, RANKS) & s.deck & ~s.public == NONE:
            s.voids[seat] |= 1 << suit


@inlined
def last_resort(s: State, card: Cards, led: int) -> Cards:
    """All that a seat can hold after a card that is legal only as a last resort: leading an
    unbroken heart proves only hearts, discarding points in the first trick only points. NONE after
    others.
    """
    if s.in_trick == 0:
        if card & HEARTS == NONE or s.broken or not s.options & MUST_BREAK:
            return NONE
        return SCORING if s.options & HEARTS_FOR_QUEEN else HEARTS
    discarded = card & SCORING & ~lane(led, RANKS) != NONE
    return SCORING if discarded and s.options & NO_POINTS_FIRST and first_trick(s) else NONE


@inlined
def highest_before(s: State, card: Cards, led: int) -> Cards:
    """The trick's other cards of the led suit: as a number above `card` if one of them is."""
    return s.trick_cards & lane(led, RANKS) & ~card


@inlined
def end_trick(s: State) -> None:
    winner = s.winning
    cards = s.trick_cards
    s.points[winner] += count(cards & HEARTS)
    if cards & QUEEN != NONE:
        s.points[winner] += 13
    if s.options & JACK_BONUS and cards & JACK != NONE:
        s.jack_taker = winner
    s.tricks[winner] += 1
    s.trick_cards = NONE
    s.in_trick = 0
    s.turn = winner if s.hands[winner] != NONE else TERMINAL
