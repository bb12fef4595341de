"""Small variants walked exhaustively: compiled loops and the OpenSpiel face agree everywhere."""

import json
from pathlib import Path

import numpy as np
import pytest

from spielgames.core.batch import Batch
from spielgames.core.cards import members
from spielgames.core.record import CHANCE, TERMINAL
from spielgames.core.walk import Level, levels, perft
from tests.trees import dealt, face_of, root
from tests.variants import SMALL, WALKED

PERFT = json.loads((Path(__file__).parents[1] / "perft.json").read_text())
PERFT_DEALS, PERFT_SEED = 3, 11
LARGE = "python_sheephead(suits=3,ranks=2)"  # of five seats: each history has ten tensors


def compare(batch: Batch, faces: list) -> None:
    """Turns, legal actions, utilities, tensors: the same in compiled loops and in OpenSpiel."""
    assert batch.actors().tolist() == [face.current_player() for face in faces]
    assert batch.returns().tolist() == [face.returns() for face in faces]
    for face, legal, turn in zip(faces, batch.legal_sets(), batch.actors(), strict=True):
        assert turn == CHANCE or members(legal) == face.legal_actions()
    for seat in range(batch.game.players):
        rows = zip(faces, batch.infostate(seat), batch.observe(seat), strict=True)
        for face, recalled, observed in rows:  # as lists: arrays of them take twice as long
            assert recalled.tolist() == face.information_state_tensor(seat)
            assert observed.tolist() == face.observation_tensor(seat)


def walk_both(name: str, states: np.ndarray) -> int:
    """Compare on every history below the given states; return how many there were."""
    game, variant, _ = root(name)
    faces = face_of(name, states)
    nodes = 0
    for depth, level in enumerate(levels(states)):
        if depth:
            steps = zip(level.parents, level.actions, strict=True)
            faces = [faces[parent].child(int(action)) for parent, action in steps]
        compare(Batch.of_states(game, variant, level.states), faces)
        nodes += len(faces)
    return nodes


@pytest.mark.parametrize(
    "name",
    [name if name != LARGE else pytest.param(name, marks=pytest.mark.slow) for name in WALKED],
)
def test_compiled_and_openspiel_agree_on_every_history(name):
    assert walk_both(name, root(name)[2]) > 100


@pytest.mark.parametrize(("name", "deals"), [*((name, 1) for name in SMALL), (LARGE, 40)])
def test_compiled_and_openspiel_agree_below_deals(name, deals):
    assert walk_both(name, dealt(name, deals, seed=4)) > 10


@pytest.mark.parametrize("name", sorted(PERFT))
def test_number_of_histories_of_each_length(name):
    assert perft(dealt(name, PERFT_DEALS, PERFT_SEED)) == PERFT[name]


@pytest.mark.parametrize("name", WALKED)
def test_chance_adds_up_at_every_length(name):
    """The histories that stand where only chance has moved have probabilities that sum to one."""
    game, _, row = root(name)
    level = Level.root(row)
    while (level.states["turn"] == CHANCE).all():
        level = level.next()
        assert level.reach.sum() == pytest.approx(1.0)
    assert (level.states["turn"] >= 0).any()


@pytest.mark.parametrize("name", SMALL)
def test_bounds_of_length_and_utility_hold(name):
    game, variant, _ = root(name)
    states = dealt(name, 5, seed=2)
    for level in levels(states):
        batch = Batch.of_states(game, variant, level.states)
        assert (level.states["length"] <= variant.max_moves + variant.max_draws).all()
        over = batch.actors() == TERMINAL
        utilities = batch.returns()[over]
        assert (utilities >= variant.min_utility).all()
        assert (utilities <= variant.max_utility).all()
        if variant.zero_sum:
            np.testing.assert_allclose(utilities.sum(1), 0.0, atol=1e-9)
