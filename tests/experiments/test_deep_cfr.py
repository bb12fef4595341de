"""Experiments with Deep CFR on full games, shrunk to some seconds; on Hearts."""

import csv
import json
import signal

import numpy as np
import pytest

from analysis.tournament.pairs import meet
from experiments import hokm_deepcfr
from experiments.common import deep_cfr
from experiments.common.deep_cfr import DeepCfrExperiment
from experiments.common.runs import read_lines
from experiments.configs import hokm_deepcfr as hokm_config
from experiments.configs.hearts_deepcfr import get_config
from experiments.hearts_deepcfr import EXPERIMENT
from solvers.deep_cfr.settings import Settings
from solvers.runs.archive import Archive
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from tests.commands import run
from tests.interrupts import start, stop_after_a_line

GAME = "python_hearts"
ITERATIONS = 4
SHRUNK = {
    "iterations": ITERATIONS,
    "check_deals": 10,
    "final_deals": 12,
    "others": ("rules:standard",),
    "other_deals": 6,
    "settings.first_traversals": 6,
    "settings.first_steps": 20,
    "settings.traversals": 2,
    "settings.at_once": 4,
    "settings.fit.steps": 10,
    "settings.fit.batch": 64,
    "settings.network.hidden": 16,
}


def small(**fields):
    config = get_config("quick")
    config.update_from_flattened_dict(SHRUNK | fields)
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("hearts")
    EXPERIMENT.carry_out(where, small())
    return where


@pytest.fixture
def unfinished(monkeypatch):
    """Leave out the chart and the finals, which come after learning."""
    monkeypatch.setattr(DeepCfrExperiment, "measure", lambda *_: None)
    monkeypatch.setattr(DeepCfrExperiment, "write", lambda *_: [])


def lines_of(folder):
    return read_lines(folder / "metrics.jsonl")


def lasting(folder):
    """All that must come out the same. (How a fit went, a run that is killed may not note.)"""
    passing = ("seconds", "traversing", "advantages-0")
    return [{k: v for k, v in line.items() if k not in passing} for line in lines_of(folder)]


def champion_in(folder):
    return json.loads((folder / "champion.json").read_text())


def played(spec):
    """Against the rules; utilities of all seats."""
    agents = [make_agent(spec, GAME), make_agent("rules", GAME)]
    return play_deals(agents, pair_lineups(agents[0].game), 4, seed=5)


def test_every_iteration_is_checked(folder):
    lines = lines_of(folder)
    assert [line["iteration"] for line in lines] == [1, 2, 3, 4]
    for line in lines:
        assert line["against_rules"].keys() == {"best", "last"}
        assert line["advantages-0"]["last_loss"] > 0
        for check in line["against_rules"].values():
            assert check["low"] < check["mean"] < check["high"]
    assert all(a["samples"] < b["samples"] for a, b in zip(lines, lines[1:], strict=False))


def test_a_check_is_of_that_iteration_network(folder):
    line = lines_of(folder)[1]
    spec = f"net:{folder},strategy=last,iteration=2"
    found = meet(spec, "rules", GAME, SHRUNK["check_deals"], deep_cfr.CHECKS)
    assert deep_cfr.numbers(found) == line["against_rules"]["last"]


def test_the_champion_did_best_in_the_checks(folder):
    champion = champion_in(folder)
    means = {
        (line["iteration"], strategy): check["mean"]
        for line in lines_of(folder)
        for strategy, check in line["against_rules"].items()
    }
    assert means[champion["iteration"], champion["strategy"]] == max(means.values())


def test_everybody_meets_the_champion(folder):
    with (folder / "figures" / "progress.csv").open(newline="") as file:
        points = [row for row in csv.DictReader(file) if row["against"] == "champion"]
    champion = champion_in(folder)
    best, strategy = champion["iteration"], champion["strategy"]
    assert [int(point["iteration"]) for point in points] == [1, 2, 3, 4]
    for point in points:
        t, mean = int(point["iteration"]), float(point["mean"])
        specs = [f"net:{folder},strategy={strategy},iteration={i}" for i in (best, t)]
        agents = [make_agent(spec, GAME) for spec in specs]
        lineups = pair_lineups(agents[0].game)
        utilities = play_deals(agents, lineups, SHRUNK["check_deals"], deep_cfr.CHECKS)
        assert mean == pytest.approx(utilities[:, lineups == 1].mean(), abs=1e-9)
        assert t != best or mean == 0


def test_the_report_tells_the_finals(folder):
    report = (folder / "report.md").read_text()
    champion = champion_in(folder)
    assert f"iteration {champion['iteration']}, playing `{champion['strategy']}`" in report
    rules = champion["finals"][0]
    assert f" it: {rules['mean']:+.2f} points per deal" in report
    assert [final["b"] for final in champion["finals"]] == ["rules", "random", "rules:standard"]
    assert [final["deals"] for final in champion["finals"]] == [12, 12, 6]
    for final in champion["finals"]:
        assert f"| {final['b']} " in report
    for kind in ("pdf", "png"):
        assert (folder / "figures" / f"progress.{kind}").stat().st_size > 500


def test_the_exported_champion_plays_as_in_the_run(folder):
    champion = champion_in(folder)
    kept, strategy = folder / "network", champion["strategy"]
    assert Archive(kept).state.iteration == champion["iteration"]
    assert len(list((kept / "networks").iterdir())) == 1
    in_run = played(f"net:{folder},strategy={strategy},iteration={champion['iteration']}")
    np.testing.assert_array_equal(played(f"net:{kept},strategy={strategy}"), in_run)


def test_a_finished_run_learns_nothing_again(folder, unfinished):
    before = (folder / "metrics.jsonl").read_bytes()
    EXPERIMENT.carry_out(folder, small())
    assert (folder / "metrics.jsonl").read_bytes() == before


def settings_of(config):
    return Settings.of(config.settings.to_dict())


def test_more_iterations_go_on_in_the_same_folder(folder, tmp_path, unfinished):
    EXPERIMENT.carry_out(tmp_path, small(iterations=2))
    before = lines_of(tmp_path)
    EXPERIMENT.carry_out(tmp_path, small())
    assert lines_of(tmp_path)[:2] == before  # with their seconds
    assert lasting(tmp_path) == lasting(folder)


def command(workdir, *overrides):
    fields = [f"--config.{name}={value}" for name, value in SHRUNK.items()]
    return [EXPERIMENT.script, f"--workdir={workdir}", *fields, *overrides]


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_to_the_same_metrics(tmp_path, folder, blow, unfinished):
    metrics = tmp_path / "metrics.jsonl"
    said = stop_after_a_line(start(*command(tmp_path)), metrics, blow)
    assert blow == signal.SIGKILL or f"--workdir={tmp_path}" in said
    assert 0 < len(metrics.read_bytes().splitlines()) < ITERATIONS
    EXPERIMENT.carry_out(tmp_path, small())
    assert lasting(tmp_path) == lasting(folder)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"strategies": ("best", "luck")}, "there is no strategy 'luck'; there are last, best"),
        ({"check_deals": 1}, "check_deals=1 is not allowed; it is at least 2"),
        ({"threads": 0}, "threads=0 is not allowed"),
        ({"game": "python_hokm"}, "game=python_hokm is not allowed; it is Hearts"),
        ({"others": ("rules", "shark")}, "shark"),
        ({"settings.sampling.kind": "psychic"}, "sampling.kind is one of external"),
        ({"strategies": ()}, "strategies=() is not allowed; there is at least one"),
        ({"other_deals": 1}, "other_deals=1 is not allowed"),
    ],
)
def test_a_bad_config_is_refused(tmp_path, fields, why):
    with pytest.raises(ValueError) as error:
        EXPERIMENT.carry_out(tmp_path, small(**fields))
    assert why in str(error.value)
    assert not any(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("--config.strategies=('luck',)", "there is no strategy 'luck'"),
        ("--config.setting=1", "the config has no field 'setting'"),
        ("--config.settings.fit.stepz=3", "the config has no field 'stepz'"),
        ("--config.seed.x=3", "the config has no field 'seed.x'"),
    ],
)
def test_bad_input_ends_with_one_sentence(tmp_path, flag, why):
    done = run(*command(tmp_path, flag))
    assert done.returncode == 2
    assert done.stderr.startswith(why)
    assert len(done.stderr.splitlines()) == 1
    assert not any(tmp_path.iterdir())


def test_another_learner_is_refused(folder):
    with pytest.raises(ValueError, match="network_hidden was 16, is 17"):
        EXPERIMENT.carry_out(folder, small(**{"settings.network.hidden": 17}))


def test_the_best_check_makes_the_champion():
    def line(iteration, best, last):
        checks = {"best": {"mean": best}, "last": {"mean": last}}
        return {"iteration": iteration, "against_rules": checks}

    metrics = [line(1, -3.0, -2.0), line(2, 1.5, 1.75), line(3, 1.7, -9.0)]
    assert deep_cfr.champion_of(metrics) == (2, "last")


def test_every_variant_is_valid():
    for variant in ("quick", "cpu", "paper"):
        config = get_config(variant)
        EXPERIMENT.check(config)
        assert settings_of(config).sharing == "all"
    with pytest.raises(ValueError, match="there are quick, cpu and paper"):
        get_config("tiny")


def test_other_games_have_it_too(tmp_path):
    config = hokm_config.get_config("quick")
    shrunk = {"check_deals": 4, "final_deals": 4, "settings.traversals": 8}
    shrunk |= {"settings.fit.steps": 5, "settings.fit.batch": 32}
    config.update_from_flattened_dict(shrunk)
    hokm_deepcfr.EXPERIMENT.carry_out(tmp_path, config)
    report = (tmp_path / "report.md").read_text()
    assert report.startswith("# Deep CFR on Hokm")
    assert "| game points per deal |" in report
    for variant in ("cpu", "paper"):
        hokm_deepcfr.EXPERIMENT.check(hokm_config.get_config(variant))


def test_report_and_figures_can_be_written_anew(folder, tmp_path):
    for name in ("metrics.jsonl", "champion.json"):
        (tmp_path / name).write_bytes((folder / name).read_bytes())
    EXPERIMENT.write(tmp_path)
    for name in ("report.md", "figures/progress.csv", "figures/progress.pdf"):
        assert (tmp_path / name).read_bytes() == (folder / name).read_bytes()
