"""Copies, pickles, and OpenSpiel's own conformance tests."""

import copy
import pickle
import subprocess
import sys
import unittest

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test

from tests.openspiel.tree import HOKM_PLAY, game_at, tree_at
from tests.variants import FULL, SMALL, WALKED

PLAYED = [*FULL, *WALKED, *SMALL]


@pytest.mark.parametrize("name", WALKED)  # the others are played in test_openspiel_face.py
def test_random_sim_test(name):
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=3, serialize=True, verbose=False)


def play(state, seed, moves=1000):
    """Play on at random."""
    luck = np.random.default_rng(seed)
    while moves and not state.is_terminal():
        state.apply_action(int(luck.choice(state.legal_actions())))
        moves -= 1
    return state


COPIES = {
    "clone": lambda state: state.clone(),
    "copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda state: pickle.loads(pickle.dumps(state)),
    "serialize": lambda state: state.get_game().deserialize_state(state.serialize()),
}


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("name", PLAYED)
def test_copied_states(name, way):
    """A copy at any point goes on as the original does, and leaves it alone."""
    game = pyspiel.load_game(name)
    for moves in (0, 3, game.max_chance_nodes_in_history() // 2 + 3, 1000):
        state = play(game.new_initial_state(), 1, moves)
        before = str(state)
        twin = COPIES[way](state)
        assert (str(twin), twin.history()) == (before, state.history())
        play(twin, 2)
        assert str(state) == before
        assert play(state, 2).history() == twin.history()
        assert state.returns() == twin.returns()


@pytest.mark.parametrize("way", [copy.copy, copy.deepcopy, lambda g: pickle.loads(pickle.dumps(g))])
@pytest.mark.parametrize("name", PLAYED)
def test_copied_games(name, way):
    game = pyspiel.load_game(name)
    twin = way(game)
    assert str(twin) == str(game)
    ends = [play(g.new_initial_state(), 3) for g in (game, twin)]
    assert ends[0].history() == ends[1].history()
    assert ends[0].returns() == ends[1].returns()


def failures(base, game, skipped=()):
    """The failures of OpenSpiel's own checks of a game's interface."""
    members = {"game": game, "game_name": str(game), **dict.fromkeys(skipped)}
    checks = unittest.defaultTestLoader.loadTestsFromTestCase(type("Checks", (base,), members))
    result = unittest.TestResult()
    checks.run(result)
    assert result.testsRun >= 5
    return [text for _, text in result.failures + result.errors]


# With one card a hand, or none hidden, all deals have equally many chance nodes. (OpenSpiel's check
# of perfect recall wants histories that look alike to be equally long.)
checked_games = pytest.mark.parametrize(
    "start", ["coinche", "hokm", "hearts-one-card", "sheephead", "snapszer"]
)


@checked_games
def test_api_on_sampled_states(start):
    assert not failures(api_test.EnforceAPIOnPartialTreeBase, game_at(start))


@checked_games
def test_api_on_every_state(start, monkeypatch):
    game, tree = game_at(start), tree_at(start)
    monkeypatch.setitem(api_test.TOTAL_NUM_STATES, str(game), tree.counts())
    monkeypatch.setitem(api_test.PERFECT_RECALL_NUM_STATES, str(game), len(tree.infosets))
    # Thirds of points don't add up to exactly 0, as that check wants; random_sim_test has a margin.
    skipped = ["test_constant_sum"] if "hearts" in start else []
    assert not failures(api_test.EnforceAPIOnFullTreeBase, game, skipped)


def test_pickles_open_in_a_new_process(tmp_path):
    """As in workers that are spawned, which have imported nothing."""
    game = pyspiel.load_game(HOKM_PLAY)
    state = play(game.new_initial_state(), 1, 5)
    file = tmp_path / "pickle"
    file.write_bytes(pickle.dumps((game, state)))
    code = "import pickle, sys; print(*map(str, pickle.load(open(sys.argv[1], 'rb'))), sep='\\n')"
    done = subprocess.run([sys.executable, "-c", code, file], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == (f"{game}\n{state}\n", 0), done.stderr
