"""An agent's checksum follows from its settings and weights, and from nothing else."""

import numpy as np
import torch

from analysis.tournament.fingerprint import fingerprint
from spielgames.agents import make_agent

SNAPSZER = "python_snapszer"


def of(spec, game=SNAPSZER):
    return fingerprint(make_agent(spec, game))


def test_the_same_spec_has_the_same_checksum():
    for spec in ("rules:expert", "pimc:worlds=7", "search", "net:snapszer"):
        assert of(spec) == of(spec)


def test_settings_and_networks_count():
    specs = ["rules", "rules:expert", "pimc:worlds=7", "pimc:worlds=8", "net:snapszer", "search"]
    specs += ["pimc:worlds=7,belief=reweighted(9)", "alphazero:snapszer", "net:snapszer,play=best"]
    assert len({of(spec) for spec in specs}) == len(specs)


def test_one_weight_counts():
    agent = make_agent("net:snapszer", SNAPSZER)
    before = fingerprint(agent)
    with torch.no_grad():
        next(agent.networks[0][0].parameters()).view(-1)[5] += 1e-3
    assert fingerprint(agent) != before


def test_arrays_count_wherever_they_are():
    agent = make_agent("rules", SNAPSZER)
    agent.notes = {"seen": [np.arange(3)], "self": agent}  # also with a way back to itself
    first = fingerprint(agent)
    agent.notes["seen"][0][1] = 9
    assert fingerprint(agent) != first
