"""Worlds moved by belief are as likely as the rules make what was played."""

from collections import Counter

import numpy as np
import pytest
from numba import njit
from scipy import stats

from spielgames.core.batch import Batch
from spielgames.core.belief import ALLIED, LINKS, STRANGE, move_worlds
from spielgames.core.cards import count, has
from spielgames.core.play import advance
from spielgames.core.players import choices
from spielgames.core.record import event_action
from spielgames.core.replay import redeal
from spielgames.core.verbs import legal, reset
from tests.test_worlds import consistent_pasts, pasts, positions
from tests.trees import root
from tests.variants import FULL

OPEN = [  # nothing happens unseen
    "python_coinche(suits=2,ranks=4,levels=1,capot=false,doubling=false)",
    "python_hokm(suits=2,ranks=4,preview=1)",
    "python_hearts(suits=2,ranks=4,pass=hold)",
]
SAMPLES, STEPS = 3_000, 250


def moved(name: str, target: np.ndarray, n: int, steps: int, seed: int) -> Batch:
    """Worlds of a game for its mover."""
    game, variant, _ = root(name)
    worlds = Batch.of_states(game, variant, target).worlds(int(target["turn"][0]), n, seed)
    scratch = np.repeat(target, 2)
    move_worlds(target, worlds.states, scratch, np.array(game.sides), 0, steps, seed)
    return worlds


@njit
def chance(past: np.ndarray, again: np.ndarray, seat: int, sides: np.ndarray) -> float:
    """How likely others were to do what they did in the only game, if all of it was open."""
    r, likely = again[0], 1.0
    reset(r)
    redeal(r, past[0])
    for t in range(past[0].length):
        a, q = event_action(past[0].events[t]), r.turn
        if q >= 0 and q != seat:
            free = ALLIED if sides[q] == sides[seat] else STRANGE
            rules, by_rules = choices(r, 0), 0.0
            if has(rules, a):
                by_rules = (1 - free) / count(rules)
            likely *= free / count(legal(r)) + by_rules
        advance(r, a)
        redeal(r, past[0])
    return likely


@pytest.mark.parametrize("name", OPEN)
def test_moved_worlds_are_as_likely_as_what_the_others_did(name):
    sides = np.array(root(name)[0].sides)
    tested = 0
    for k, target in enumerate(np.split(positions(name, 16), 16)):
        seat = int(target["turn"][0])
        possible = consistent_pasts(name, target, seat)
        rows = np.split(possible, len(possible))
        chances = np.array([chance(row, row.copy(), seat, sides) for row in rows])
        expected = SAMPLES * chances / chances.sum()
        worlds = moved(name, target, LINKS * SAMPLES, STEPS, seed=k).states[k % LINKS :: LINKS]
        seen = Counter(pasts(worlds))  # one of every chain
        assert set(seen) <= set(pasts(possible))
        if len(possible) > 1 and expected.min() >= 5 and chances.min() < chances.max():
            found = [seen[p] for p in pasts(possible)]
            assert stats.chisquare(found, expected).pvalue > 1e-4
            tested += stats.chisquare(found).pvalue < 1e-4  # even they are not
    assert tested >= 3


@pytest.mark.parametrize("name", FULL)
def test_a_moved_world_looks_the_same_to_the_mover(name):
    different = 0
    for k, target in enumerate(np.split(positions(name, 60), 60)):
        seat, worlds = int(target["turn"][0]), moved(name, target, 9, 40, seed=k)
        game, variant, _ = root(name)
        here = Batch.of_states(game, variant, target)
        for there in worlds.infostate(seat):
            np.testing.assert_array_equal(there, here.infostate(seat)[0])
        assert (worlds.actors() == seat).all()
        assert (worlds.legal_sets() == here.legal_sets()).all()
        different += (worlds.states["hands"] != here.states["hands"]).any()
    assert different
