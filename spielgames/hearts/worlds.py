"""Hearts' unseen past: the cards that the others were dealt and passed."""

from spielgames.core.cards import Cards, count, inlined
from spielgames.core.hidden_cards import dealt_as_held, subset, write_in_random_order
from spielgames.core.luck import Luck
from spielgames.core.record import State, event_seat, is_private
from spielgames.hearts.rules import GIVES_TO, HOLD, PLAYERS


def retrace(s: State, seat: int, w: State, luck: Luck) -> None:
    """Any of a receiver's cards may have been passed, and chosen in any order."""
    dealt_as_held(s, w)
    if s.direction >= HOLD:
        return
    for giver in range(PLAYERS):
        receiver = giver if s.passing else (giver + GIVES_TO[s.direction]) & 3
        w.passed[giver], luck = passed_cards(s, seat, giver, receiver, w, luck)
    for giver in range(PLAYERS):
        if not s.passing:
            w.dealt[(giver + GIVES_TO[s.direction]) & 3] &= ~w.passed[giver]
    for giver in range(PLAYERS):
        w.dealt[giver] |= w.passed[giver]
        if giver != seat:
            luck = write_in_random_order(w, first_pass(s, giver), w.passed[giver], luck)


@inlined
def passed_cards(
    s: State, seat: int, giver: int, receiver: int, w: State, luck: Luck
) -> tuple[Cards, Luck]:
    """Giver and receiver know these cards; for the others they are any of the receiver's."""
    if seat == giver or (seat == receiver and not s.passing):
        return s.passed[giver], luck
    return subset(w.dealt[receiver], count(s.passed[giver]), luck)


@inlined
def first_pass(s: State, giver: int) -> int:
    """The first event of a seat's choice; 0 if it has not chosen yet (then nothing is written)."""
    for t in range(s.length):
        if is_private(s.events[t]) and event_seat(s.events[t]) == giver:
            return t
    return 0
