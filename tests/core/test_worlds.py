"""Worlds are uniform over all pasts that a seat can't tell apart, and look the same to it."""

from collections import Counter

import numpy as np
import pytest
from scipy import stats

from spielgames.core.batch import Batch
from spielgames.core.record import is_visible
from spielgames.core.walk import Level
from spielgames.core.worlds import sample_all
from tests.trees import advance_randomly, random_actions, root
from tests.variants import COUNTED, FULL, SMALL

SAMPLES = 10_000
POSITIONS = 12


def pasts(states: np.ndarray) -> list[tuple]:
    """The facts that tell histories apart: where the cards came from, and what happened."""
    return [(s["dealt"].tobytes(), s["events"][: s["length"]].tobytes()) for s in states]


def may_become(states: np.ndarray, target: np.record, seat: int) -> np.ndarray:
    """The histories that a seat can't tell from the beginning of the target's (a superset)."""
    keep = (states["length"] <= target.length) & ~(
        states["dealt"][:, seat] & ~target.dealt[seat] > 0
    )
    for t in range(target.length):
        known = 0xFFFF if is_visible(target.events[t], seat) else 0xFF00
        same = (states["events"][:, t] & known) == (target.events[t] & known)
        keep &= same | (states["length"] <= t)
    return keep


def consistent_pasts(name: str, target: np.ndarray, seat: int) -> np.ndarray:
    """Every state of the variant that looks to the seat like the target: by listing the tree."""
    game, variant, row = root(name)
    view = Batch.of_states(game, variant, target).infostate(seat)
    found = []
    level = Level.root(row)
    while len(level.states):
        there = level.states["length"] == target["length"][0]
        there &= level.states["turn"] == target["turn"][0]
        states = level.states[there]
        if len(states):
            same = (Batch.of_states(game, variant, states).infostate(seat) == view).all(1)
            found.append(states[same])
        keep = may_become(level.states, target[0], seat)
        level = Level(level.states[keep], level.reach[keep], None, None).next()
    return np.concatenate(found)


def positions(name: str, n: int) -> np.ndarray:
    """Random states at decisions, from all stages of a deal."""
    rng = np.random.default_rng(8)
    batch = Batch(name, n, seed=6)
    longest = rng.integers(0, batch.variant.max_moves, n)
    for step in range(batch.variant.max_moves):
        before = batch.states.copy()
        actions = random_actions(batch, rng)
        batch.step(actions)
        stay = (step >= longest) | (batch.actors() < 0)
        batch.states[stay] = before[stay]
        batch = Batch.of_states(batch.game, batch.variant, batch.states, seed=step)
    return batch.states


@pytest.mark.parametrize("name", COUNTED)
def test_worlds_are_uniform_over_all_consistent_pasts(name):
    game, variant, _ = root(name)
    tested = 0
    for k, target in enumerate(np.split(positions(name, POSITIONS), POSITIONS)):
        seat = (
            int(target["turn"][0]) + k % 2
        ) % game.players  # the mover's view, or the next one's
        possible = pasts(consistent_pasts(name, target, seat))
        worlds = Batch.of_states(game, variant, target).worlds(seat, SAMPLES, seed=k)
        seen = Counter(pasts(worlds.states))
        assert set(seen) <= set(possible)
        if 2 <= len(possible) <= SAMPLES // 10:
            assert stats.chisquare([seen[p] for p in possible]).pvalue > 1e-4
            tested += 1
    assert tested >= 3


@pytest.mark.parametrize("name", FULL + SMALL)
def test_a_world_looks_the_same_to_the_seat(name):
    rng = np.random.default_rng(1)
    batch = Batch(name, 60, seed=9)
    different = 0
    while batch.running():
        for seat in range(batch.game.players):
            worlds = batch.worlds(seat, 3, seed=int(rng.integers(1 << 30)))
            original = np.repeat(batch.infostate(seat), 3, axis=0)
            np.testing.assert_array_equal(worlds.infostate(seat), original)
            np.testing.assert_array_equal(
                worlds.observe(seat), np.repeat(batch.observe(seat), 3, 0)
            )
            np.testing.assert_array_equal(worlds.actors(), np.repeat(batch.actors(), 3))
            own_turn = np.repeat(batch.actors() == seat, 3)
            legal = np.repeat(batch.legal_sets(), 3)
            assert (worlds.legal_sets()[own_turn] == legal[own_turn]).all()
            different += (worlds.states["hands"] != np.repeat(batch.states["hands"], 3, 0)).sum()
        advance_randomly(batch, 3, rng)
    assert different


@pytest.mark.parametrize("name", [n for n in FULL + SMALL if "heuristic" not in n])
def test_no_world_is_ever_rejected(name):
    """The deductions are complete: every world that is drawn can be replayed."""
    rng = np.random.default_rng(2)
    batch = Batch(name, 300, seed=4)
    while batch.running():
        for seat in range(batch.game.players):
            tries = np.zeros(len(batch), np.int64)
            out = np.empty(len(batch), batch.states.dtype)
            sample_all(batch.states, np.full(len(batch), seat), 1, 5, out, tries)
            assert (tries == 1).all()
        advance_randomly(batch, 4, rng)


def test_worlds_do_not_depend_on_threads_or_on_other_games():
    batch = Batch("python_hearts", 1500, seed=1)
    together = batch.worlds(count=2, seed=3).states
    first = Batch.of_states(batch.game, batch.variant, batch.states[:7].copy())
    assert (first.worlds(count=2, seed=3).states == together[:14]).all()


def test_a_game_being_dealt_has_no_worlds():
    game, variant, row = root("python_hokm")
    with pytest.raises(ValueError, match="still being dealt"):
        Batch.of_states(game, variant, row).worlds(0)
