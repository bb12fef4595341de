"""Deductions: in which hands and piles a seat may still believe each unseen card to be.

Card c was not in q's hand if holding it would have made the card that q played illegal. That is
tested pairwise with the game's own `legal` on a replay of the deal.
"""

import numpy as np

from spielgames.core.cards import NONE, ONE, Cards, bit, count, has, inlined, lowest
from spielgames.core.record import State, event_action, is_private
from spielgames.core.replay import redeal, step_past
from spielgames.core.verbs import legal, relax, reset


@inlined
def unseen_by(s: State, seat: int) -> Cards:
    """The cards whose place a seat does not know."""
    return s.deck & ~(s.dealt[seat] | s.gained[seat] | s.public)


@inlined
def excluded(r: State, q: int, a: int, maybe: Cards) -> Cards:
    """The cards among `maybe` that, in q's hand, would have forbidden `a`."""
    hand = r.hands[q]
    out = NONE
    r.hands[q] = bit(a) | maybe
    if not has(legal(r), a):  # rare: legal beside all of them means legal beside each
        while maybe != NONE:
            card = maybe & (~maybe + ONE)
            maybe ^= card
            r.hands[q] = bit(a) | card
            if not has(legal(r), a):
                out |= card
    r.hands[q] = hand
    return out


@inlined
def find_bans(r: State, s: State, seat: int, banned: np.ndarray) -> None:
    """Fill, per seat, the unseen cards that its plays have excluded from its hand; `r` is
    scratch.
    """
    unseen = unseen_by(s, seat)
    reset(r)
    relax(r)
    redeal(r, s)
    for t in range(s.length):
        a = event_action(s.events[t])
        q = r.turn
        if q >= 0 and q != seat and not is_private(s.events[t]) and has(r.hands[q], a):
            banned[q] |= excluded(r, q, a, unseen & ~banned[q])
        step_past(r, s, t)


@inlined
def find_room(s: State, seat: int, room: np.ndarray) -> None:
    """Fill how many unseen cards lie in each place."""
    unseen = unseen_by(s, seat)
    for place in range(len(s.hands)):
        room[place] = count(s.hands[place] & unseen) if place != seat else 0


@inlined
def find_places(
    s: State, seat: int, banned: np.ndarray, room: np.ndarray, allowed: np.ndarray
) -> None:
    """Fill the places in which each unseen card may lie."""
    unseen = unseen_by(s, seat)
    while unseen != NONE:
        card = lowest(unseen)
        unseen ^= bit(card)
        allowed[card] = 0
        for place in range(len(s.hands)):
            barred = place < len(banned) and has(banned[place], card)
            if room[place] > 0 and not barred:
                allowed[card] |= 1 << place
