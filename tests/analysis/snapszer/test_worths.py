"""What deals are worth: counted in self-play, and the numbers that the game goes by."""

import json
from pathlib import Path

import numpy as np
import pytest

from analysis.snapszer.worths import GAME, report, shares_of
from spielgames.agents import make_agent
from spielgames.contest import final_states
from spielgames.snapszer.chances import WORTHS
from tests.commands import run

MEASURED = Path(__file__).parents[3] / "experiments/results/snapszer_alphazero/worths.json"


def test_shares_are_counted_in_self_play():
    agent = make_agent("rules", GAME)
    (states,) = final_states([agent], np.zeros((1, 2), int), 300, 5)
    shares = shares_of(agent, 300, 5)
    assert shares == tuple((states["worth"] == worth).mean() for worth in (1, 2, 3))


def test_matches_go_by_the_measured_shares():
    kept = json.loads(MEASURED.read_text())
    assert pytest.approx(kept["shares"], abs=6e-4) == list(WORTHS)


def test_the_command_shows_the_chances_and_writes_the_shares(tmp_path):
    run("analysis.snapszer.worths", "--deals=10", f"--json={tmp_path}/x.json")
    assert sum(json.loads((tmp_path / "x.json").read_text())["shares"]) == pytest.approx(1)
    assert report((1.0, 0.0, 0.0)).splitlines()[-1].endswith("| 0.500 |")
