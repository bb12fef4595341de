"""Metrics become scalars of TensorBoard, each curve a run."""

import json
import sys

import pytest

from analysis.tensorboard import convert, curve_of, read_metrics, scalars, step_of, targets
from tests.commands import ROOT

LINES = [
    {"curve": "a", "seed": 0, "game": "g(x=1)", "iteration": 5, "seconds": 1.5, "losses": {"p": 2}},
    {"curve": "a", "seed": 1, "game": "g(x=1)", "iteration": 5, "seconds": 2.5, "reward": 0.25},
    {"curve": "a", "seed": 0, "game": "g(x=1)", "iteration": 6, "seconds": 3.0, "losses": {"p": 1}},
]


def write(folder, lines, torn=""):
    folder.mkdir(exist_ok=True)
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (folder / "metrics.jsonl").write_text(text + torn)
    return folder


def test_numbers_are_named_by_their_way():
    line = {"a": 1, "b": {"c": [2, 3.5], "d": {"e": -1}}, "last": True, "name": "x", "no": None}
    assert dict(scalars(line)) == {"a": 1, "b/c/0": 2, "b/c/1": 3.5, "b/d/e": -1}


def test_lines_that_agree_in_all_names_are_a_curve():
    assert [curve_of(line) for line in LINES] == ["a_g_x=1_seed_0", "a_g_x=1_seed_1"] + [
        "a_g_x=1_seed_0"
    ]
    assert curve_of({"iteration": 3}) == "run"
    assert curve_of({"phase": "warm", "a": "b"}) == "b"


def test_a_line_stands_at_its_iteration():
    assert step_of({"iteration": 7, "hands": 500}, 1) == 7
    assert step_of({"block": 1, "hands": 500}, 1) == 500
    assert step_of({"loss": 1.0}, 4) == 4


def test_a_torn_last_line_is_left_alone(tmp_path):
    folder = write(tmp_path / "run", LINES, torn='{"cur')
    assert read_metrics(folder) == LINES


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(ValueError, match="is the work folder of no run"):
        read_metrics(tmp_path)
    (tmp_path / "metrics.jsonl").write_text("[1]\n")
    with pytest.raises(ValueError, match="holds no metrics"):
        read_metrics(tmp_path)


def test_where_events_go(tmp_path):
    runs = [str(tmp_path / "a"), str(tmp_path / "b")]
    assert [out for _, out in targets(runs, None)] == [tmp_path / x / "tensorboard" for x in "ab"]
    assert [out for _, out in targets(runs, str(tmp_path))] == [tmp_path / "a", tmp_path / "b"]
    assert [out for _, out in targets(runs[:1], str(tmp_path))] == [tmp_path]


def test_a_missing_package_is_one_sentence(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(ValueError, match="^this needs the package tensorboard: pip install"):
        convert(write(tmp_path / "run", LINES), tmp_path / "out")


def test_events_are_read_by_tensorboard(tmp_path):
    events = pytest.importorskip("tensorboard.backend.event_processing.event_accumulator")
    folder = write(tmp_path / "run", LINES)
    for _ in range(2):  # a second time replaces them
        written = convert(folder, tmp_path / "out")
    assert [path.name for path in written] == ["a_g_x=1_seed_0", "a_g_x=1_seed_1"]
    found = events.EventAccumulator(str(written[0]))
    found.Reload()
    assert sorted(found.Tags()["scalars"]) == ["losses/p", "seconds"]
    points = [(point.step, point.value, point.wall_time) for point in found.Scalars("losses/p")]
    assert points == [(5, 2.0, 1.5), (6, 1.0, 3.0)]


@pytest.mark.parametrize("run", sorted((ROOT / "experiments/results").glob("*/metrics.jsonl")))
def test_committed_metrics_have_curves_and_numbers(run):
    for number, line in enumerate(read_metrics(run.parent), 1):
        assert step_of(line, number) >= 0
        assert dict(scalars(line))
