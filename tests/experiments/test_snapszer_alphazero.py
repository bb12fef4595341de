"""AlphaZero on Snapszer: what is measured and written, and that it goes on where it was stopped."""

import csv
import json
import re

import pytest

from analysis.tournament.pairs import meet
from experiments.common.alphazero import exact_nash_conv
from experiments.common.meetings import CHECKS, FINALS
from experiments.configs.snapszer_alphazero import MATCH, SMALL, get_config
from experiments.reports.snapszer_alphazero import TEXTS
from experiments.reports.strength import PLAYS
from experiments.snapszer_alphazero import EXPERIMENT

CURVES = ("match", "rollouts", "small_belief")


def small(**fields):
    config = get_config("quick")
    config.checks, config.finals = (("rules", 4),), (("rules", 6), ("random", 6))
    config.match_finals = (("random", 4),)
    for curve in config.curves.values():
        curve.settings.update(deals=30, steps=2, batch=32)
        curve.settings.network.hidden = 8
    config.update_from_flattened_dict(fields)
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("alphazero")
    EXPERIMENT.carry_out(where, small())
    return where


def lines_of(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def test_networks_are_measured_every_few_iterations(folder):
    lines = lines_of(folder)
    assert [(x["curve"], x["iteration"]) for x in lines] == [
        (c, i) for c in CURVES for i in (1, 2, 3, 4)
    ]
    assert [sorted(x["against"]) for x in lines if "against" in x] == [["rules"]] * 4
    agent = f"net:{folder / 'curves' / 'rollouts-0'},play=best"
    found = meet(agent, "rules", "python_snapszer", 4, CHECKS)
    assert lines[7]["against"]["rules"]["mean"] == pytest.approx(found.mean)
    exact = exact_nash_conv(f"net:{folder / 'curves' / 'small_belief-0'}", SMALL)
    assert lines[11]["nash_conv"] == pytest.approx(exact)
    kept = json.loads((folder / "exact.json").read_text())
    assert [one["plays"] for one in kept] == ["sample", "best"]
    assert kept[0]["nash_conv"] == pytest.approx(exact)


def test_finals_are_on_fresh_deals_and_played_once(folder):
    finals = json.loads((folder / "finals.json").read_text())
    *finals, matches = finals
    assert {(f["plays"], f["opponent"]) for f in finals} == {
        (plays, name) for plays in small().plays for name in ("rules", "random")
    }
    for one in finals[:2]:
        found = meet(one["agent"], one["opponent"], "python_snapszer", 6, FINALS)
        assert one["mean"] == pytest.approx(found.mean)
    assert (matches["curve"], matches["plays"], matches["unit"]) == ("match", "best", "match")
    found = meet(matches["agent"], "random", MATCH, 4, FINALS, "match")
    assert matches["mean"] == pytest.approx(found.mean)
    EXPERIMENT.measure(small(), folder)
    assert json.loads((folder / "finals.json").read_text()) == [*finals, matches]


def test_report_and_figures(folder):
    text = (folder / "report.md").read_text()
    for name in CURVES:
        assert f"- `{name}`: {TEXTS.descriptions[name]}" in text
    assert "alone, its likeliest action" in text
    assert re.search(r"\| match +\| +0 \| +`random` +\| +4 \|", text)
    for name in ("strength", "losses", "nash_conv"):
        for ending in ("pdf", "png", "csv"):
            assert (folder / "figures" / f"{name}.{ending}").stat().st_size
    rows = list(csv.DictReader((folder / "figures/strength.csv").open()))
    assert [(row["iteration"], row["measure"]) for row in rows] == [("2", "rules"), ("4", "rules")]


def test_every_variant_is_described():
    for variant in ("quick", "cpu", "paper"):
        config = get_config(variant)
        EXPERIMENT.check(config)
        assert set(config.curves) <= set(TEXTS.descriptions)
        assert set(config.plays) <= set(PLAYS)


def test_an_unknown_opponent_is_refused_before_anything_is_learnt(tmp_path):
    with pytest.raises(ValueError, match="there is no agent 'nobody'"):
        EXPERIMENT.carry_out(tmp_path / "x", small(finals=(("nobody", 2),)))
    assert not (tmp_path / "x").exists()
