import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mmd_dilated

from solvers.exact.best_response import nash_conv
from solvers.exact.mirror_descent import MirrorDescent, Pull
from solvers.exact.profiles import load_tree, profile_of_policy

SMALL = "python_snapszer(suits=2,ranks=3,hand=2)"


@pytest.mark.parametrize("temperature", [0.1, 0.4])
def test_every_iterate_equals_openspiels(temperature):
    tree = load_tree("kuhn_poker")  # whose largest utility is 2
    ours = MirrorDescent(tree, Pull(temperature / 2, cooling=0, haste=1))
    ours.tables.magnet[:] = 0  # OpenSpiel has none: it is pulled to the largest entropy
    theirs = mmd_dilated.MMDDilatedEnt(pyspiel.load_game("kuhn_poker"), temperature)
    for _ in range(10):
        ours.run(1)
        theirs.update_sequences()
        expected = profile_of_policy(theirs.get_policies(), tree)
        for a, b in zip(ours.current(), expected, strict=True):
            assert np.allclose(a, b, atol=1e-12)


def test_constant_temperature_settles():
    solver = MirrorDescent(load_tree("kuhn_poker"), Pull(0.1, cooling=0))
    solver.run(3000)
    settled = np.concatenate(solver.current())
    solver.run(100)
    assert np.allclose(np.concatenate(solver.current()), settled, atol=1e-9)
    assert 0.01 < nash_conv(solver.form, solver.current()) < 0.5  # of the game with entropy


def test_following_magnet_finds_an_equilibrium():
    solver = MirrorDescent(load_tree("kuhn_poker"), Pull(0.05, cooling=0))
    for _ in range(100):
        solver.run(50)
        solver.move_magnet()
    assert 0 <= nash_conv(solver.form, solver.current()) < 1e-6


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", SMALL])
def test_annealing_lowers_exploitability(name):
    solver = MirrorDescent(load_tree(name))
    before = nash_conv(solver.form, solver.current())
    solver.run(3000)
    assert nash_conv(solver.form, solver.current()) < before / 8


def test_any_number_of_seats():
    solver = MirrorDescent(load_tree("python_hokm(suits=2,ranks=4)"))
    before = nash_conv(solver.form, solver.current())
    solver.run(1000)
    assert nash_conv(solver.form, solver.current()) < before / 8


def test_goes_on_where_it_was():
    tree = load_tree("kuhn_poker")
    whole, parts = MirrorDescent(tree), MirrorDescent(tree)
    whole.run(30)
    parts.run(10)
    parts.run(20)
    assert all(map(np.array_equal, whole.tables, parts.tables))
