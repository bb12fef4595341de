"""Reweighted beliefs: worlds drawn according to how well they explain what the others have done.

`core.worlds` draws uniformly from all pasts that a seat cannot tell apart, as if the others played
at random. Here the others follow the game's rules, except in a share of their moves; and an
opponent may be a *stranger*, who plays at random. Uniform worlds are moved towards the likely ones:
unseen cards change places, and the new world is accepted or rejected as in Metropolis et al.
(1953). What others did unseen is invented anew and carries no weight. Worlds of one chain resemble
each other more than independent ones.
"""

import numpy as np

from spielgames.core.arrays import copy, fill
from spielgames.core.cards import NONE, Cards, bit, count, has, inlined, int64, lowest, nth
from spielgames.core.inlining import linked
from spielgames.core.luck import (
    STRANGERS_SEED,
    SWAPS_SEED,
    Luck,
    below,
    forward,
    fraction,
    mix,
    stream,
)
from spielgames.core.players import choices
from spielgames.core.record import State, event_action, is_private
from spielgames.core.replay import may_play, redeal, step_past
from spielgames.core.verbs import cases, legal, reset, retrace
from spielgames.core.worlds import (
    MAX_CASES,
    copy_past,
    find_bans,
    find_places,
    find_room,
    looks_same,
    unseen_by,
)

STRANGE, ALLIED = 0.05, 0.5  # the shares of free moves, of an opponent and of a partner
LINKS = 8  # the worlds in a chain, each moved on from the one before


@linked
def retell(
    w: State,
    past: State,
    seat: int,
    sides: np.ndarray,
    level: int,
    strangers: float,
    least: float,
    told: np.ndarray,
) -> float:
    """Play `past` again in `w`; the log-probability of what the others did. −∞, with `w` left in
    the middle, if something was illegal or the answer is below `least`. `told[seat]` gets the
    probability of what that seat did by the rules, and at random.
    """
    total = 0.0
    for q in range(len(told)):
        fill(told[q], 1.0)
    reset(w)
    redeal(w, past)
    for t in range(past.length):
        a, q = event_action(past.events[t]), w.turn
        if not may_play(w, a):
            return -np.inf
        if q >= 0 and q != seat and not is_private(past.events[t]):
            share = strangers if sides[q] != sides[seat] else 0.0
            before = mixed(told[q], share)
            told[q, 0] *= chance_of(w, a, level, ALLIED if sides[q] == sides[seat] else STRANGE)
            told[q, 1] /= count(legal(w))
            total += np.log(mixed(told[q], share) / before)
            if total < least:
                return -np.inf
        step_past(w, past, t)
    return total


@inlined
def mixed(told: np.ndarray, share: float) -> float:
    """The probability of all that a seat did, if it is a stranger with probability `share`."""
    return (1 - share) * told[0] + share * told[1]


@inlined
def chance_of(w: State, a: int, level: int, free: float) -> float:
    """The probability that the mover does `a`, if a share `free` of its moves is at random."""
    likely, chance = choices(w, level), free / count(legal(w))
    return chance + (1 - free) / count(likely) if has(likely, a) else chance


@inlined
def find_homes(r: State, s: State, seat: int, homes: np.ndarray) -> int:
    """Fill, for each case of what is proven, the unseen cards that each place may hold; return the
    number of cases. `r` is scratch.
    """
    banned = np.zeros(len(s.played), np.uint64)
    room = np.zeros(len(s.hands), np.int64)
    places = np.zeros(64, np.int64)
    allowed = np.zeros(64, np.int64)
    find_bans(r, s, seat, banned)
    find_room(s, seat, room)
    find_places(s, seat, banned, room, places)
    for k in range(MAX_CASES):
        copy(places, allowed)
        weight = cases(s, seat, k, allowed)
        if weight < 0:
            return k
        unseen = unseen_by(s, seat) if weight > 0 else NONE
        while unseen != NONE:
            card = lowest(unseen)
            unseen ^= bit(card)
            for place in range(len(s.hands)):
                if allowed[card] >> place & 1:
                    homes[k, place] |= bit(card)
    return MAX_CASES


@inlined
def fits(w: State, unseen: Cards, homes: np.ndarray) -> bool:
    """Whether the unseen cards lie where one of the cases allows; otherwise no past exists."""
    for k in range(len(homes)):
        wrong = NONE
        for place in range(len(w.hands)):
            wrong |= w.hands[place] & unseen & ~homes[k, place]
        if wrong == NONE:
            return True
    return False


@inlined
def place_of(w: State, card: int) -> int:
    place = 0
    while not has(w.hands[place], card):
        place += 1
    return place


@inlined
def swap(w: State, unseen: Cards, luck: Luck) -> Luck:
    """Let two of the `unseen` cards change places."""
    luck = forward(luck)
    one = nth(unseen, below(luck, count(unseen)))
    here = place_of(w, one)
    rest = unseen & ~w.hands[here]
    if rest != NONE:
        luck = forward(luck)
        other = nth(rest, below(luck, count(rest)))
        there = place_of(w, other)
        w.hands[here] ^= bit(one) | bit(other)
        w.hands[there] ^= bit(one) | bit(other)
    return luck


@inlined
def shuffle(w: State, unseen: Cards, luck: Luck) -> Luck:
    """Swap once and perhaps more often: single swaps may not connect all possible worlds."""
    luck = swap(w, unseen, luck)
    luck = forward(luck)
    while below(luck, 4) == 0:
        luck = forward(swap(w, unseen, luck))
    return luck


@linked
def move_worlds(
    position: np.ndarray,
    worlds: np.ndarray,
    scratch: np.ndarray,
    sides: np.ndarray,
    level: int,
    strangers: float,
    steps: int,
    seed: int,
    strange: np.ndarray,
) -> None:
    """Move worlds of the only game in `position`: the first of a chain by `steps`, each other,
    starting from the one before, by fewer. `strange[j]` gets the strangers in world j, drawn by
    their probabilities. (`scratch` holds two copies of the game: a record does not keep its array
    alive.)
    """
    s, new, past = position[0], scratch[0], scratch[1]
    seat, now, told = int64(s.turn), 0.0, np.ones((len(sides), 2))
    unseen = unseen_by(s, seat)
    homes = np.zeros((MAX_CASES, len(s.hands)), np.uint64)
    homes = homes[: find_homes(past, s, seat, homes)]
    for j in range(len(worlds)):
        luck, moves = stream(seed ^ SWAPS_SEED, j), steps
        if j % LINKS == 0:
            copy_past(past, worlds[j])
            now = retell(new, past, seat, sides, level, strangers, -np.inf, told)
        else:
            worlds[j], moves = worlds[j - 1], steps // LINKS
        for _ in range(moves if unseen != NONE else 0):
            scratch[0] = worlds[j]
            luck = forward(shuffle(new, unseen, luck))
            then, least = -np.inf, now + np.log(fraction(forward(luck)))
            if fits(new, unseen, homes):
                retrace(s, seat, new, mix(luck))  # far from what is drawn next
                copy_past(past, new)
                then = retell(new, past, seat, sides, level, strangers, least, told)
            luck = forward(luck)
            if then >= least and looks_same(new, s, seat):
                worlds[j], now = new, then
        if strangers > 0:
            copy_past(past, worlds[j])
            retell(new, past, seat, sides, level, strangers, -np.inf, told)
            strange[j] = draw_strangers(
                told, seat, sides, strangers, stream(seed ^ STRANGERS_SEED, j)
            )


@inlined
def draw_strangers(
    told: np.ndarray, seat: int, sides: np.ndarray, share: float, luck: Luck
) -> Cards:
    """Draw the set of opponents who are strangers."""
    found = NONE
    for q in range(len(sides)):
        luck = forward(luck)
        likely = share * told[q, 1] / mixed(told[q], share)
        if sides[q] != sides[seat] and fraction(luck) < likely:
            found |= bit(q)
    return found
