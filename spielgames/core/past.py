"""What a game without hidden moves needs for worlds, and helpers for the verb `retrace`."""

import numpy as np

from spielgames.core.cards import NONE, Cards, bit, count, inlined, int64, nth
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
    """Events first, first+1, … become the cards of a set, every order equally likely."""
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
    """Where cards never change hands: a seat was dealt what it has and what it played."""
    for seat in range(len(s.played)):
        w.dealt[seat] = w.hands[seat] | s.played[seat]


def chance(s: State, p: np.ndarray) -> None:
    """No chance but the deal."""


def draw(s: State, luck: Luck) -> int:
    return int64(0)  # a literal would make Numba compile `advance` once more


def margin(s: State, seat: int) -> float:
    """The utility says all."""
    return 0.0


def relax(s: State) -> None:
    """Every rule binds one card at a time."""


def cases(s: State, seat: int, k: int, allowed: np.ndarray) -> float:
    """One case: pairwise deductions are all there is."""
    return 1.0 if k == 0 else -1.0


def retrace(s: State, seat: int, w: State, luck: Luck) -> None:
    """Cards never change hands, and what was dealt to a pile stays there."""
    dealt_as_held(s, w)
    for pile in range(len(s.played), len(s.hands)):
        w.dealt[pile] = w.hands[pile]
