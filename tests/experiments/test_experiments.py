"""What all scripts of experiments have in common."""

import re
from importlib import import_module
from pathlib import Path

import pytest

from experiments.common.runs import changes_in, plain
from experiments.hearts_deepcfr import EXPERIMENT
from experiments.leduc_reproduction import EXPERIMENT as LEDUC_EXPERIMENT
from experiments.reports.leduc_reproduction import LEDUC
from tests.commands import run

WORKDIRS = {"coinche_ppo": "coinche_ppo", "hearts_deepcfr": "hearts", "leduc_reproduction": "leduc"}
ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize(
    ("script", "flags"),
    [
        ("coinche_ppo", ("--config", "--workdir", "--only")),
        ("hearts_deepcfr", ("--config", "--workdir", "--report")),
        ("leduc_reproduction", ("--config", "--workdir")),
    ],
)
def test_help_lists_the_flags(script, flags):
    done = run(f"experiments/{script}.py", "--help")
    assert done.returncode == 0
    assert all(re.search(rf"\n  {flag}:|\n  --\[no\]{flag[2:]}:", done.stdout) for flag in flags)
    assert f".py --workdir=runs/{WORKDIRS[script]} \\\n" in done.stdout
    assert "| `quick` |" in " ".join(done.stdout.split())  # the variants and their times


def test_help_says_what_the_experiment_does():
    told = EXPERIMENT.help()
    assert "The work folder is an agent" in told
    assert "| `cpu`   | two hours, one core  |" in told
    assert "config.device says where networks compute" in told


def test_help_lists_the_curves():
    told = import_module("experiments.coinche_ppo").EXPERIMENT.help()
    assert "- `shaped`: against rules:strong, reward good and 0.1 for each trick" in told


@pytest.mark.parametrize("script", ["hokm_league", "coinche_ppo", "tabular_convergence"])
def test_committed_reports_are_those_of_their_results(script):
    experiment = import_module(f"experiments.{script}").EXPERIMENT
    results = ROOT / "experiments" / "results" / script
    assert experiment.report(results) + "\n" == (results / "report.md").read_text()


def test_committed_runs_belong_to_their_configs():
    """So that the scripts go on with such folders."""
    results = ROOT / "experiments" / "results"
    leduc = import_module("experiments.configs.leduc_reproduction").get_config("cpu")
    leduc.games, leduc.seeds = tuple(LEDUC), (0, 1, 2, 3, 4, 5)
    curves = LEDUC_EXPERIMENT.curves(leduc, results / "leduc_reproduction")
    hearts = import_module("experiments.configs.hearts_deepcfr").get_config("cpu")
    curves += EXPERIMENT.curves(hearts, results / "hearts_deepcfr")
    # With suits shown, two were run before their settings changed (the config tells why).
    before = {("leduc_poker", "sd_cfr"), ("leduc_poker", "dream")}
    kept = [curve for curve in curves if (curve.folder / "config.json").exists()]
    kept = [curve for curve in kept if (curve.game, curve.name) not in before]
    assert len(kept) > 10
    for curve in kept:
        assert not changes_in(curve.folder / "config.json", plain(curve.identity.to_dict()))
