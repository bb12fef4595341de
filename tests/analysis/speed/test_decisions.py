"""What the speed of searches is measured on."""

import numpy as np

from analysis.speed import decisions
from analysis.speed.decisions import budgets_for, decision_points, report
from spielgames.agents import legal_flags

GAME = "python_snapszer"


def test_positions_have_a_choice_and_come_from_all_of_a_deal():
    states = decision_points(GAME)
    assert (legal_flags(states, 26).sum(axis=1) > 1).all()
    assert np.ptp(states["length"]) > 10


def test_budgets_fill_the_time(monkeypatch):
    """If a world takes 30 µs, 10 ms have room for 330 of them."""
    monkeypatch.setattr(
        decisions, "decision_time", lambda agent, _: 30e-6 * agent.search.choice.worlds
    )
    found = budgets_for("pimc:worlds={n}", GAME, [1e-6, 0.01, 0.1], least=2)
    assert found == [0, 330, 3300]


def test_the_report_has_a_column_for_each_game():
    numbers = {"worlds": 1e6, "search": 250.0}
    told = report({"machine": {}, "python_hokm": numbers, "python_hearts": numbers})
    assert "| per second, one core |   Hokm | Hearts |" in told
    assert "| search               |    250 |    250 |" in told
