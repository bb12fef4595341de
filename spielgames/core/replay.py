"""Replaying a deal from its record: where its cards came from (`dealt`) and its `events`."""

from spielgames.core.advance import advance, place_cards
from spielgames.core.cards import NONE, count, has, inlined
from spielgames.core.record import State, event_action
from spielgames.core.verbs import legal


@inlined
def origin(r: State, past: State, card: int) -> int:
    """The place where chance put a card: one of `past.dealt`, or the pile that a later stage deals
    from.
    """
    spare = -1
    for place in range(len(r.room)):
        if r.room[place] == 0:
            continue
        if has(past.dealt[place], card):
            return place
        if past.dealt[place] == NONE:
            spare = place
    return spare


@inlined
def redeal(r: State, past: State) -> None:
    """Place all undealt cards as in `past`; those that went nowhere yet fill the pile left open."""
    spare = r.undealt
    for place in range(len(r.room)):
        if r.room[place] > 0:
            spare &= ~past.dealt[place]
    for place in range(len(r.room)):
        cards = past.dealt[place] & r.undealt
        if past.dealt[place] == NONE and r.room[place] == count(spare):
            cards = spare
        if r.room[place] > 0 and cards != NONE:
            place_cards(r, place, cards)


@inlined
def may_play(r: State, a: int) -> bool:
    """Whether the mover may choose `a`; chance may choose anything. Cards are left undealt only if
    the past is impossible: then nothing is allowed.
    """
    return r.undealt == NONE and (r.turn < 0 or has(legal(r), a))


@inlined
def step_past(r: State, past: State, t: int) -> None:
    """Play event `t` of the past, and deal the cards that follow it."""
    advance(r, event_action(past.events[t]))
    if r.undealt != NONE:
        redeal(r, past)


@inlined
def replay(r: State, past: State) -> bool:
    """Bring `r`, just reset, to where `past` stands; False if an action on the way is illegal."""
    redeal(r, past)
    for t in range(past.length):
        if not may_play(r, event_action(past.events[t])):
            return False
        step_past(r, past, t)
    return True
