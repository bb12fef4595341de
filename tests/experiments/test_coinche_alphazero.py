"""AlphaZero on Coinche: the whole game after the cards, and what is said of bids and doubles."""

import json

import pytest

from analysis.coinche.metrics import measure_team
from experiments.coinche_alphazero import EXPERIMENT
from experiments.common.meetings import CHECKS, FINALS
from experiments.configs.coinche_alphazero import CARDS, WHOLE, get_config
from experiments.reports.coinche_alphazero import DESCRIPTIONS
from experiments.reports.strength import PLAYS


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    config, where = get_config("quick"), tmp_path_factory.mktemp("coinche_alphazero")
    config.checks, config.finals = (("random", 4),), (("rules:strong", 4),)
    for curve in config.curves.values():
        curve.iterations = 2
        curve.settings.update(deals=20, steps=2, batch=32)
        curve.settings.network.hidden = 8
    EXPERIMENT.carry_out(where, config)
    return where


def test_checks_tell_what_is_won_and_how(folder):
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    games = {"cards": CARDS, "early": WHOLE, "whole": WHOLE}
    expected = [pair for pair in games.items() for _ in range(2)]
    assert [(x["curve"], x["game"]) for x in lines] == expected
    agent = f"net:{folder / 'curves' / 'whole-0'},play=best"
    play = measure_team(agent, "random", WHOLE, 4, CHECKS)
    found = lines[5]["against"]["random"]
    assert found["play"] == pytest.approx(play, nan_ok=True)
    assert found["low"] < found["mean"] == pytest.approx(play["reward"])


def test_rivals_play_the_same_finals(folder):
    finals = json.loads((folder / "finals.json").read_text())
    assert [(x["curve"], x["plays"]) for x in finals] == [
        ("early", "best"),
        ("whole", "best"),
        ("ppo", "rival"),
    ]
    for one in finals:
        play = measure_team(one["agent"], "rules:strong", WHOLE, 4, FINALS)
        assert one["mean"] == pytest.approx(play["reward"])


def test_report(folder):
    text = (folder / "report.md").read_text()
    for name in ("cards", "early", "whole", "ppo"):
        assert f"- `{name}`: {DESCRIPTIONS[name]}" in text
    assert "## How they bid, double and defend" in text
    cells = [[cell.strip() for cell in line.split("|")] for line in text.splitlines()]
    assert ["ppo", "in their place", "`rules:strong`"] in [row[1:4] for row in cells]


def test_every_variant_is_described():
    for variant in ("quick", "cpu", "paper"):
        config = get_config(variant)
        EXPERIMENT.check(config)
        assert {*config.curves, *config.rivals} <= set(DESCRIPTIONS)
        assert set(config.plays) <= set(PLAYS)
    with pytest.raises(ValueError, match="there is no variant 'gpu'"):
        get_config("gpu")
