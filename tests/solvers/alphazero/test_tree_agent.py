"""The agent that searches trees."""

import numpy as np
import pytest

from solvers.alphazero.learner import Learner
from solvers.alphazero.settings import Settings
from solvers.alphazero.tree_agent import trees
from solvers.alphazero.tree_search import TreeSearch
from solvers.environments.card_game import Records
from solvers.search.double_dummy import solve
from solvers.search.endings import open_rows
from spielgames import Batch
from spielgames.testing.positions import random_actions

SNAPSZER = "python_snapszer"


@pytest.fixture(scope="module")
def run(tmp_path_factory, one_thread):
    """A network that has learnt for a moment."""
    folder = tmp_path_factory.mktemp("run")
    settings = Settings(teacher=TreeSearch(4, 1), deals=10, steps=1, batch=16)
    Learner(Records(SNAPSZER), settings, folder, seed=1).iterate()
    return str(folder)


def positions(moves: int) -> Batch:
    batch, rng = Batch(SNAPSZER, 60, seed=moves), np.random.default_rng(moves)
    for _ in range(moves):
        batch.step(random_actions(batch, rng))
    running = batch.actors() >= 0
    return Batch.of_states(batch.game, batch.variant, batch.states[running])


@pytest.mark.parametrize("options", [{}, {"aggregation": "visits"}, {"considered": 4}])
def test_it_plays_the_best_of_what_is_allowed(run, options):
    batch = positions(6)
    agent = trees(SNAPSZER, run, simulations=16, worlds=2, **options)
    chances, legal = agent.probabilities(batch.states), batch.legal_mask()
    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-6)
    assert (chances[~legal] == 0).all()
    sampling = trees(SNAPSZER, run, simulations=16, worlds=2, play="sample", **options)
    policy = sampling.probabilities(batch.states)
    top = policy.max(axis=1, keepdims=True)
    np.testing.assert_array_equal(chances > 0, legal & (policy == top))
    assert (agent.values(batch.states) <= 3).all()


def test_it_does_the_same_wherever_it_cannot_tell_the_difference(run):
    """The network's answers may differ in the last digit, so the actions only nearly always."""
    batch = positions(3)
    agent = trees(SNAPSZER, run, simulations=16, worlds=2)
    here = agent.probabilities(batch.states).repeat(2, axis=0)
    there = agent.probabilities(batch.worlds(count=2, seed=1).states)
    assert (here == there).all(axis=1).mean() > 0.95


def test_endings_are_exact(run):
    batch = positions(14)
    states = batch.states[open_rows(batch.states)]
    chances = trees(SNAPSZER, run, simulations=4, worlds=1).probabilities(states)
    values = solve(states, batch.game)
    best = values == np.nanmax(values, axis=1, keepdims=True)
    np.testing.assert_allclose(chances, best / best.sum(axis=1, keepdims=True), rtol=1e-6)
    assert len(states) > 20


def test_options_are_checked(run):
    with pytest.raises(ValueError, match="play is one of best, sample, not 'all'"):
        trees(SNAPSZER, run, play="all")
    with pytest.raises(ValueError, match="aggregation is one of visits, mean, not 'sum'"):
        trees(SNAPSZER, run, aggregation="sum")
