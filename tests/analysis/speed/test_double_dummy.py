"""The solver's benchmark counts what it solves, and says which targets it reached."""

from analysis.speed import double_dummy


def test_a_workload_is_measured(monkeypatch):
    workloads = [
        double_dummy.Workload("all", "python_snapszer", 10, target=1e9),
        double_dummy.Workload("one", "python_snapszer", 10, winner=True, target=0),
    ]
    monkeypatch.setattr(double_dummy, "WORKLOADS", workloads)
    results = double_dummy.measure(20)
    every, winner = results["cases"]
    assert every["nodes"] > 1 and every["ns_per_node"] > 0 and winner["nodes"] is None
    assert 0 < every["deals"] == winner["deals"] <= 20
    lines = double_dummy.report(results).splitlines()
    assert "≤ 1e+09: reached" in lines[-2] and "≤ 0: missed" in lines[-1]
