"""Ablations: each curve differs from its base in one setting, and meets its base's network."""

import csv
import json

import pytest

from analysis.tournament.pairs import meet
from experiments.common.meetings import FINALS
from experiments.configs.snapszer_ablations import get_config
from experiments.reports.snapszer_ablations import DESCRIPTIONS
from experiments.snapszer_ablations import EXPERIMENT
from solvers.alphazero.settings import Settings
from solvers.runs.settings import changes


def small():
    config = get_config("quick")
    config.checks, config.finals, config.base_deals = (("rules", 4),), (("rules", 6),), 8
    config.curves = {name: config.curves[name].to_dict() for name in ("rollouts", "free")}
    config.duels = [["rules", "random", 4]]
    for curve in config.curves.values():
        curve.settings.update(deals=30, steps=2, batch=32)
        curve.settings.network.hidden = 8
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("ablations")
    EXPERIMENT.carry_out(where, small())
    return where


def test_a_network_meets_that_of_its_base(folder):
    finals = json.loads((folder / "finals.json").read_text())
    assert [(one["curve"], one.get("base")) for one in finals] == [
        ("free", None),
        ("free", "rollouts"),
        ("rollouts", None),
    ]
    agents = [f"net:{folder}/networks/{name}-0,play=best" for name in ("free", "rollouts")]
    assert finals[1]["mean"] == meet(*agents, "python_snapszer", 8, FINALS).mean


def test_searches_meet(folder):
    (duel,) = json.loads((folder / "duels.json").read_text())
    assert duel["mean"] == meet("rules", "random", "python_snapszer", 4, FINALS).mean


def test_the_report_has_everything(folder):
    text = (folder / "report.md").read_text()
    assert "its base, rollouts" in text and "`random`" in text
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert all(line["cpu_seconds"] > 0 for line in lines)
    (row,) = csv.DictReader((folder / "figures/differences.csv").open())
    assert (row["curve"], row["base"], row["deals"]) == ("free", "rollouts", "8")


def test_every_curve_differs_from_its_base_in_one_setting():
    config = get_config("cpu")
    EXPERIMENT.check(config)
    assert list(DESCRIPTIONS)[0] == "rollouts" and set(config.curves) == set(DESCRIPTIONS)
    for name, curve in config.curves.items():
        if curve.base:
            base = Settings.of(config.curves[curve.base].settings.to_dict())
            changed = changes(Settings.of(curve.settings.to_dict()), base)
            assert len(changed) == 1, name
            inner = changed.get("teacher", {})
            assert len(inner) <= 1 or inner["kind"] == "trees", name


@pytest.mark.parametrize("variant", ["quick", "paper"])
def test_other_variants_are_allowed(variant):
    EXPERIMENT.check(get_config(variant))
