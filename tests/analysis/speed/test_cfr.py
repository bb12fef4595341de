"""The report on the speed of CFR+, and what is timed for it."""

from analysis.speed import cfr


def speeds(**times):
    return {
        "machine": {"cores": 2},
        "leaves": {"leduc_poker": 5520},
        "iteration_s": {"leduc_poker": {"ours": 1e-4} | times},
    }


def test_speed_targets_follow_the_numbers():
    report = cfr.report(speeds(**{"OpenSpiel C++": 4.9e-3, "LiteEFG": 6e-4}))
    assert "| OpenSpiel C++ ≥ 50 × ours |      missed |" in report
    assert "| LiteEFG ≥ 5 × ours        |     reached |" in report
    assert "4.9 ms |     49 |" in report


def test_without_liteefg_the_report_says_how_to_get_it():
    report = cfr.report(speeds(**{"OpenSpiel C++": 6e-3}))
    assert "| LiteEFG ≥ 5 × ours        |           – |" in report
    assert cfr.INSTALL in report


def test_iterations_of_all_solvers_are_timed():
    results = cfr.measure(["kuhn_poker"], "kuhn_poker(players=2)", 1e-3, 1)
    assert {"ours", "OpenSpiel C++"} <= results["iteration_s"]["kuhn_poker"].keys()
    assert results["iteration_s"]["kuhn_poker(players=2)"].keys() == {"ours", "ours, all cores"}
    assert results["leaves"]["kuhn_poker"] == 30
