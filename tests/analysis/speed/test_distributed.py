"""What follows from measured rates, and that they are measured."""

import pytest

from analysis.speed.distributed import Place, measure, overheads, report
from analysis.speed.projection import NETWORK, SAMPLES, STEPS, project
from experiments.configs.hearts_deepcfr import get_config

MEASURED = {
    "executors": [
        {"executor": "processes", "workers": 1, "samples_per_s": 1000, "empty_tasks_per_s": 900},
        {"executor": "ray", "workers": 1, "samples_per_s": 950, "empty_tasks_per_s": 500},
    ],
    "task_s": 2.0,
    "bytes_per_sample": 100,
    "received_per_s": 2e6,
    "stored_per_s": 500_000,
    "fit_steps_per_s": 10,
}


def test_ray_is_compared_with_as_many_processes():
    assert overheads(MEASURED["executors"]) == {"1": pytest.approx(0.05)}


def test_the_slowest_part_counts_and_the_fit_comes_afterwards():
    found = project(MEASURED)
    assert [of["workers"] for of in found] == [1, 10, 100, 1000]
    make = SAMPLES / 950
    assert [of["make"] for of in found] == pytest.approx([make / n for n in (1, 10, 100, 1000)])
    for of in found:
        assert of["send"] == SAMPLES * 100 / NETWORK
        assert of["give_out"] == pytest.approx(SAMPLES / (950 * 2) / 500)
        assert of["store"] == pytest.approx(SAMPLES / 2e6 + SAMPLES / 500_000)
        assert of["fit_s"] == STEPS / 10
        assert of["iteration_s"] == of["samples_s"] + of["fit_s"]
    assert found[0]["longest"] == found[2]["longest"] == "making samples"
    assert found[3]["longest"] == "storing samples"
    assert found[3]["samples_s"] == found[3]["store"]


def test_rates_belong_together():
    config = get_config("paper")
    config.game = "python_hearts(suits=2,ranks=4,pass=hold)"
    config.settings.network.update(hidden=8, layers=1)
    config.settings.fit.batch = 16
    results = measure(config, [Place("here", 1)], seconds=0.001, tasks=2, repetitions=1)
    (here,) = results["executors"]
    assert here["samples_per_s"] > 0 and here["empty_tasks_per_s"] > here["samples_per_s"] / 1e6
    assert results["bytes_per_sample"] > 0 and results["stored_per_s"] > 0
    assert results["samples_per_fit_s"] == pytest.approx(16 * results["fit_steps_per_s"])
    assert "| here " in report(results)
