"""Where a config is computed is no part of what it computes."""

import pytest
from ml_collections import ConfigDict

from experiments.common.executors import add_executor, executor_of
from experiments.common.runs import Run
from solvers.networks.device import CPU, device
from solvers.runs.executors import HERE, chosen
from tests.experiments.test_experiments import run


def config(**fields):
    found = ConfigDict({"deals": 10})
    add_executor(found)
    found.update(fields)
    return found


def test_a_config_is_computed_here_by_the_processor():
    for each in (ConfigDict(), config()):
        with executor_of(each) as executor:
            assert executor is chosen() is HERE
            assert device() == CPU


def test_a_device_counts_until_the_context_ends(monkeypatch):
    monkeypatch.setattr("torch.cuda.is_available", lambda: True)
    with executor_of(config(device="auto")):
        assert device().type == "cuda"
    assert device() == CPU


def test_a_run_goes_on_with_another_device(tmp_path):
    """Its folder keeps the same bytes."""
    Run(tmp_path, config())
    before = (tmp_path / "config.json").read_bytes()
    Run(tmp_path, config(device="cuda", executor="processes"))
    assert (tmp_path / "config.json").read_bytes() == before
    with pytest.raises(ValueError, match="deals was 10, is 11"):
        Run(tmp_path, config(deals=11))


def test_a_device_that_is_not_there_is_refused():
    done = run("experiments/hearts_deepcfr.py", "--config.device=gpu")
    assert done.returncode == 2
    assert done.stderr == "device is one of cpu, cuda, mps, auto, not 'gpu'\n"
