"""The behaviours that the Hokm article describes, counted decision by decision in finished deals.

A behaviour is the set of allowed cards that would be an instance of it. An *occasion* is a decision
where some of the allowed cards are instances and others are not; the *times* are the occasions on
which an instance was played; the *chance* is the share of instances among the allowed cards, which
is the rate of a random choice.

A plain card is a card that is not a trump. A seat knows which cards it has not seen, and which
suits the others did not follow; another seat may hold whatever that leaves open.
"""

import numpy as np
from numba import prange

from spielgames.core.cards import NONE, Cards, bit, count, has, highest, inlined, lane, lowest
from spielgames.core.loops import Kernel
from spielgames.core.record import TERMINAL, State, event_action, event_seat
from spielgames.core.replay import redeal, step_past
from spielgames.core.verbs import legal, reset
from spielgames.hokm.game import HOKM
from spielgames.hokm.players import ABOVE, beaters, may_hold, threats, trumps, unseen
from spielgames.hokm.rules import NAME, PLAYERS, RANKS

TEAMS = 2
LEADS = {  # in the order of `leads`
    "opens with an ace": "the first lead of the deal is a plain ace",
    "opens with an honour": "the first lead of the deal is a plain king, queen or jack",
    "opens with a low card": "the first lead of the deal is a plain ten or lower",
    "opens with a trump": "the first lead of the deal is a trump",
    "draws trumps when ahead": "ahead in tricks, leads a trump while an opponent may hold one",
    "draws trumps otherwise": "not ahead in tricks, leads a trump while an opponent may hold one",
    "leads a winner": "leads a plain card that no unseen card of its suit beats",
    "goes on after a signal": "its last lead was a plain card and won, though one that beats it in"
    " its suit is unseen (the partner may have it): leads that suit again",
    "returns the suit": "leads the plain suit that the partner led last",
}
FOLLOWS = {  # in the order of `follows`
    "ducks": "follows suit below the partner's card, which is winning, with one above it in hand",
    "overtakes": "beats the partner's card, which is winning and which no opponent still to play"
    " threatens (to ruff, only one who has shown out)",
    "ruffs": "void, takes the trick from an opponent's plain card",
    "overruffs": "void, takes the trick from an opponent's trump",
    "throws the lowest": "follows suit with its lowest card, as none of them beats the best one",
}
BEHAVIOURS = LEADS | FOLLOWS
FIRST_FOLLOW = len(LEADS)
OCCASIONS, TIMES, CHANCES = range(3)


def ranked(low: int, high: int) -> Cards:
    """The cards of all suits with ranks from `low` to `high`."""
    return np.uint64(
        sum(1 << RANKS * suit + rank for suit in range(4) for rank in range(low, high + 1))
    )


ACES, HONOURS, LOW = ranked(12, 12), ranked(9, 11), ranked(0, 8)  # A; K Q J; 10 and below


@inlined
def when(case: bool, cards: Cards) -> Cards:
    return cards if case else NONE


@inlined
def suit_of(card: int) -> Cards:
    return lane(card // RANKS, RANKS)


@inlined
def leads(s: State, cards: Cards) -> tuple[Cards, ...]:
    """The allowed cards that are instances of each of LEADS."""
    side, plain = s.turn & 1, cards & ~trumps(s)
    first, ahead = s.length == 1, s.tricks[side] > s.tricks[1 - side]
    draws = when((may_hold(s, 1) | may_hold(s, 3)) & trumps(s) != NONE, cards & trumps(s))
    return (
        when(first, plain & ACES),
        when(first, plain & HONOURS),
        when(first, plain & LOW),
        when(first, cards & trumps(s)),
        when(ahead, draws),
        when(not ahead, draws),
        winners(plain, unseen(s)),
        plain & signalled(s),
        plain & last_led(s, (s.turn + 2) & 3),
    )


@inlined
def winners(cards: Cards, others: Cards) -> Cards:
    """The cards that none of the others beats in its suit."""
    for suit in range(4):
        rivals = others & lane(suit, RANKS)
        if rivals != NONE:
            cards &= ABOVE[highest(rivals)] | ~lane(suit, RANKS)
    return cards


@inlined
def signalled(s: State) -> Cards:
    """The suit that this trick's leader led to the trick before, if that card could be beaten."""
    t = s.length - PLAYERS
    if t < 1 or event_seat(s.events[t]) != s.turn:
        return NONE
    card = event_action(s.events[t])
    return when(unseen(s) & ABOVE[card] != NONE, suit_of(card))


@inlined
def last_led(s: State, seat: int) -> Cards:
    """The suit that a seat led last."""
    t = s.length - PLAYERS
    while t >= 1:
        if event_seat(s.events[t]) == seat:
            return suit_of(event_action(s.events[t]))
        t -= PLAYERS
    return NONE


@inlined
def follows(s: State, cards: Cards) -> tuple[Cards, ...]:
    """The allowed cards that are instances of each of FOLLOWS."""
    above = cards & beaters(s, s.best)
    void = cards & suit_of(s.trick[0]) == NONE
    ours, ruffed = (s.winning ^ s.turn) & 1 == 0, s.best // RANKS == s.trump
    return (
        when(ours and not void, cards & ~above),
        when(ours and threats(s, s.best) == NONE, above),
        when(void and not ours and not ruffed, above),
        when(void and not ours and ruffed, above),
        when(not void and above == NONE, bit(lowest(cards))),
    )


@inlined
def note(s: State, a: int, out: np.ndarray) -> None:
    """Count the card that is about to be played, for the team that plays it."""
    cards = legal(s)
    if s.in_trick == 0:
        count_in(leads(s, cards), 0, a, cards, out[s.turn & 1])
    else:
        count_in(follows(s, cards), FIRST_FOLLOW, a, cards, out[s.turn & 1])


@inlined
def count_in(found: tuple[Cards, ...], at: int, a: int, cards: Cards, out: np.ndarray) -> None:
    for k in range(len(found)):
        if found[k] != NONE and found[k] != cards:
            out[OCCASIONS, at + k] += 1.0
            out[TIMES, at + k] += has(found[k], a)
            out[CHANCES, at + k] += count(found[k]) / count(cards)


@inlined
def count_deal(r: State, past: State, out: np.ndarray) -> None:
    """Replay the deal of `past` in `r`, and count its cards."""
    reset(r)
    redeal(r, past)
    for t in range(past.length):
        a = event_action(past.events[t])
        if a < NAME:
            note(r, a, out)
        step_past(r, past, t)


@Kernel
def count_all(states: np.ndarray, again: np.ndarray, out: np.ndarray) -> None:
    for i in prange(len(states)):
        count_deal(again[i], states[i], out[i])


def counts_of(states: np.ndarray) -> np.ndarray:
    """Occasions, times and chances in each finished deal: `[deals, teams, 3, behaviours]`."""
    if states.dtype != HOKM.dtype:
        raise ValueError("a playbook is for Hokm; the states are of another game")
    if (states["turn"] != TERMINAL).any():
        raise ValueError("a playbook is for finished deals; some of these are not finished")
    out = np.zeros((len(states), TEAMS, 3, len(BEHAVIOURS)))
    count_all(states, states.copy(), out)
    return out
