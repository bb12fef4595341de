"""States of one game may be asked from several threads at once."""

import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pyspiel
import pytest

import spielgames  # noqa: F401  (registers the games)

THREADS, TIMES = 8, 2000


def position(name: str, seed: int, moves: int) -> pyspiel.State:
    """A state after random moves; chance deals to whoever has room."""
    state, rng = pyspiel.load_game(name).new_initial_state(), np.random.default_rng(seed)
    for _ in range(moves):
        state.apply_action(int(rng.choice(state.legal_actions())))
    return state


def view(state: pyspiel.State) -> list:
    """What OpenSpiel is told of a state."""
    if state.is_chance_node():
        return state.chance_outcomes()
    return [state.information_state_tensor(0), state.observation_tensor(0)]


def differing(state: pyspiel.State, expected: list) -> int:
    return sum(view(state) != expected for _ in range(TIMES))


@pytest.mark.parametrize(("name", "moves"), [("python_hearts", 30), ("python_hearts", 60)])
def test_threads_see_their_own_states(name, moves):
    states = [position(name, seed, moves) for seed in range(THREADS)]
    expected = [view(state) for state in states]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(THREADS) as pool:
            assert sum(pool.map(differing, states, expected)) == 0
    finally:
        sys.setswitchinterval(before)
