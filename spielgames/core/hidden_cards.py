"""Helpers for the verb `retrace`, which invents where hidden cards came from."""

from spielgames.core.cards import NONE, Cards, bit, count, inlined, nth
from spielgames.core.luck import Luck, below, forward
from spielgames.core.record import State, set_event_action


@inlined
def subset(cards: Cards, k: int, luck: Luck) -> tuple[Cards, Luck]:
    """A uniform k-subset, and the stream's new position."""
    if k == count(cards):
        return cards, luck
    chosen = NONE
    for _ in range(k):
        luck = forward(luck)
        pick = bit(nth(cards, below(luck, count(cards))))
        cards ^= pick
        chosen |= pick
    return chosen, luck


@inlined
def write_in_random_order(w: State, first: int, cards: Cards, luck: Luck) -> Luck:
    """Make events first, first+1, … the cards of a set, in uniformly random order."""
    t = first
    while cards != NONE:
        luck = forward(luck)
        card = nth(cards, below(luck, count(cards)))
        cards ^= bit(card)
        set_event_action(w, t, card)
        t += 1
    return luck


@inlined
def dealt_as_held(s: State, w: State) -> None:
    """Deal each seat what it holds and what it played, where cards never change hands."""
    for seat in range(len(s.played)):
        w.dealt[seat] = w.hands[seat] | s.played[seat]
