"""The report on the speed of tree search, and what is timed for it."""

import numpy as np

from analysis.speed import tree_search
from spielgames.agents import make_agent


def test_the_ratio_follows_from_the_speeds():
    speeds = {"python_hokm": {"ismcts": 300_000.0, "openspiel_ismcts": 600.0}}
    report = tree_search.report({"machine": {"cores": 2}, "simulations_per_s": speeds})
    assert "| Hokm                    |  300 k |              600 |   500 |" in report


def test_positions_have_a_choice_so_that_all_simulations_are_made():
    name = "python_snapszer"
    states = tree_search.positions(name)
    assert len(states) == tree_search.POSITIONS
    agent = make_agent("ismcts:sims=10", name)
    assert (agent.counts(states, 10)[..., 0].sum(axis=1) == 10).all()
    assert (np.count_nonzero(agent.counts(states, 10)[..., 0], axis=1) > 1).all()
