"""AlphaZero on Hokm: what is measured and written."""

import json

import pytest

from analysis.tournament.pairs import meet
from experiments.common.meetings import FINALS
from experiments.configs.hokm_alphazero import WHOLE, get_config
from experiments.hokm_alphazero import EXPERIMENT
from experiments.reports.hokm_alphazero import TEXTS
from experiments.reports.strength import PLAYS


def test_a_run_is_measured_and_reported(tmp_path):
    config = get_config("quick")
    config.checks, config.finals = (("rules", 4),), (("rules", 4),)
    for curve in config.curves.values():
        curve.iterations = 1
        curve.settings.update(deals=20, steps=2, batch=32)
        curve.settings.network.hidden = 8
    EXPERIMENT.carry_out(tmp_path, config)
    finals = json.loads((tmp_path / "finals.json").read_text())
    assert [one["curve"] for one in finals] == ["whole", "league"]
    found = meet(finals[0]["agent"], "rules", WHOLE, 4, FINALS)
    assert (finals[0]["mean"], finals[0]["win_rate"]) == pytest.approx((found.mean, found.win_rate))
    assert "## Game points per deal, on fresh deals" in (tmp_path / "report.md").read_text()


def test_every_variant_is_described():
    for variant in ("quick", "cpu", "paper"):
        config = get_config(variant)
        EXPERIMENT.check(config)
        assert {*config.curves, *config.rivals} <= set(TEXTS.descriptions)
        assert set(config.plays) <= set(PLAYS)
