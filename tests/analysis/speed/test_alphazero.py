"""Rates of tree search belong together."""

import pytest

from analysis.speed.alphazero import Meter, measure, play, report
from solvers.alphazero.tree_search import TreeSearch
from solvers.environments.card_game import Records


def test_rates_belong_together():
    search = TreeSearch(simulations=4, worlds=2)
    results = measure("python_snapszer(suits=2,ranks=4,hand=2)", search, deals=5)
    assert results["simulations_per_s"] == pytest.approx(8 * results["decisions_per_s"])
    assert results["evaluations_per_s"] <= 10 / 8 * results["simulations_per_s"]
    assert 0 < results["network_share"] < 1
    assert "| python_snapszer(" in report(results)


def test_each_deal_is_searched_until_nothing_is_hidden():
    meter = Meter(Records("python_snapszer"))
    searched = play(TreeSearch(simulations=3, worlds=1), meter, deals=4)
    assert 4 < searched < 4 * 16
    assert searched < meter.asked <= 4 * searched
