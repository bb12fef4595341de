"""The convergence experiment on Kuhn poker and run directories."""

import json
import signal
from pathlib import Path

import pytest
from ml_collections import ConfigDict

from experiments import tabular_convergence as experiment
from experiments.common.runs import Run
from experiments.configs.tabular_convergence import get_config
from experiments.reports import tabular_convergence as convergence_report
from experiments.tabular_convergence import EXPERIMENT
from tests.commands import run
from tests.interrupts import start, stop_after_a_line

ROOT = Path(__file__).parents[2]


def small(**fields):
    config = get_config("quick")
    config.games, config.seconds = ("kuhn_poker",), 1e9  # nothing may depend on the clock
    config.iterations.update(tree=30, sampling=500, openspiel=30)
    config.update(fields)
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("run")
    EXPERIMENT.carry_out(where, small())
    return where


def lines_of(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def curve(folder, solver):
    return {m["iterations"]: m for m in lines_of(folder) if m["solver"] == solver}


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [("cfr", "openspiel_cfr"), ("cfr", "openspiel_python_cfr"), ("plus", "openspiel_plus")],
)
def test_ours_and_openspiels_agree_at_every_evaluation(folder, ours, theirs):
    ours, theirs = curve(folder, ours), curve(folder, theirs)
    assert ours.keys() == theirs.keys()
    assert list(ours) == [1, 2, 3, 5, 8, 12, 17, 25, 30]
    for at, metrics in ours.items():
        assert metrics["nash_conv"] == pytest.approx(theirs[at]["nash_conv"], abs=1e-12)
        assert metrics["values"] == pytest.approx(theirs[at]["values"], abs=1e-12)


def test_every_solver_gets_closer(folder):
    for solver in experiment.METHODS:
        points = list(curve(folder, solver).values())
        assert [point["last"] for point in points] == [False] * (len(points) - 1) + [True]
        if solver != "lp":
            assert points[-1]["nash_conv"] < points[0]["nash_conv"] / 2


def test_the_linear_programme_is_exact(folder):
    (metrics,) = curve(folder, "lp").values()
    assert metrics["nash_conv"] == pytest.approx(0, abs=1e-12)
    assert metrics["values"] == pytest.approx([-1 / 18, 1 / 18])


def test_the_folder_holds_everything(folder):
    assert json.loads((folder / "config.json").read_text())["iterations"]["tree"] == 30
    assert {"cpu", "numpy", "spielgames"} <= json.loads(
        (folder / "versions.json").read_text()
    ).keys()
    for name in ("iterations", "seconds"):
        for kind in ("pdf", "png", "csv"):
            assert (folder / "figures" / f"{name}.{kind}").stat().st_size > 500
    report = " ".join((folder / "report.md").read_text().split())
    assert "kuhn_poker: value -0.0556 by `lp` | -0.055556 | reached" in report
    assert "leduc_poker: CFR+ below NashConv 0.001 | – | not run" in report


def test_a_finished_run_computes_nothing_again(folder):
    before = (folder / "metrics.jsonl").read_bytes()
    EXPERIMENT.carry_out(folder, small())
    assert (folder / "metrics.jsonl").read_bytes() == before


def test_an_interrupted_curve_is_computed_again_and_alone(tmp_path, capsys):
    config = small(solvers=("cfr", "external"))
    EXPERIMENT.carry_out(tmp_path, config)
    path, whole = tmp_path / "metrics.jsonl", lines_of(tmp_path)
    path.write_bytes(path.read_bytes()[:-40])  # killed within its last line
    EXPERIMENT.carry_out(tmp_path, config)
    assert "ended in half a line, which was dropped" in capsys.readouterr().err
    again = lines_of(tmp_path)
    kept = len(curve(tmp_path, "cfr"))
    assert again[:kept] == whole[:kept]  # with their seconds
    assert [without_time(m) for m in again] == [without_time(m) for m in whole]


def without_time(metrics):
    return {key: value for key, value in metrics.items() if key != "seconds"}


def test_another_config_is_refused_with_the_difference(folder):
    other = small(seed=3)
    other.iterations.tree = 40
    with pytest.raises(
        ValueError, match="iterations.tree was 30, is 40; seed was 0, is 3"
    ) as error:
        EXPERIMENT.carry_out(folder, other)
    assert str(folder) in str(error.value)


def test_changed_versions_are_noted(tmp_path, capsys):
    Run(tmp_path, ConfigDict({"a": 1}))
    path = tmp_path / "versions.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"numpy": "0.1"}))
    Run(tmp_path, ConfigDict({"a": 1}))
    assert "numpy was 0.1, is " in capsys.readouterr().err
    assert json.loads(path.read_text())["numpy"] == "0.1"  # of the run's beginning


def test_metrics_are_on_disk_at_once_and_read_again(tmp_path):
    run = Run(tmp_path, ConfigDict())
    run.append({"step": 1, "loss": 0.5})
    run.append({"step": 2, "loss": 0.25})
    assert Run(tmp_path, ConfigDict()).metrics == [
        {"step": 1, "loss": 0.5},
        {"step": 2, "loss": 0.25},
    ]
    run.keep(run.metrics[:1])
    assert Run(tmp_path, ConfigDict()).metrics == [{"step": 1, "loss": 0.5}]


@pytest.mark.parametrize("name", ["config.json", "versions.json", "metrics.jsonl"])
def test_damaged_files_are_named(tmp_path, name):
    Run(tmp_path, ConfigDict()).append({"step": 1})
    (tmp_path / name).write_text("{\n")
    with pytest.raises(ValueError, match=f"{tmp_path / name} holds no "):
        Run(tmp_path, ConfigDict())


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"solvers": ("plus", "magic")}, "there is no solver 'magic'; there are cfr, plus"),
        ({"games": ("kuhn",)}, "there is no game 'kuhn'"),
        ({"growth": 1.0}, "growth=1.0 is not allowed; it is more than 1"),
    ],
)
def test_a_bad_config_is_refused(fields, reason, tmp_path):
    with pytest.raises(ValueError, match=reason):
        EXPERIMENT.carry_out(tmp_path, small(**fields))
    assert not list(tmp_path.iterdir())


def test_a_misspelt_field_is_one_sentence(tmp_path):
    flag = "--config.iterations.treee=3"
    done = run(EXPERIMENT.script, flag, f"--workdir={tmp_path / 'here'}")
    assert done.returncode == 2
    assert done.stderr == "the config has no field 'treee' (--help lists the flags)\n"
    assert not list(tmp_path.iterdir())


def test_variants():
    assert len(get_config("quick").games) == 7
    assert get_config("cpu").games[:3] == get_config("paper").games[:3]  # with OpenSpiel beside
    with pytest.raises(ValueError, match="there are quick, cpu and paper"):
        get_config("huge")


def test_ctrl_c_says_how_to_go_on(tmp_path):
    options = [f"--config={ROOT / EXPERIMENT.config}", "--config.games=('leduc_poker',)"]
    options += ["--config.solvers=('plus',)", "--workdir=here", "--config.seconds=1e6"]
    options += ["--config.iterations.tree=1000000000"]
    process = start(EXPERIMENT.script, *options, cwd=tmp_path)
    said = stop_after_a_line(process, tmp_path / "here" / "metrics.jsonl", signal.SIGINT)
    assert "--workdir=here" in said


def test_the_leduc_target_follows_the_numbers():
    line = {"game": "leduc_poker", "solver": "plus", "iterations": 10, "seconds": 2e-3}
    missed = convergence_report.leduc_target([line | {"nash_conv": 0.0011}])
    assert missed[1:] == ["0.0011", "missed"]
    reached = convergence_report.leduc_target([line | {"nash_conv": 0.0009}])
    assert reached[1:] == ["after 10 iterations, 2 ms", "reached"]
