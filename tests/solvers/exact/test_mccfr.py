from itertools import chain

import numpy as np
import pytest

from solvers.exact.best_response import nash_conv
from solvers.exact.cfr import Cfr
from solvers.exact.mccfr import Mccfr
from solvers.exact.profiles import load_tree, uniform
from spielgames.core.record import CHANCE, TERMINAL

OURS = "python_hokm(suits=2,ranks=2)"
KUHN3 = "kuhn_poker(players=3)"


def forget(solver):
    """Go back to uniform strategies without regrets, with further luck."""
    solver.tables.strategy[:] = np.concatenate(uniform(solver.tree))
    solver.tables.regrets[:] = 0


@pytest.mark.parametrize("sampling", ["external", "outcome"])
@pytest.mark.parametrize("name", ["kuhn_poker", OURS])
def test_sampled_regrets_are_right_on_average(name, sampling):
    exact = Cfr(load_tree(name), "cfr")
    exact.run(1)
    solver = Mccfr(exact.tree, sampling, seed=3)
    own = slice(0, exact.tree.seats[0].sequences)  # later seats meet what seat 0 has just learnt
    samples = np.empty((20_000, own.stop))
    for sample in samples:
        forget(solver)
        solver.run(1)
        sample[:] = solver.tables.regrets[own]
    error = samples.mean(axis=0) - exact.tables.regrets[own]
    deviation = samples.std(axis=0) / np.sqrt(len(samples))
    assert (np.abs(error) <= 4 * deviation + 1e-12).all()
    assert np.abs(exact.tables.regrets[own]).max() > 10 * deviation.max()


@pytest.mark.parametrize("sampling", ["external", "outcome"])
@pytest.mark.parametrize("name", ["kuhn_poker", KUHN3, OURS])
def test_converges(name, sampling):
    solver = Mccfr(load_tree(name), sampling, seed=1)
    solver.run(200_000)
    assert nash_conv(solver.form, solver.average()) < 0.03


def test_follows_from_the_seed():
    tree = load_tree("kuhn_poker")
    for sampling in ("external", "outcome"):
        whole, parts, other = (Mccfr(tree, sampling, seed) for seed in (5, 5, 6))
        whole.run(100)
        parts.run(40)
        parts.run(60)
        other.run(100)
        assert np.array_equal(whole.tables.regrets, parts.tables.regrets)
        assert not np.array_equal(whole.tables.regrets, other.tables.regrets)


@pytest.mark.parametrize("name", ["leduc_poker", OURS])
def test_nodes_are_the_histories(name):
    tree = load_tree(name)
    nodes = Mccfr(tree).nodes
    ends = nodes.mover == TERMINAL
    assert ends.sum() == len(tree.chance)
    assert np.array_equal(nodes.utilities[ends], tree.payoffs[tree.payoff])
    first, n = nodes.child[nodes.mover == CHANCE], nodes.children[nodes.mover == CHANCE]
    sums = [nodes.probability[i : i + k].sum() for i, k in zip(first, n, strict=True)]
    assert np.allclose(sums, 1)
    children = [range(i, i + k) for i, k in zip(nodes.child, nodes.children, strict=True)]
    assert sorted(chain(*children)) == list(range(1, len(ends)))


def test_unknown_sampling_is_refused():
    with pytest.raises(ValueError, match="sampling is one of external, outcome, not 'average'"):
        Mccfr(load_tree("kuhn_poker"), "average")
