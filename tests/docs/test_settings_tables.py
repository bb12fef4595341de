"""The tables of settings name every setting, and no other."""

import re
from dataclasses import fields
from typing import get_args

import pytest

from solvers.deep_cfr.fitting import FitSettings
from solvers.deep_cfr.settings import Settings as DeepCfrSettings
from solvers.deep_monte_carlo.player import Habits
from solvers.deep_monte_carlo.settings import Settings as DeepMonteCarloSettings
from solvers.networks.settings import NetworkSettings
from solvers.pomdp.actor_critic import ActorCriticSettings
from solvers.pomdp.settings import (
    Forgetting,
    LinearSettings,
    NgnetSettings,
    PerceptronSettings,
)
from solvers.ppo.settings import (
    LeagueSettings,
    LookaheadSettings,
    MagnetSettings,
    PretrainedSettings,
)
from solvers.ppo.settings import Settings as PpoSettings
from tests.docs.test_rules import ROOT, tables


def names(page, heading):
    """The names in the first column of the table with that heading."""
    text = (ROOT / f"docs/{page}.md").read_text(encoding="utf-8")
    (lines,) = re.findall(rf"^\| {re.escape(heading)} \|.*\n\|-.*\n(?:\|.*\n)+", text, re.M)
    (_, *rows), *_ = tables(lines)
    return [name for row in rows for name in re.findall(r"\w+", row[0]) if "*" not in row[0]]


def settings_of(record):
    """The names of all settings, of any kind if there are several kinds of a record."""
    if kinds := get_args(record):
        return {"kind"}.union(*map(settings_of, kinds))
    return {f.name for f in fields(record)}


def kinds_of(name):
    (known,) = (f.type for f in fields(DeepCfrSettings) if f.name == name)
    return [one.kind for one in get_args(known)]


@pytest.mark.parametrize("setting", ["sampling", "memory"])
def test_a_table_names_every_kind(setting):
    assert names("deep_cfr", f"`{setting}`") == kinds_of(setting)


@pytest.mark.parametrize(
    ("page", "heading", "settings"),
    [
        ("deep_cfr", "setting", DeepCfrSettings),
        ("deep_cfr", "`network`", NetworkSettings),
        ("deep_cfr", "`fit`", FitSettings),
        ("deep_monte_carlo", "setting", DeepMonteCarloSettings),
        ("deep_monte_carlo", "`habits`", Habits),
        ("ppo", "setting", PpoSettings),
        ("ppo", "`league`", LeagueSettings),
        ("ppo", "`pretrained`", PretrainedSettings),
        ("ppo", "`magnet`", MagnetSettings),
        ("ppo", "`lookahead`", LookaheadSettings),
        ("pomdp", "setting of `ngnet`", NgnetSettings),
        ("pomdp", "`forgetting`", Forgetting),
        ("pomdp", "setting of `linear`", LinearSettings),
        ("pomdp", "setting of `mlp`", PerceptronSettings),
        ("pomdp", "setting of actor and critic", ActorCriticSettings),
    ],
)
def test_a_table_names_every_setting(page, heading, settings):
    assert sorted(names(page, heading)) == sorted(settings_of(settings))
