"""What a player does without learning it, and what its networks decide."""

import numpy as np
import pytest

from solvers.deep_monte_carlo.player import Habits, ValuePlayer
from solvers.environments.card_game import Records
from solvers.networks.decisions import flags
from solvers.networks.network import make_network, predict
from solvers.networks.settings import MlpSettings
from spielgames import Batch
from spielgames.snapszer.record import CLOSE, MARRY

pytestmark = pytest.mark.usefixtures("one_thread")

GAME = "python_snapszer"
HABITS = Habits(always=tuple(range(MARRY, MARRY + 4)), never=(CLOSE,), split="following")
LINEAR = MlpSettings(layers=0)


@pytest.fixture(scope="module")
def decisions():
    """Positions in deals played at random."""
    batch, random, seen = Batch(GAME, 60, seed=1), np.random.default_rng(1), []
    while batch.running():
        seen.append(batch.states[batch.actors() >= 0])
        mask = batch.legal_mask()
        batch.step((mask * random.random(mask.shape)).argmax(axis=1))
    return Batch.of_states(batch.game, batch.variant, np.concatenate(seen))


def player(habits, epsilon=0.0):
    env = Records(GAME)
    networks = [make_network(LINEAR, env.shape, seed) for seed in range(habits.networks)]
    return ValuePlayer(env.name, env, networks, habits, epsilon)


def test_habits_by_hand():
    habits = Habits(always=(2, 3), never=(1, 0))
    sets = np.array([0b0011, 0b0111, 0b1110, 0b10001, 0b10000], np.uint64)
    assert habits.open(sets).tolist() == [0b0011, 0b0100, 0b1100, 0b10000, 0b10000]
    assert Habits().open(sets).tolist() == sets.tolist()


def test_it_always_marries_and_never_closes(decisions):
    legal, chances = decisions.legal_mask(), player(HABITS, 0.5).probabilities(decisions.states)
    marriages = legal[:, MARRY : MARRY + 4].any(axis=1)
    assert marriages.any() and legal[:, CLOSE].any()
    assert not chances[:, CLOSE].any()
    np.testing.assert_allclose(chances[marriages, MARRY : MARRY + 4].sum(axis=1), 1, atol=1e-6)
    assert (chances[~legal] == 0).all()
    free = player(Habits(), 0.5).probabilities(decisions.states)
    assert ((free > 0) == legal).all()


def test_one_network_leads_and_another_follows(decisions):
    one = player(HABITS)
    seats = decisions.actors().astype(np.int64)
    encodings = one.env.observe(decisions.states, seats)
    follows = encodings[:, one.env.pieces.start("following")] == 1
    assert 0 < follows.mean() < 1
    values = [predict(network, encodings) for network in one.networks]
    expected = np.where(follows[:, None], values[1], values[0])
    left = flags(HABITS.open(decisions.legal_sets()), one.env.actions)
    best = np.where(left, expected, -np.inf).argmax(axis=1)
    assert (one.probabilities(decisions.states).argmax(axis=1) == best).all()


def test_a_flag_that_the_encoding_does_not_have_is_refused(decisions):
    with pytest.raises(ValueError, match="split=trump is not a flag of python_snapszer"):
        player(Habits(split="trump")).probabilities(decisions.states)
