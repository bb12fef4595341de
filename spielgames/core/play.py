"""Advancing one game: dealing (the same for every game), then the game's own verbs.

A deal is chance placing each card in deck order: outcome = the hand or pile it goes to, with
probability (its open slots)/(cards left). So a hand has one history, not one per order of its
cards.
"""

import numpy as np

from spielgames.core.cards import NONE, bit, count, inlined, lowest, nth, scaled
from spielgames.core.luck import Luck, forward, mix
from spielgames.core.record import CHANCE, State, note_event
from spielgames.core.verbs import apply, begin, chance, draw


@inlined
def outcomes(s: State, p: np.ndarray) -> None:
    """Fills the probability of each outcome of the pending chance event."""
    for i in range(len(p)):
        p[i] = 0.0
    if s.undealt == NONE:
        chance(s, p)
        return
    left = count(s.undealt)
    for place in range(len(s.room)):
        p[place] = s.room[place] / left


@inlined
def place_rest_if_forced(s: State) -> None:
    """Gives the remaining cards away once a single place has open slots: no chance is left."""
    left = count(s.undealt)
    for place in range(len(s.room)):
        if s.room[place] == left:
            s.dealt[place] |= s.undealt
            s.room[place] = 0
            s.undealt = NONE
            begin(s)
            return


@inlined
def place_card(s: State, place: int) -> None:
    """Chance puts the next card of the deck into a hand or pile."""
    card = lowest(s.undealt)
    s.undealt ^= bit(card)
    s.dealt[place] |= bit(card)
    s.room[place] -= 1
    place_rest_if_forced(s)


@inlined
def advance(s: State, a: int) -> None:
    """Plays one action or chance outcome."""
    if s.undealt != NONE:
        place_card(s, a)
    else:
        note_event(s, a)
        apply(s, a)


@inlined
def deal_cards(s: State, luck: Luck) -> Luck:
    """All placements at once, with the same distribution as `place_card` one by one."""
    left = count(s.undealt)
    for place in range(len(s.room)):
        room = s.room[place]
        if room == left:
            break
        picked = NONE
        pool = s.undealt
        word = NONE
        for k in range(room):
            if k & 3 == 0:  # four picks out of one 64-bit output
                luck = forward(luck)
                word = mix(luck)
            pick = bit(nth(pool, scaled(word, left)))
            word *= np.uint64(left)
            pool ^= pick
            picked |= pick
            left -= 1
        s.dealt[place] |= picked
        s.undealt = pool
        s.room[place] = 0
    place_rest_if_forced(s)
    return luck


@inlined
def settle(s: State, luck: Luck) -> Luck:
    """Resolves all pending chance; the stream's new position."""
    while s.turn == CHANCE:
        if s.undealt != NONE:
            luck = deal_cards(s, luck)
        else:
            luck = forward(luck)
            advance(s, draw(s, luck))
    return luck
