"""PPO on Coinche: what it writes and measures (what it shares with Hokm's is tested there)."""

import csv
import json
from dataclasses import replace

import pytest

from analysis.coinche.metrics import METRICS, measure_team
from experiments.coinche_ppo import EXPERIMENT
from experiments.common.curves import seeded_curve
from experiments.common.meetings import CHECKS, FINALS
from experiments.configs.coinche_ppo import GOOD, get_config
from experiments.reports.coinche_ppo import DESCRIPTIONS
from solvers.ppo.settings import Settings

CURVES = ("partner", "strong")


def small(**fields):
    config = get_config("quick")
    config.check_deals, config.final_deals = 4, 10
    for curve in config.curves.values():
        curve.iterations = 4
        curve.settings.update(deals=16, batch=64, epochs=1)
        curve.settings.network.hidden = curve.settings.critic.hidden = 16
    config.update_from_flattened_dict(fields)
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("coinche")
    EXPERIMENT.carry_out(where, small())
    return where


def test_all_metrics_are_logged(folder):
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    assert [(x["curve"], x["iteration"]) for x in lines] == [(c, i) for c in CURVES for i in (2, 4)]
    agent = f"net:{folder / 'curves' / 'strong-0'}"
    found = measure_team(agent, "rules:strong", GOOD, 4, CHECKS)
    logged = lines[3]["play"]
    assert {name: logged[name] for name in METRICS} == pytest.approx(
        {name: found[name] for name in METRICS}, nan_ok=True
    )
    guesses = {x["curve"]: x["losses-0"]["guess"] for x in lines}
    assert guesses["strong"] == 0 < guesses["partner"]


def test_rules_are_measured_beside_what_was_learnt(folder):
    *finals, search = json.loads((folder / "finals.json").read_text())
    assert [(f["curve"], f["plays"]) for f in finals] == [
        (c, p) for c in CURVES for p in ("sample", "best", "rules")
    ]
    assert (search["curve"], search["plays"]) == ("strong", "worlds=5,belief=reweighted(10)")
    rules = measure_team("rules:strong", "rules:strong", GOOD, 10, FINALS)
    assert finals[2]["play"]["reward"] == rules["reward"] == finals[5]["play"]["reward"]


def test_a_search_is_measured_once_for_what_was_learnt(folder):
    curves, path = EXPERIMENT.curves(small(), folder), folder / "searches.json"
    found = EXPERIMENT.measure_searches(curves, small(), path)
    agent = f"pimc:worlds=5,belief=reweighted(10),base=net:{folder / 'networks' / 'strong-0'}"
    assert found[0]["play"] == measure_team(agent, "rules:strong", GOOD, 20, FINALS)
    other = small(searches=(("strong", "worlds=5,belief=reweighted(10)", 2),))
    assert EXPERIMENT.measure_searches(curves, other, path)[0]["deals"] == 2
    idle = replace(EXPERIMENT, measure_agent=None)
    assert idle.measure_searches(curves, small(), path) == found


def test_report_and_figures(folder):
    text = (folder / "report.md").read_text()
    assert text.count("| `partner` ") == 4
    assert f"- `partner`: {DESCRIPTIONS['partner']}\n" in text
    with (folder / "figures" / "switches.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["curve"] for row in rows} == {f"{name}: {DESCRIPTIONS[name]}" for name in CURVES}
    assert (folder / "figures" / "figure_2.png").exists()
    assert "(figures/switches.png)" in text
    assert not (folder / "figures" / "figure_4.png").exists()  # figure 2 shows all of it
    assert "figure_4" not in text


@pytest.mark.parametrize("variant", ["cpu", "paper"])
def test_every_curve_is_described(variant):
    assert {*get_config(variant).curves} == {*DESCRIPTIONS}


def test_what_learns_from_itself_is_measured_in_all_seats(tmp_path):
    curve = seeded_curve(Settings.of, "self_play", 0, get_config("cpu"), tmp_path)
    found = EXPERIMENT.measure_agent(curve, "rules:strong", 20, 1)
    assert found["opponents"] == "self"
    assert found["play"]["reward"] == 0  # of both teams together
    assert found["play"]["reward_cases"] == 2 * 20


def test_another_game_is_refused(tmp_path):
    config = small(**{"curves.strong.game": "python_hokm"})
    with pytest.raises(ValueError, match="strong.game=python_hokm is not allowed; it is Coinche"):
        EXPERIMENT.carry_out(tmp_path / "x", config)
    assert not (tmp_path / "x").exists()
