import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, discounted_cfr, exploitability

from solvers.exact.best_response import nash_conv
from solvers.exact.cfr import SCHEMES, Cfr
from solvers.exact.profiles import ProfilePolicy, load_tree, profile_of_policy
from solvers.exact.sequence_form import expected_values


def openspiels(game, scheme, alternating):
    """OpenSpiel's solver of the same definition."""
    if scheme == "linear":
        return discounted_cfr.LCFRSolver(game)
    if scheme == "discounted":
        return discounted_cfr.DCFRSolver(game)
    plus = scheme == "plus"
    return cfr._CFRSolver(game, alternating, linear_averaging=plus, regret_matching_plus=plus)


@pytest.mark.parametrize(
    ("name", "scheme", "alternating"),
    [
        ("kuhn_poker", "cfr", True),
        ("kuhn_poker", "cfr", False),
        ("kuhn_poker", "plus", True),
        ("kuhn_poker", "plus", False),
        ("kuhn_poker", "linear", True),
        ("kuhn_poker", "discounted", True),
        ("kuhn_poker(players=3)", "cfr", True),
        ("kuhn_poker(players=3)", "plus", True),
    ],
)
def test_every_iterate_equals_openspiels(name, scheme, alternating):
    tree = load_tree(name)
    ours = Cfr(tree, scheme, alternating)
    theirs = openspiels(pyspiel.load_game(name), scheme, alternating)
    for _ in range(15):
        ours.run(1)
        theirs.evaluate_and_update_policy()
        pairs = [
            (ours.average(), theirs.average_policy()),
            (ours.current(), theirs.current_policy()),
        ]
        for profile, policy in pairs:
            for a, b in zip(profile, profile_of_policy(policy, tree), strict=True):
                assert np.allclose(a, b, atol=1e-9)


def predictive_on_matrix(payoffs, iterations):
    """Predictive CFR+ on a matrix game: predictive regret matching+, alternating, weights t²."""
    views, n = [payoffs, -payoffs.T], len(payoffs)
    plays, sums, totals = [np.full(n, 1 / n)] * 2, [np.zeros(n)] * 2, [np.zeros(n)] * 2
    for t in range(1, iterations + 1):
        for i in range(2):
            totals[i] = totals[i] + t**2 * plays[i]
            values = views[i] @ plays[1 - i]
            regrets = values - values @ plays[i]
            sums[i] = np.maximum(sums[i] + regrets, 0)
            forecast = np.maximum(sums[i] + regrets, 0)
            plays[i] = forecast / forecast.sum() if forecast.any() else np.full(n, 1 / n)
    return [total / total.sum() for total in totals]


def test_predictive_equals_its_definition_on_a_matrix():
    name = "turn_based_simultaneous_game(game=matrix_brps())"
    matrix = pyspiel.load_matrix_game("matrix_brps")
    payoffs = np.array([[matrix.row_utility(i, j) for j in range(3)] for i in range(3)])
    solver = Cfr(load_tree(name), "predictive")
    solver.run(30)
    for ours, expected in zip(solver.average(), predictive_on_matrix(payoffs, 30), strict=True):
        assert np.allclose(ours[1:], expected, atol=1e-12)


def test_kuhn_is_worth_minus_an_eighteenth():
    for scheme in SCHEMES:
        solver = Cfr(load_tree("kuhn_poker"), scheme)
        solver.run(2000)
        assert expected_values(solver.form, solver.average())[0] == pytest.approx(-1 / 18, abs=1e-3)


def test_leduc_below_a_thousandth():
    solver = Cfr(load_tree("leduc_poker"), "plus")
    solver.run(1000)
    policy = ProfilePolicy(solver.tree, solver.average())
    assert exploitability.nash_conv(pyspiel.load_game("leduc_poker"), policy) < 1e-3
    assert expected_values(solver.form, solver.average())[0] == pytest.approx(-0.0856, abs=1e-4)


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("alternating", [True, False])
def test_exploitability_falls_on_snapszer(scheme, alternating):
    solver = Cfr(load_tree("python_snapszer(suits=2,ranks=3,hand=2)"), scheme, alternating)
    before = nash_conv(solver.form, solver.average())
    solver.run(100)
    early = nash_conv(solver.form, solver.average())
    solver.run(900)
    assert before > 0.5
    assert nash_conv(solver.form, solver.average()) < early / 2 < before / 8


@pytest.mark.parametrize(
    "name",
    [
        "python_hokm(suits=2,ranks=4)",
        "python_hearts(suits=2,ranks=4,pass=hold)",
        "python_sheephead(suits=3,ranks=2)",
    ],
)
def test_exploitability_falls_with_many_seats_too(name):
    solver = Cfr(load_tree(name), "plus")
    before = nash_conv(solver.form, solver.average())
    solver.run(300)
    assert nash_conv(solver.form, solver.average()) < before / 20


def test_predictive_solves_kuhn_quickly():
    solver = Cfr(load_tree("kuhn_poker"), "predictive")
    solver.run(1000)
    assert 0 <= nash_conv(solver.form, solver.average()) < 1e-6


def test_goes_on_where_it_was(tmp_path):
    tree = load_tree("kuhn_poker")
    whole, parts, loaded = (Cfr(tree, "predictive") for _ in range(3))
    whole.run(50)
    parts.run(20)
    parts.save(tmp_path / "cfr.safetensors")
    loaded.load(tmp_path / "cfr.safetensors")
    for solver in (parts, loaded):
        solver.run(30)
        assert solver.iterations == 50
        assert all(map(np.array_equal, solver.tables, whole.tables))


def test_unknown_scheme_is_refused():
    with pytest.raises(ValueError, match=r"there is no scheme 'best'; there are cfr, plus, "):
        Cfr(load_tree("kuhn_poker"), "best")
