"""Committed runs are resumed under the names that settings have now."""

import json
from dataclasses import fields
from pathlib import Path

import pytest

from solvers.alphazero.settings import Settings as AlphaZeroSettings
from solvers.deep_cfr.settings import Settings as DeepCfrSettings
from solvers.deep_monte_carlo.settings import Settings as DeepMonteCarloSettings
from solvers.pomdp.belief_agent import Settings as BeliefSettings
from solvers.ppo.settings import Settings as PpoSettings
from solvers.runs.settings import from_plain, records_of

ROOT = Path(__file__).parents[2]
CONFIGS = sorted((ROOT / "experiments/results").rglob("config.json"))


def names_in(record, prefix=""):
    """The names of all settings, with those of all records that a setting may be."""
    found = {f"{prefix}kind"}
    for f in fields(record):
        found.add(prefix + f.name)
        for nested in records_of(f.type):
            found |= names_in(nested, f"{prefix}{f.name}_")
    return found


CHANGES = names_in(DeepCfrSettings)


def settings_in(config):
    """Every record of settings in a config."""
    for name, value in config.items():
        if name == "settings" or (isinstance(value, dict) and "fit" in value):
            yield value
        elif isinstance(value, dict):
            yield from settings_in(value)


def is_ours(config):
    return "openspiel" not in config.get("method", "")


FOUND = [
    pytest.param(settings, id=f"{path.parent.relative_to(ROOT / 'experiments/results')}-{number}")
    for path in CONFIGS
    for number, settings in enumerate(settings_in(json.loads(path.read_text("utf-8"))))
    if is_ours(json.loads(path.read_text("utf-8")))
]


@pytest.mark.parametrize("settings", FOUND)
def test_they_are_known(settings):
    """Settings that are younger than a run have their defaults in it."""
    known = {name: x for name, x in settings.items() if name not in ("axis", "until", "seconds")}
    if "predictor" in known:
        assert known.keys() <= from_plain(BeliefSettings, known).plain().keys()
    elif "critic" in known:
        assert known.keys() <= PpoSettings.of(known).plain().keys()
    elif "teacher" in known:
        assert known.keys() <= AlphaZeroSettings.of(known).plain().keys()
    elif "epsilon" in known:
        assert known.keys() <= DeepMonteCarloSettings.of(known).plain().keys()
    elif "fit" in known:
        assert known.keys() <= DeepCfrSettings.of(known).plain().keys()
    else:  # what differs from the defaults
        assert known.keys() <= CHANGES


def test_there_are_some():
    assert len(FOUND) > 40
