"""Worlds moved by belief are as likely as the rules make what was played."""

from collections import Counter

import numpy as np
import pytest
from numba import njit
from scipy import stats

from solvers.search.metropolis import ALLIED, LINKS, STRANGE, move_worlds
from spielgames.agents import make_agent
from spielgames.core.advance import advance
from spielgames.core.batch import Batch
from spielgames.core.cards import count, has
from spielgames.core.players import choices
from spielgames.core.record import event_action
from spielgames.core.replay import redeal
from spielgames.core.verbs import legal, reset
from spielgames.testing.positions import root
from spielgames.testing.worlds import consistent_pasts, pasts, positions
from tests.variants import FULL

OPEN = [  # nothing happens unseen
    "python_coinche(suits=2,ranks=4,levels=1,capot=false,doubling=false)",
    "python_hokm(suits=2,ranks=4,preview=1)",
    "python_hearts(suits=2,ranks=4,pass=hold)",
]
SAMPLES, STEPS = 3_000, 250


def moved(
    name: str, target: np.ndarray, n: int, steps: int, seed: int, strangers: float = 0.0
) -> tuple[Batch, np.ndarray]:
    """Worlds of a game for its mover, and who is a stranger there."""
    game, variant, _ = root(name)
    worlds = Batch.of_states(game, variant, target).worlds(int(target["turn"][0]), n, seed)
    scratch = np.repeat(target, 2)
    sides, strange = np.array(game.sides), np.zeros(len(worlds.states), np.uint64)
    move_worlds(target, worlds.states, scratch, sides, 0, strangers, steps, seed, strange)
    return worlds, strange


@njit
def chances_of(past: np.ndarray, again: np.ndarray, seat: int, sides: np.ndarray) -> np.ndarray:
    """How likely each seat was to do what it did in the only game, if all of it was open: by the
    rules but for a few moves, and at random. `[2, seats]`, 1 for the seat that asks.
    """
    r, likely = again[0], np.ones((2, len(sides)))
    reset(r)
    redeal(r, past[0])
    for t in range(past[0].length):
        a, q = event_action(past[0].events[t]), r.turn
        if q >= 0 and q != seat:
            free = ALLIED if sides[q] == sides[seat] else STRANGE
            rules, by_rules = choices(r, 0), 0.0
            if has(rules, a):
                by_rules = (1 - free) / count(rules)
            likely[0, q] *= free / count(legal(r)) + by_rules
            likely[1, q] /= count(legal(r))
        advance(r, a)
        redeal(r, past[0])
    return likely


@pytest.mark.parametrize("strangers", [0.0, 0.3])
@pytest.mark.parametrize("name", OPEN)
def test_moved_worlds_are_as_likely_as_what_the_others_did(name, strangers):
    """And so are the strangers in them."""
    sides = np.array(root(name)[0].sides)
    tested = 0
    for k, target in enumerate(np.split(positions(name, 16), 16)):
        seat = int(target["turn"][0])
        possible = consistent_pasts(name, target, seat)
        rows = np.split(possible, len(possible))
        told = np.array([chances_of(row, row.copy(), seat, sides) for row in rows])
        shares = np.where(sides != sides[seat], strangers, 0.0)
        mixed = (1 - shares) * told[:, 0] + shares * told[:, 1]
        chances = mixed.prod(axis=1)
        expected = SAMPLES * chances / chances.sum()
        worlds, strange = moved(name, target, LINKS * SAMPLES, STEPS, k, strangers)
        links = slice(k % LINKS, None, LINKS)  # one of every chain
        seen = Counter(pasts(worlds.states[links]))
        assert set(seen) <= set(pasts(possible))
        likely = (shares * told[:, 1] / mixed * expected[:, None]).sum(axis=0) / SAMPLES
        flags = strange[links, None] >> np.arange(len(sides), dtype=np.uint64) & np.uint64(1)
        assert np.abs(flags.mean(axis=0) - likely).max() < 5 / np.sqrt(4 * SAMPLES)
        if len(possible) > 1 and expected.min() >= 5 and chances.min() < chances.max():
            found = [seen[p] for p in pasts(possible)]
            assert stats.chisquare(found, expected).pvalue > 1e-4
            tested += stats.chisquare(found).pvalue < 1e-4  # even they are not
    assert tested >= 3


@pytest.mark.parametrize("name", FULL)
def test_a_moved_world_looks_the_same_to_the_mover(name):
    different = 0
    for k, target in enumerate(np.split(positions(name, 60), 60)):
        seat, (worlds, _) = int(target["turn"][0]), moved(name, target, 9, 40, seed=k)
        game, variant, _ = root(name)
        here = Batch.of_states(game, variant, target)
        for there in worlds.infostate(seat):
            np.testing.assert_array_equal(there, here.infostate(seat)[0])
        assert (worlds.actors() == seat).all()
        assert (worlds.legal_sets() == here.legal_sets()).all()
        different += (worlds.states["hands"] != here.states["hands"]).any()
    assert different


@pytest.mark.parametrize("kind", ["rules", "random"])
def test_who_does_not_go_by_the_rules_is_found_out(kind):
    """In nine of ten worlds, after six tricks; whoever goes by them is hardly ever thought a
    stranger.
    """
    name = "python_hokm(trump=heuristic)"
    player, batch = make_agent(kind, name), Batch(name, 30, seed=4)
    for move in range(25):  # the trump is named first
        chances = player.probabilities(batch.states)
        batch.step((chances * np.random.default_rng(move).random(chances.shape)).argmax(axis=1))
    shares = []
    for k, target in enumerate(np.split(batch.states, len(batch))):
        _, strange = moved(name, target, 16, 100, seed=k, strangers=0.05)
        opponents = np.arange(4) % 2 != target["turn"][0] % 2
        flags = strange[:, None] >> np.arange(4, dtype=np.uint64) & np.uint64(1)
        shares.append(flags[:, opponents].mean())
        assert not flags[:, ~opponents].any()
    assert np.mean(shares) > 0.8 if kind == "random" else np.mean(shares) < 0.02
