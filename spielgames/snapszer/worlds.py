"""Snapszer's unseen past: which of the opponent's cards were dealt, and which were drawn when.

Each of the opponent's cards came with the deal or with a draw, before it was shown. The number of
ways in which they can have come does not depend on which cards they are, with one exception: under
`rules=snapszer` the trump jack is exchanged as soon as its holder is about to lead, so an opponent
who led without exchanging drew the jack later, if at all.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, has, inlined, lowest, nth
from spielgames.core.luck import Luck, below, forward
from spielgames.core.record import (
    NOBODY,
    State,
    event_action,
    event_seat,
    is_chance,
    set_event_action,
)
from spielgames.snapszer.record import (
    CARDS,
    CLOSE,
    EXCHANGE,
    MARRY,
    PLAYERS,
    TALON,
    UPCARD,
    couple_of,
    trump_jack,
)


@inlined
def is_draw(s: State, q: int, t: int) -> bool:
    """Whether event t brought a hidden card to q."""
    return is_chance(s.events[t]) and event_seat(s.events[t]) == q


@inlined
def scores_told(s: State) -> int:
    """The number of events, the first ones, that tell match points."""
    return PLAYERS if s.match else 0


@inlined
def shown(s: State, q: int, t: int) -> Cards:
    """The cards that event t proves were in q's hand."""
    a = event_action(s.events[t])
    who = event_seat(s.events[t])
    if is_chance(s.events[t]):  # the only public chance but for the score is the automatic exchange
        return bit(a) if who == NOBODY and s.exchanger == q and t >= scores_told(s) else NONE
    if who != q or a == CLOSE:
        return NONE
    if a < CARDS:
        return bit(a)
    return bit(trump_jack(s)) if a == EXCHANGE else couple_of(a - MARRY)


@inlined
def came_unseen(s: State, seat: int) -> Cards:
    """The cards that the opponent may have been dealt or drawn (`gained` has the upcard)."""
    return s.deck & ~(s.dealt[seat] | s.gained[seat])


@inlined
def jack_came_late(s: State, seat: int) -> bool:
    """Whether the opponent can only have drawn the jack, if they have or had it."""
    return s.lacked[1 - seat] > 0 and has(came_unseen(s, seat), trump_jack(s))


@inlined
def jack_draws(s: State, seat: int) -> Cards:
    """The events that may have brought the opponent the jack: after they last lacked it and before
    they showed it.
    """
    q = 1 - seat
    draws = NONE
    for t in range(s.lacked[q], s.length):
        if has(shown(s, q, t), trump_jack(s)):
            break
        if is_draw(s, q, t):
            draws |= bit(t)
    return draws


@inlined
def ways_to_come(s: State, seat: int, cards: Cards, kept: int) -> int:
    """In how many ways those of `cards` that the opponent has shown can have come to them when the
    draw `kept` (−1: none) brought another card. Each takes a slot that had been filled by then.
    """
    q = 1 - seat
    free = count(s.dealt[seat])
    ways = 1
    for t in range(s.length):
        if is_draw(s, q, t):
            free += t != kept
            continue
        new = shown(s, q, t) & cards
        cards &= ~new
        for _ in range(count(new)):
            ways *= free
            free -= 1
    return ways


@inlined
def ways_with_jack(s: State, seat: int, draws: Cards) -> int:
    """The same for all shown cards, when one of `draws` brought the jack."""
    others = came_unseen(s, seat) & ~bit(trump_jack(s))
    ways = 0
    while draws != NONE:
        ways += ways_to_come(s, seat, others, lowest(draws))
        draws &= draws - np.uint64(1)
    return ways


def cases(s: State, seat: int, k: int, allowed: np.ndarray) -> float:
    """The unseen jack is in the talon, or came late to the opponent. The opponent's hidden cards
    fill the slots that the shown ones leave, in any order; a late jack has its own slot already.
    """
    jack = trump_jack(s)
    if not jack_came_late(s, seat) or has(s.public, jack):
        return 1.0 if k == 0 else -1.0
    if k > 1:
        return -1.0
    allowed[jack] &= 1 << (TALON if k == 0 else 1 - seat)
    if allowed[jack] == 0:
        return 0.0
    if k == 1:
        return float(ways_with_jack(s, seat, jack_draws(s, seat)))
    hidden = count(s.hands[1 - seat] & ~s.public)
    return float(max(hidden, 1) * ways_to_come(s, seat, came_unseen(s, seat), -1))


def retrace(s: State, seat: int, w: State, luck: Luck) -> None:
    """The opponent's cards take their slots: first a late jack, then the others as they were shown,
    each uniformly among the slots filled by then, and last the hidden ones.
    """
    q = 1 - seat
    cards = came_unseen(s, seat) & ~w.hands[TALON]
    w.dealt[q] = NONE
    kept = -1
    if jack_came_late(s, seat) and has(cards, trump_jack(s)):
        kept, luck = pick_jack_draw(s, seat, luck)
        set_event_action(w, kept, trump_jack(s))
        cards ^= bit(trump_jack(s))
    fill_slots(s, seat, w, cards, kept, luck)
    w.dealt[TALON] = s.deck & ~(w.dealt[q] | w.dealt[seat] | w.dealt[UPCARD])


@inlined
def pick_jack_draw(s: State, seat: int, luck: Luck) -> tuple[int, Luck]:
    """The draw that brought the jack, weighted by the ways in which the shown cards then came."""
    draws = jack_draws(s, seat)
    luck = forward(luck)
    target = below(luck, ways_with_jack(s, seat, draws))
    others = came_unseen(s, seat) & ~bit(trump_jack(s))
    target -= ways_to_come(s, seat, others, lowest(draws))
    while target >= 0:
        draws &= draws - np.uint64(1)
        target -= ways_to_come(s, seat, others, lowest(draws))
    return lowest(draws), luck


@inlined
def fill_slots(s: State, seat: int, w: State, cards: Cards, kept: int, luck: Luck) -> None:
    q = 1 - seat
    draws = NONE
    for t in range(s.length):
        if is_draw(s, q, t):
            draws |= bit(t) if t != kept else NONE
            continue
        new = shown(s, q, t) & cards
        cards ^= new
        draws, luck = bring(s, seat, w, new, draws, luck)
    bring(s, seat, w, cards, draws, luck)


@inlined
def bring(
    s: State, seat: int, w: State, cards: Cards, draws: Cards, luck: Luck
) -> tuple[Cards, Luck]:
    """Put each card into the opponent's dealt hand or into a draw; return the draws left."""
    q = 1 - seat
    while cards != NONE:
        card = lowest(cards)
        cards ^= bit(card)
        room = count(s.dealt[seat]) - count(w.dealt[q])
        luck = forward(luck)
        slot = below(luck, room + count(draws))
        if slot < room:
            w.dealt[q] |= bit(card)
        else:
            t = nth(draws, slot - room)
            draws ^= bit(t)
            set_event_action(w, t, card)
    return draws, luck
