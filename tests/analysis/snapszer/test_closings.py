"""Closings: counted as in the final states, and of no use to those who close at random."""

import json

import numpy as np
import pytest

from analysis.snapszer.closings import SEATS, closings, report
from spielgames.agents import make_agent
from spielgames.contest import final_states
from tests.commands import run

GAME = "python_snapszer"


def test_closings_are_counted_seat_by_seat():
    agents = [make_agent("random", GAME), make_agent("rules", GAME)]
    found = closings(*agents, deals=200, seed=3)
    (states,) = final_states(agents, SEATS, 200, 3)
    seats = np.tile([0, 1], 200)
    assert found.closed == pytest.approx((states["closer"] == seats).mean())
    assert found.suffered == pytest.approx((states["closer"] == 1 - seats).mean())
    worth = np.where(states["winner"] == seats, 1, -1) * states["worth"]
    assert found.mean == pytest.approx(worth.mean())
    assert found.value == pytest.approx(worth[states["closer"] == seats].mean())


def test_the_rules_close_with_success_and_chance_does_not():
    agents = [make_agent(spec, GAME) for spec in ("rules", "random")]
    good, bad = (closings(agent, agents[0], 300, 1) for agent in agents)
    assert good.low > 0 > bad.high
    assert good.won > 0.7 > bad.won
    assert "random" not in report([good])


def test_the_command_writes_its_numbers(tmp_path):
    run("analysis.snapszer.closings", "--agents=rules", "--deals=10", f"--json={tmp_path}/x.json")
    kept = json.loads((tmp_path / "x.json").read_text())
    assert kept["opponent"] == "rules"
    assert [one["agent"] for one in kept["agents"]] == ["rules"]


def test_closings_are_told_by_the_score_of_the_match():
    game = "python_snapszer(match=true)"
    agents = [make_agent("random", game), make_agent("rules", game)]
    found = closings(*agents, deals=300, seed=3)
    (states,) = final_states(agents, SEATS, 300, 3)
    own = np.tile([0, 1], 300)
    mine, other = (states["score"][np.arange(600), seat] for seat in (own, 1 - own))
    leads = (mine == 6) & (other < 6)
    assert found.at["6 to less"]["plays"] == leads.sum() > 20
    closed = (states["closer"] == own)[leads].mean()
    assert found.at["6 to less"]["closed"] == pytest.approx(closed)
    assert "6 to less" in report([found]) and "chance of winning" in report([found])
