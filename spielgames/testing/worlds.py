"""Worlds are uniform over all pasts that a seat cannot tell apart, and look the same to it."""

from collections import Counter

import numpy as np
from scipy import stats

from spielgames.core.batch import Batch
from spielgames.core.record import is_visible
from spielgames.core.walk import Level
from spielgames.core.worlds import sample_all
from spielgames.testing.positions import advance_randomly, random_actions, root

SAMPLES, POSITIONS = 10_000, 12


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
        kept = level.states[keep]
        level = Level(kept, level.reach[keep], level.parents[keep], level.actions[keep]).next()
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


def check_worlds_are_uniform(name: str, least: int = 1) -> None:
    """Against all pasts, listed by brute force, in `least` positions with several pasts."""
    game, variant, _ = root(name)
    tested = 0
    for k, target in enumerate(np.split(positions(name, POSITIONS), POSITIONS)):
        seat = (int(target["turn"][0]) + k % 2) % game.players  # the mover, or the next one
        possible = pasts(consistent_pasts(name, target, seat))
        worlds = Batch.of_states(game, variant, target).worlds(seat, SAMPLES, seed=k)
        seen = Counter(pasts(worlds.states))
        assert set(seen) <= set(possible)
        if 2 <= len(possible) <= SAMPLES // 10:
            assert stats.chisquare([seen[p] for p in possible]).pvalue > 1e-4
            tested += 1
    assert tested >= least


def check_worlds_look_the_same(name: str, games: int = 60) -> None:
    """In a world, a seat sees what it has seen, and may do what it may do; the rest differs."""
    rng = np.random.default_rng(1)
    batch = Batch(name, games, seed=9)
    different = 0
    while batch.running():
        for seat in range(batch.game.players):
            worlds = batch.worlds(seat, 3, seed=int(rng.integers(1 << 30)))
            compare_views(batch, worlds, seat)
            different += (worlds.states["hands"] != np.repeat(batch.states["hands"], 3, 0)).sum()
        advance_randomly(batch, 3, rng)
    assert different


def compare_views(batch: Batch, worlds: Batch, seat: int) -> None:
    """Compare what the seat sees of each game, and of its three worlds."""
    for theirs, own in (
        (worlds.infostate(seat), batch.infostate(seat)),
        (worlds.observe(seat), batch.observe(seat)),
        (worlds.actors(), batch.actors()),
    ):
        np.testing.assert_array_equal(theirs, np.repeat(own, 3, axis=0))
    own_turn = np.repeat(batch.actors() == seat, 3)
    legal = np.repeat(batch.legal_sets(), 3)
    assert (worlds.legal_sets()[own_turn] == legal[own_turn]).all()


def check_no_world_is_rejected(name: str, games: int = 300) -> None:
    """The deductions are complete: every world that is drawn can be played as it was seen."""
    rng = np.random.default_rng(2)
    batch = Batch(name, games, seed=4)
    while batch.running():
        for seat in range(batch.game.players):
            tries = np.zeros(len(batch), np.int64)
            out = np.empty(len(batch), batch.states.dtype)
            sample_all(batch.states, np.full(len(batch), seat), 1, 5, out, tries)
            assert (tries == 1).all()
        advance_randomly(batch, 4, rng)
