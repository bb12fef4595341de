"""The league on Hokm: what it writes, how it goes on, and what it refuses."""

import csv
import json
import signal

import pytest

from analysis.tournament.pairs import meet
from experiments.common.meetings import CHECKS, FINALS
from experiments.configs.hokm_league import FIXED, LEARNED, get_config
from experiments.hokm_league import EXPERIMENT
from experiments.reports.hokm_league import (
    DESCRIPTIONS,
    FIGURES,
    OPPONENTS,
    draw,
    report,
    with_versions,
)
from solvers.ppo.settings import Settings
from solvers.runs.agent import PLAYS
from tests.interrupts import start, stop_after_a_line

ITERATIONS = 4
CURVES = ("league", "learned")
SEARCH = "worlds=3,belief=reweighted(5),continuation=lookahead(1)"
SHRUNK = {
    "check_deals": 4,
    "final_deals": 20,
    "ceilings": (("rules", 20),),
    "searches": (("league", SEARCH, 3),),
    **{
        f"curves.{name}.{field}": value
        for name in CURVES
        for field, value in {
            "iterations": ITERATIONS,
            "settings.deals": 16,
            "settings.batch": 64,
            "settings.epochs": 1,
            "settings.league.arena_deals": 4,
            "settings.network.hidden": 16,
            "settings.critic.hidden": 16,
        }.items()
    },
}


def small(**fields):
    config = get_config("quick")
    config.update_from_flattened_dict(SHRUNK | fields)
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("hokm")
    EXPERIMENT.carry_out(where, small())
    return where


def lines_of(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def lasting(lines):
    return [{k: v for k, v in x.items() if k not in ("seconds", "traversing")} for x in lines]


def test_curves_are_logged_with_their_arenas(folder):
    lines = lines_of(folder)
    assert [(x["curve"], x["iteration"]) for x in lines] == [(c, i) for c in CURVES for i in (2, 4)]
    assert all(0 <= x["arena"] <= 1 and x["admitted"] in (True, False) for x in lines)
    agent = f"net:{EXPERIMENT.curves(small(), folder)[0].folder}"
    found = meet(agent, "rules", FIXED, SHRUNK["check_deals"], CHECKS)
    assert lines[1]["against"]["rules"]["won"] == found.win_rate


def test_finals_are_played_on_fresh_deals_by_what_is_kept(folder):
    *finals, search = json.loads((folder / "finals.json").read_text())
    assert [(f["curve"], f["plays"]) for f in finals] == [(c, w) for c in CURVES for w in PLAYS]
    agent = f"pimc:{SEARCH},base=net:{folder / 'networks' / 'league-0'}"
    assert search["against"]["rules"]["won"] == meet(agent, "rules", FIXED, 3, FINALS).win_rate
    agent = f"net:{folder / 'networks' / 'learned-0'},play=best"
    found = meet(agent, "random", LEARNED, 20, FINALS)
    assert finals[-1]["against"]["random"]["won"] == found.win_rate
    kept = sorted(path.name for path in (folder / "networks" / "league-0").rglob("*.safetensors"))
    assert kept == ["average-0-000004.safetensors"]
    ceilings = json.loads((folder / "ceilings.json").read_text())
    assert ceilings[0]["against"]["rules"]["won"] == 0.5


def test_the_report_shows_every_curve_and_figures_have_their_numbers(folder):
    text = (folder / "report.md").read_text()
    assert text.count("| `league` ") == 4 and text.count("| `learned` ") == 3
    assert text.index("- `league`: ") < text.index("- `learned`: ")
    with (folder / "figures" / "win_rates.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(OPPONENTS) * len(lines_of(folder))
    assert float(rows[1]["value"]) == lines_of(folder)[0]["against"]["rules"]["won"]
    assert all((folder / "figures" / f"{n}.png").exists() for n in ("critic", "league"))


def test_every_curve_is_described():
    assert {*get_config("cpu").curves} == {*DESCRIPTIONS}


def test_curves_come_in_the_order_of_the_config():
    """Not in that of the file."""
    last = {"seed": 0, "iteration": 1, "samples": 1, "seconds": 60.0, "explained_variance": 0.5}
    text = report([last | {"curve": name} for name in sorted(DESCRIPTIONS)], [], [])
    rows = [line.split("`")[1] for line in text.splitlines() if line.startswith("| `")]
    assert rows == [*DESCRIPTIONS]


def test_every_curve_has_a_style_of_its_own():
    curves = list(get_config("cpu").curves)
    lines = [
        {"curve": c, "seed": 0, "samples": n, "explained_variance": n}
        for c in curves
        for n in (1, 2)
    ]
    axes = draw(lines, FIGURES["critic"]).axes[0]
    drawn = [line for line in axes.get_lines() if not line.get_label().startswith("_")]
    assert len({(line.get_linestyle(), line.get_marker()) for line in drawn}) == len(curves)
    assert {line.get_label().partition(":")[0] for line in drawn} == {*curves}


def test_versions_are_counted():
    lines = [
        {"curve": "a", "seed": s, "arena": 0.5, "admitted": won}
        for s, won in ((0, True), (1, True), (0, False), (0, True))
    ]
    counted = with_versions([*lines, {"curve": "a", "seed": 0}])
    assert [line.get("versions") for line in counted] == [1, 1, 1, 2, None]


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_to_the_same_metrics(tmp_path, folder, blow):
    fields = [f"--config.{name}={value}" for name, value in SHRUNK.items()]
    process = start(EXPERIMENT.script, f"--workdir={tmp_path}", "--only=league", *fields)
    metrics = tmp_path / "curves" / "league-0" / "metrics.jsonl"
    said = stop_after_a_line(process, metrics, blow)
    assert blow == signal.SIGKILL or "--only=league" in said
    EXPERIMENT.carry_out(tmp_path, small(), ["league"])
    whole = [x for x in lines_of(folder) if x["curve"] == "league"]
    assert lasting(lines_of(tmp_path)) == lasting(whole)


def test_another_learner_is_refused(folder):
    changed = small(**{"curves.league.settings.clip_range": 0.3})
    with pytest.raises(ValueError, match=r"settings.clip_range was absent, is 0.3"):
        EXPERIMENT.carry_out(folder, changed)


@pytest.mark.parametrize(
    ("fields", "only", "why"),
    [
        ({}, ["weak"], "there is no curve 'weak'; there are league, learned"),
        ({"check_deals": 1}, [], "check_deals=1 is not allowed; it is at least 2"),
        (
            {"curves.league.game": "python_hearts"},
            [],
            "league.game=python_hearts is not allowed; it is Hokm",
        ),
        ({"ceilings": (("magic", 5),)}, [], "there is no agent 'magic'"),
        ({"searches": (("weak", SEARCH, 5),)}, [], "there is no curve 'weak'; there are league, "),
        ({"searches": (("league", "world=5", 5),)}, [], "pimc has no option 'world=5'"),
        ({"curves.league.settings.clip_range": 2.0}, [], "clip_range=2.0 is not allowed"),
    ],
)
def test_a_bad_config_is_refused(tmp_path, fields, only, why):
    with pytest.raises(ValueError, match=why):
        EXPERIMENT.carry_out(tmp_path / "x", small(**fields), only)
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("variant", ["quick", "cpu", "paper"])
def test_variants_make_settings(variant, tmp_path):
    curves = EXPERIMENT.curves(get_config(variant), tmp_path)
    assert all(isinstance(curve.settings, Settings) for curve in curves)
    with pytest.raises(ValueError, match="there are quick, cpu and paper"):
        get_config("huge")
