"""Coinche's worlds: every possible deal is drawn equally often, and looks the same."""

import itertools
import math
from collections import Counter

import numpy as np
import pytest

from spielgames.coinche.game import COINCHE
from spielgames.core.batch import Batch
from spielgames.core.cards import make_set, members
from spielgames.core.record import event_action
from spielgames.testing.positions import advance_randomly
from tests.coinche.reading import is_allowed, power
from tests.coinche.table import suit_of

pytestmark = pytest.mark.compiled


def consistent_deals(s, seat):
    """All ways to deal the cards `seat` can't see that make every play so far allowed."""
    plays = [int(event_action(e)) for e in s.events[s.calls : s.length]]
    known = int(s.dealt[seat]) | int(s.public)
    others = [q for q in range(4) if q != seat]
    found = []
    for split in splits(members(int(s.deck) & ~known), [len(members(s.hands[q])) for q in others]):
        hands = {q: list(h) + members(s.played[q]) for q, h in zip(others, split, strict=True)}
        hands[seat] = members(s.dealt[seat])
        if plays_allowed(plays, hands, int(s.trump), bool(s.undertrump)):
            found.append(tuple(int(make_set(hands[q])) for q in range(4)))
    return found


def splits(left, sizes):
    if not sizes:
        yield ()
        return
    for hand in itertools.combinations(left, sizes[0]):
        for rest in splits([c for c in left if c not in hand], sizes[1:]):
            yield (hand, *rest)


def plays_allowed(plays, hands, trump, undertrump):
    hands = {q: list(hand) for q, hand in hands.items()}
    leader = 0
    for start in range(0, len(plays), 4):
        trick = []
        for k, card in enumerate(plays[start : start + 4]):
            hand = hands[(leader + k) % 4]
            if not is_allowed(card, hand, trick, trump, undertrump):
                return False
            hand.remove(card)
            trick.append(card)
        strengths = [power(c, trump, suit_of(trick[0])) for c in trick]
        leader = (leader + strengths.index(max(strengths))) % 4
    return True


@pytest.mark.parametrize("params", ["ranks=4", "suits=3,ranks=4", "ranks=4,undertrump=true"])
def test_worlds_are_uniform_over_the_deals_that_are_possible(params):
    batch = Batch(f"python_coinche({params})", games=300, seed=21)
    rng = np.random.default_rng(8)
    advance_randomly(batch, 12, rng)
    shown = np.bitwise_count(batch.states["voids"]).sum(1).astype(int)
    after_a_trick = (batch.states["tricks"].sum(1) == 1) & (batch.states["in_trick"] < 2)
    chosen = np.argsort(np.where(after_a_trick, -shown, 99), kind="stable")[:5]
    assert after_a_trick[chosen].all() and shown[chosen].min() > 0
    for i in chosen:
        game_i = Batch.of_states(COINCHE, batch.variant, batch.states[i : i + 1].copy())
        seat = int(game_i.actors()[0])
        possible = consistent_deals(batch.states[i], seat)
        assert len(possible) > 1
        worlds = game_i.worlds(np.array([seat]), 60 * len(possible), seed=int(i))
        seen = Counter(tuple(dealt) for dealt in worlds.states["dealt"].tolist())
        assert set(seen) == set(possible)
        excess = sum((n - 60) ** 2 / 60 for n in seen.values()) - (len(possible) - 1)
        assert abs(excess) < 5 * math.sqrt(2 * len(possible))


@pytest.mark.parametrize("params", ["", "undertrump=true"])
def test_worlds_look_the_same_to_their_seat(params):
    batch = Batch(f"python_coinche({params})", games=30, seed=6)
    rng = np.random.default_rng(7)
    while batch.running():
        seats = np.maximum(batch.actors(), 0)
        worlds, thrice = batch.worlds(seats, 3, seed=1), np.repeat(seats, 3)
        assert (worlds.infostate(thrice) == np.repeat(batch.infostate(seats), 3, 0)).all()
        assert (worlds.observe(thrice) == np.repeat(batch.observe(seats), 3, 0)).all()
        assert (worlds.legal_sets() == np.repeat(batch.legal_sets(), 3)).all()
        advance_randomly(batch, 4, rng)
