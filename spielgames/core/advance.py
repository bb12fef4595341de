"""Advancing one game: dealing, the same for every game, and then the game's own verbs.

In a deal chance places each card in deck order: the outcome is the hand or pile that it goes to,
with probability (its open slots)/(cards left). So a hand has one history, not one per order of its
cards.
"""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, lowest, nth, scaled
from spielgames.core.luck import Luck, forward, mix
from spielgames.core.record import CHANCE, State, note_event
from spielgames.core.verbs import apply, begin, chance, draw


@inlined
def outcomes(s: State, p: np.ndarray) -> None:
    """Fill the probability of each outcome of the pending chance event."""
    for i in range(len(p)):
        p[i] = 0.0
    if s.undealt == NONE:
        chance(s, p)
        return
    left = count(s.undealt)
    for place in range(len(s.room)):
        p[place] = s.room[place] / left


@inlined
def place_cards(s: State, place: int, cards: Cards) -> None:
    """Put undealt cards into a hand or pile; after the last ones the game goes on."""
    s.undealt ^= cards
    s.dealt[place] |= cards
    s.room[place] -= count(cards)
    if s.undealt == NONE:
        begin(s)


@inlined
def advance(s: State, a: int) -> None:
    """Play one action or chance outcome."""
    if s.undealt != NONE:
        place_cards(s, a, bit(lowest(s.undealt)))
    else:
        note_event(s, a)
        apply(s, a)


@inlined
def deal_cards(s: State, luck: Luck) -> Luck:
    """Place all cards at once, with the same distribution as one by one."""
    for place in range(len(s.room)):
        if s.room[place] > 0:
            picked, luck = pick_cards(s.undealt, s.room[place], luck)
            place_cards(s, place, picked)
    return luck


@inlined
def pick_cards(pool: Cards, room: int, luck: Luck) -> tuple[Cards, Luck]:
    """Draw a uniform subset, four picks from each 64-bit output; also the stream's new position."""
    left = count(pool)
    if room == left:
        return pool, luck
    picked, word = NONE, NONE
    for k in range(room):
        if k & 3 == 0:
            luck = forward(luck)
            word = mix(luck)
        pick = bit(nth(pool, scaled(word, left)))
        word *= np.uint64(left)
        pool ^= pick
        picked |= pick
        left -= 1
    return picked, luck


@inlined
def settle(s: State, luck: Luck) -> Luck:
    """Resolve all pending chance; return the stream's new position."""
    while s.turn == CHANCE:
        if s.undealt != NONE:
            luck = deal_cards(s, luck)
        else:
            luck = forward(luck)
            advance(s, draw(s, luck))
    return luck
