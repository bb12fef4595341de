"""The play of Coinche against an independent reading of its rules, in random deals."""

import itertools

import numpy as np
import pytest

from spielgames.coinche.game import COINCHE
from spielgames.core.batch import Batch
from spielgames.core.cards import make_set, members
from spielgames.core.record import event_action
from spielgames.core.words import RANKS_8
from spielgames.testing.positions import random_actions
from tests.coinche.reading import PLAIN_ORDER, TRUMP_ORDER, is_allowed, power
from tests.coinche.table import SMALL, at_trick, cards, suit_of


def score_by_hand(s):
    """Replay a finished deal: points and tricks per team, and whether each play was allowed."""
    plays = [int(event_action(e)) for e in s.events[s.calls : s.length]]
    hands = [members(hand) for hand in s.dealt]
    points, tricks, leader, trump = [0, 0], [0, 0], 0, int(s.trump)
    for start in range(0, len(plays), 4):
        trick = []
        for k, card in enumerate(plays[start : start + 4]):
            hand = hands[(leader + k) % 4]
            assert is_allowed(card, hand, trick, trump, s.undertrump)
            hand.remove(card)
            trick.append(card)
        strengths = [power(c, trump, suit_of(trick[0])) for c in trick]
        leader = (leader + strengths.index(max(strengths))) % 4
        tricks[leader % 2] += 1
        points[leader % 2] += sum(worth(c, trump) for c in trick)
    points[leader % 2] += 10
    return points, tricks


def worth(card, trump):
    if suit_of(card) == trump:
        return dict(zip(TRUMP_ORDER, (0, 0, 3, 4, 10, 11, 14, 20), strict=True))[RANKS_8[card % 8]]
    return dict(zip(PLAIN_ORDER, (0, 0, 0, 2, 3, 4, 10, 11), strict=True))[RANKS_8[card % 8]]


@pytest.mark.parametrize("params", ["", "undertrump=true", "ranks=5", *SMALL])
def test_random_deals_follow_the_rules(params):
    batch = Batch(f"python_coinche({params})", games=60, seed=11)
    undertrump = "undertrump" in params
    rng = np.random.default_rng(5)
    while batch.running():
        for s, legal in zip(batch.states, batch.legal_sets(), strict=True):
            if s.playing and s.turn >= 0:
                hand, trick = members(s.hands[s.turn]), [int(c) for c in s.trick[: s.in_trick]]
                allowed = [c for c in hand if is_allowed(c, hand, trick, s.trump, undertrump)]
                assert members(legal) == allowed and allowed
        batch.step(random_actions(batch, rng))
    assert batch.states["playing"].any()
    for s in batch.states[batch.states["playing"] == 1]:
        assert score_by_hand(s) == (list(s.points), list(s.tricks))


@pytest.mark.parametrize("undertrump", [False, True])
def test_pairs_of_cards_tell_what_is_legal(undertrump):
    """Worlds rest on this: a card is legal exactly if it is so beside each other card alone."""
    batch = Batch(f"python_coinche(undertrump={undertrump})".lower(), games=150, seed=9)
    rng = np.random.default_rng(4)
    checked = 0
    while batch.running():
        running = np.flatnonzero((batch.states["playing"] == 1) & (batch.actors() >= 0))
        for i in running[:10]:
            hand = members(batch.states[i].hands[batch.states[i].turn])
            pairs = list(itertools.product(hand, hand))
            states = np.repeat(batch.states[i : i + 1], len(pairs))
            states["hands"][:, states[0].turn] = [make_set(pair) for pair in pairs]
            legal = Batch.of_states(COINCHE, batch.variant, states).legal_sets()
            refused = {a for (a, _), s in zip(pairs, legal, strict=True) if a not in members(s)}
            assert set(members(batch.legal_sets()[i])) == set(hand) - refused
            checked += bool(refused)
        batch.step(random_actions(batch, rng))
    assert checked > 50


def test_partner_may_be_undertrumped_unless_undertrump():
    """Partner trumped; a discard is free, the low trump is not where a higher one is held."""
    trick, hand = ["7D", "8C", "7H"], ["7C", "AC", "9S"]
    assert at_trick(trick, hand, "♣", False).legal == set(cards("7C AC 9S"))
    assert at_trick(trick, hand, "♣", True).legal == set(cards("AC 9S"))
