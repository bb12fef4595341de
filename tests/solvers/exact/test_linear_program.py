import numpy as np
import pytest

from solvers.exact.best_response import nash_conv
from solvers.exact.cfr import Cfr
from solvers.exact.linear_program import solve
from solvers.exact.profiles import load_tree
from solvers.exact.sequence_form import expected_values, flatten

SMALL = "python_snapszer(suits=2,ranks=3,hand=2)"


@pytest.mark.parametrize(
    ("name", "value"), [("kuhn_poker", -1 / 18), ("leduc_poker", -0.085606424078)]
)
def test_known_values(name, value):
    assert solve(load_tree(name)).value == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", SMALL])
def test_both_strategies_are_optimal(name):
    tree = load_tree(name)
    solution = solve(tree)
    values = expected_values(flatten(tree), solution.profile)
    assert np.allclose(values, [solution.value, -solution.value], atol=1e-9)
    assert nash_conv(tree, solution.profile) == pytest.approx(0, abs=1e-9)


def test_agrees_with_cfr_on_snapszer():
    solver = Cfr(load_tree(SMALL), "plus")
    solver.run(2000)
    value = expected_values(solver.form, solver.average())[0]
    assert solve(solver.tree).value == pytest.approx(value, abs=1e-4)


@pytest.mark.parametrize("name", ["kuhn_poker(players=3)", "python_hokm(suits=2,ranks=2)"])
def test_refuses_what_is_no_zero_sum_game_of_two(name):
    with pytest.raises(ValueError, match="is not a zero-sum game of two players"):
        solve(load_tree(name))
