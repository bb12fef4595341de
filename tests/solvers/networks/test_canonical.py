"""Positions that differ by the names of suits alone are the same to a canonical network."""

import numpy as np
import pytest

from solvers.environments.card_game import Records
from solvers.networks.network import load_network, make_network, predict, save_network
from solvers.networks.settings import CanonicalSettings

SNAPSZER = Records("python_snapszer")
SUITS, RANKS, MARRY = 4, 5, 21
SETTINGS = CanonicalSettings(hidden=16, layers=2, critic=True)


def renamed(env: Records, encodings: np.ndarray, names: list[int]) -> np.ndarray:
    """The same encodings, in which suit s has become names[s]."""
    out = encodings.copy()
    for suit, name in enumerate(names):
        for start in env.shape.sets:
            cards = slice(start + RANKS * suit, start + RANKS * (suit + 1))
            out[:, start + RANKS * name : start + RANKS * (name + 1)] = encodings[:, cards]
        for start in env.shape.suited:
            out[:, start + name] = encodings[:, start + suit]
    return out


def differ(env: Records, encodings: np.ndarray) -> np.ndarray:
    """Whether something is said of each suit that is said of no other. `[n] bool`"""
    first = [s + r for s in env.shape.sets for r in range(RANKS)]
    columns = [
        [c + RANKS * suit for c in first] + [c + suit for c in env.shape.suited]
        for suit in range(SUITS)
    ]
    rows = [{row[own].tobytes() for own in columns} for row in encodings]
    return np.array([len(suits) == SUITS for suits in rows])


def test_renaming_suits_renames_the_actions_and_changes_nothing_else():
    network = make_network(SETTINGS, SNAPSZER.shape, seed=1)
    encodings = SNAPSZER.encode(SNAPSZER.deal(0, 200, 7))
    encodings = encodings[differ(SNAPSZER, encodings)]
    assert len(encodings) > 100
    names = [2, 0, 3, 1]
    before, after = (
        predict(network, rows) for rows in (encodings, renamed(SNAPSZER, encodings, names))
    )
    for suit, name in enumerate(names):
        own = np.arange(RANKS * suit, RANKS * (suit + 1))
        there = own + RANKS * (name - suit)
        assert np.allclose(before[:, own], after[:, there], atol=1e-5)
        assert np.allclose(before[:, MARRY + suit], after[:, MARRY + name], atol=1e-5)
    others = [20, 25]
    assert np.allclose(before[:, others], after[:, others], atol=1e-5)
    assert not np.allclose(before, after, atol=1e-3)


def test_it_is_saved_and_loaded_with_its_critic(tmp_path):
    network = make_network(SETTINGS, SNAPSZER.shape, seed=1)
    save_network(tmp_path / "x.safetensors", network, {})
    loaded, _ = load_network(tmp_path / "x.safetensors")
    encodings = SNAPSZER.encode(SNAPSZER.deal(0, 5, 7))
    assert (predict(loaded, encodings) == predict(network, encodings)).all()
    assert loaded.settings == SETTINGS


def test_a_game_whose_suits_differ_is_refused():
    with pytest.raises(ValueError, match="needs a game whose suits are alike"):
        make_network(SETTINGS, Records("python_hearts").shape, seed=1)
