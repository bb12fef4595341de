"""Shares of time are shares; what takes part in them is found in the profile."""

import cProfile
import pstats
import subprocess
import sys
import time

from analysis.speed.ppo import measure, report, seconds_in
from experiments.configs import hokm_league


def sleeper():
    time.sleep(0.05)


def test_an_iteration_is_profiled():
    config = hokm_league.get_config("quick")
    speed = measure("hokm_league", config.curves.league, iterations=1)
    assert 0 < speed.answers < 1 and 0 < speed.steps < 1
    assert speed.answers + speed.steps < 1
    assert speed.seconds > 0 and speed.decisions > 0
    assert "| hokm_league" in report([speed])


def test_seconds_count_what_is_called():
    with cProfile.Profile() as profile:
        sleeper()
        sleeper()
    assert seconds_in(pstats.Stats(profile), sleeper) > 0.09


def test_unknown_cases_are_refused():
    command = [sys.executable, "-m", "analysis.speed.ppo", "--cases=bridge"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.startswith("there is no case 'bridge'; there are hokm_league, hokm_rules")
    assert len(done.stderr.splitlines()) == 1
