"""Shares of time are shares; what takes part in them is found in the profile."""

import cProfile
import pstats
import time

from analysis.speed.ppo import measure, report, seconds_in
from experiments.configs import hokm_league
from tests.commands import run


def sleeper():
    time.sleep(0.05)


def test_an_iteration_is_profiled():
    config = hokm_league.get_config("quick")
    results = measure(config, ["league"], iterations=1)
    (speed,) = results["cases"]
    assert 0 < speed["answers"] < 1 and 0 < speed["steps"] < 1
    assert speed["answers"] + speed["steps"] < 1
    assert speed["seconds"] > 0 and speed["decisions"] > 0
    assert "| league " in report(results)


def test_seconds_count_what_is_called():
    with cProfile.Profile() as profile:
        sleeper()
        sleeper()
    assert seconds_in(pstats.Stats(profile), sleeper) > 0.09


def test_unknown_curves_are_refused():
    config = "--config=experiments/configs/hokm_league.py:quick"
    done = run("analysis.speed.ppo", config, "--curves=bridge")
    assert done.returncode == 2
    assert done.stderr.startswith("there is no curve 'bridge'; there are league, learned")
    assert len(done.stderr.splitlines()) == 1
