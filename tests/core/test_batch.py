"""The batch: reproducible, the same on any number of threads, and safe against bad input."""

import numba
import numpy as np
import pytest

from spielgames import Batch
from spielgames.core import loops
from spielgames.testing.positions import random_actions
from tests.variants import FULL


def played(name: str, games: int, seed: int = 7) -> tuple[np.ndarray, np.ndarray]:
    """The states and utilities at the end of seeded random play."""
    batch = Batch(name, games, seed)
    rng = np.random.default_rng(3)
    while batch.running():
        batch.step(random_actions(batch, rng))
    return batch.states, batch.returns()


@pytest.mark.parametrize("name", FULL)
def test_any_number_of_threads_gives_the_same_games(name):
    threads = numba.get_num_threads()
    try:
        numba.set_num_threads(1)
        one, one_returns = played(name, 1200)
        numba.set_num_threads(threads)
        many, many_returns = played(name, 1200)
    finally:
        numba.set_num_threads(threads)
    assert (one == many).all()
    np.testing.assert_array_equal(one_returns, many_returns)


@pytest.mark.parametrize("name", FULL)
def test_a_game_depends_on_its_seed_and_index_alone(name, monkeypatch):
    many = Batch(name, 1200, seed=5)
    few = Batch(name, 10, seed=5)
    assert (many.states[:10] == few.states).all()
    np.testing.assert_array_equal(many.playouts(4)[:10], few.playouts(4))
    assert (Batch(name, 10, seed=6).states != few.states).any()


def test_serial_and_parallel_loops_agree(monkeypatch):
    serial = played("python_snapszer", 50)
    monkeypatch.setattr(loops, "PARALLEL_FROM", 1)
    parallel = played("python_snapszer", 50)
    assert (serial[0] == parallel[0]).all()


def test_deal_again_only_where_asked():
    batch = Batch("python_hokm", 6, seed=1)
    before = batch.states.copy()
    batch.deal(np.array([True, False, True, False, False, False]))
    changed = batch.states != before
    assert changed.tolist() == [True, False, True, False, False, False]


def test_step_and_redeal_leaves_utilities_and_starts_again():
    batch = Batch("python_snapszer", 30, seed=1)
    rng = np.random.default_rng(2)
    ended, utilities = np.zeros(30, bool), np.zeros((30, 2))
    total = 0
    for _ in range(60):
        batch.step_and_redeal(random_actions(batch, rng), ended, utilities)
        total += ended.sum()
        assert (np.abs(utilities[ended]).sum(1) >= 2).all()
        assert batch.running()
    assert total > 30


@pytest.mark.parametrize("name", FULL)
def test_masks_and_sets_say_the_same(name):
    batch = Batch(name, 9, seed=1)
    mask = batch.legal_mask()
    assert mask.shape == (9, batch.game.actions)
    powers = np.uint64(1) << np.arange(batch.game.actions, dtype=np.uint64)
    np.testing.assert_array_equal((mask * powers).sum(1), batch.legal_sets())


def test_an_illegal_action_is_refused_and_nothing_is_played():
    batch = Batch("python_hokm", 3, seed=1)
    before = batch.states.copy()
    with pytest.raises(
        ValueError, match=r"action 7 is illegal in game 1; allowed are trump ♣ \(52\)"
    ):
        batch.step(np.array([52, 7, 53]))
    assert (batch.states == before).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda: Batch("python_bridge", 4),
            "there is no game 'python_bridge'; the games are python_co",
        ),
        (lambda: Batch("python_hokm", 0), "games=0 is not allowed"),
        (lambda: Batch("python_hokm(suits=9)", 1), "python_hokm: suits=9 is not allowed"),
        (
            lambda: Batch("python_hokm(suits=99999999999)", 1),
            "99999999999 is not allowed; whole numbers range from -2147483648 to 2147483647",
        ),
        (lambda: Batch("python_hokm(suits=4-1)", 1), "python_hokm(suits=4-1): 4-1 is not allowed"),
        (lambda: Batch("python_hokm(suits=1.2.3)", 1), "1.2.3 is not allowed"),
        (lambda: Batch("python_hokm", 2).step(np.zeros(3, int)), "step needs 2 integers"),
        (lambda: Batch("python_hokm", 2).step(np.zeros(2)), "step needs 2 integers"),
        (lambda: Batch("python_hokm", 2).observe(4), "seats range from 0 to 3"),
        (lambda: Batch("python_hokm", 2).worlds(0, 0), "count=0 is not allowed"),
        (
            lambda: Batch("python_hokm", 2).step(np.array([52, -1])),
            "action -1 is illegal in game 1",
        ),
    ],
)
def test_bad_input_says_what_is_allowed(call, message):
    with pytest.raises(ValueError) as error:
        call()
    assert message in str(error.value)


def test_the_loop_of_the_docstring_runs():
    batch = Batch("python_hearts", games=64, seed=7)
    while batch.running():
        batch.step(batch.legal_mask().argmax(1))
    assert batch.returns().shape == (64, 4)
