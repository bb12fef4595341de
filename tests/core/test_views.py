"""What a seat sees follows from what it knows: observations are functions of information states."""

from collections.abc import Iterator

import numpy as np
import pytest

from spielgames.core.batch import Batch
from spielgames.core.walk import Level
from spielgames.testing.positions import advance_randomly, face_of, root
from spielgames.testing.worlds import may_become
from tests.variants import COUNTED, FULL, SMALL

VARIANTS = [*COUNTED, "python_hearts(suits=2,ranks=4,pass=any,pass_count=1)"]
FEW = 100


def finished(name: str, deals: int) -> list[np.ndarray]:
    batch = Batch(name, deals, seed=6)
    advance_randomly(batch, batch.variant.max_moves, np.random.default_rng(8))
    return np.split(batch.states, deals)


def on_the_way(name: str, target: np.ndarray, seat: int) -> Iterator[np.ndarray]:
    """Histories that a seat may have taken for the target's at some moment, while cards are dealt
    and at other moves of chance too: at random some of each length."""
    rng = np.random.default_rng(5)
    level = Level.root(root(name)[2])
    while len(level.states):
        yield level.states[rng.permutation(len(level.states))[:FEW]]
        level = level.next()
        keep = may_become(level.states, target[0], seat)
        level = Level(level.states[keep], level.reach[keep], None, None)


def check_views(name: str, states: np.ndarray, seat: int, seen: dict) -> None:
    """All that is seen goes with the information state, be it the tensor or the string."""
    game, variant, _ = root(name)
    batch = Batch.of_states(game, variant, states)
    tensors, rows = batch.infostate(seat), batch.observe(seat)
    for i, face in enumerate(face_of(name, states)):
        tensor, words = tensors[i].tobytes(), face.information_state_string(seat)
        view = tensor, words, rows[i].tobytes(), face.observation_string(seat)
        assert seen.setdefault(tensor, view) == view
        assert seen.setdefault(words, view) == view


@pytest.mark.parametrize("name", VARIANTS)
def test_observations_follow_from_information_states(name):
    players = root(name)[0].players
    for seat, target in enumerate(finished(name, players)):
        seen, states = {}, 0
        for level in on_the_way(name, target, seat):
            check_views(name, level, seat, seen)
            states += len(level)
        assert len(seen) < states


@pytest.mark.parametrize("name", FULL + SMALL)
def test_worlds_have_the_same_information_state(name):
    rng = np.random.default_rng(1)
    batch = Batch(name, 1, seed=9)
    while batch.running():
        for seat in range(batch.game.players):
            seen = {}
            check_views(name, batch.states, seat, seen)
            check_views(name, batch.worlds(seat, 3, seed=3).states, seat, seen)
            assert len(seen) == 2  # a tensor and a string
        advance_randomly(batch, 3, rng)
