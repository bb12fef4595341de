"""The search for the experts' weights: it plays the experts' own game, finds what was spoilt, and
goes on where it was stopped.
"""

import json

import numpy as np
import pytest

from analysis.experts import tune
from analysis.experts.least_squares import ROWS, empty_rows, fit
from analysis.experts.players import play_experts
from analysis.experts.weights import COMMITTED, start_from, tables_of
from spielgames.agents import make_agent
from spielgames.contest import pair_lineups, play_deals
from tests.commands import run

SNAPSZER = "python_snapszer"
POINTS = 2  # the row of the mark "each ten points of the card"


@pytest.mark.parametrize("game", COMMITTED)
def test_the_committed_weights_are_the_expert(game):
    experts = [make_agent("rules:expert", game), make_agent("rules", game)]
    lineups = pair_lineups(experts[0].game)
    found = play_experts(game, [COMMITTED[game]], lineups, deals=100, seed=5)
    np.testing.assert_array_equal(found, play_deals(experts, lineups, deals=100, seed=5))


def spoilt():
    """A search that starts where leading and answering with many points seems good."""
    tables = tables_of(COMMITTED[SNAPSZER])
    tables["cards"][POINTS] = [0.5] * 6
    return tune.WeightSearch(SNAPSZER, 400, 1, tables, tables)


@pytest.fixture
def few_weights(monkeypatch):
    """Only those are moved that `spoilt` spoils."""
    wanted = [("cards", 6 * POINTS + kind) for kind in range(6)]
    monkeypatch.setattr(tune, "places", lambda weights: wanted)
    monkeypatch.setitem(tune.UNITS, SNAPSZER, {"cards": 0.1})


def test_what_was_spoilt_is_found(few_weights):
    *_, search = tune.sweeps(spoilt(), most=3)
    assert search.changes and all(change.after < change.before for change in search.changes)
    assert all(change.gain > 3 * change.error > 0 for change in search.changes)
    final = {f["opponent"]: f for f in tune.finals(search, 400)}
    assert final[tune.FIRST]["low"] > 0  # better than where it started, on other deals
    assert final["expert"]["mean"] < 0.2


def test_steps_shrink_until_none_helps(few_weights, monkeypatch):
    monkeypatch.setattr(tune.WeightSearch, "judged", lambda self, weights: np.array([1.0, 2.0]))
    search = spoilt()
    *_, search = tune.sweeps(search, most=9)
    assert (search.sweep, search.scale, search.changes) == (len(tune.SCALES), len(tune.SCALES), [])
    assert search.weights == search.start


def test_a_stopped_search_goes_on_to_the_same_end(few_weights, tmp_path):
    whole, parts = tmp_path / "whole.json", tmp_path / "parts.json"
    for search in tune.sweeps(spoilt(), most=2):
        tune.save(search, whole)
    tune.save(spoilt(), parts)
    for stop in (1, 7, 99):
        for k, search in enumerate(tune.sweeps(tune.read_search(parts), most=2), 1):
            tune.save(search, parts)
            if k == stop:
                break
    assert parts.read_text() == whole.read_text()


def test_a_file_of_weights_is_a_start(tmp_path):
    path = tmp_path / "weights.json"
    tune.save(spoilt(), path)
    weights = start_from(SNAPSZER, str(path))
    np.testing.assert_array_equal(weights.cards[POINTS], [0.5] * 6)
    np.testing.assert_array_equal(weights.closing, COMMITTED[SNAPSZER].closing)


def test_zeros_keep_thresholds():
    weights = start_from("python_coinche", "zeros")
    assert not weights.cards.any() and not weights.calls.any()
    assert weights.premium == COMMITTED["python_coinche"].premium != 0


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--deals=300"], "was begun with --deals=400; go on so, or give another --out"),
        (["--deals=400", "--game=python_coinche"], "was begun with --game=python_snapszer"),
        (["--out=no/such/folder/x.json"], "x.json can't be written: No such file or directory"),
        (["--out=new.json", "--start=none.json"], "No such file or directory: 'none.json'"),
        (["--out=new.json", "--start=empty.json"], "empty.json has no weights for python_snapszer"),
        (["--out=empty.json"], "empty.json is no search for weights"),
    ],
)
def test_bad_input_is_told_in_a_sentence(options, said, tmp_path):
    tune.save(spoilt(), tmp_path / "kept.json")
    (tmp_path / "empty.json").write_text("{}")
    given = [f"--game={SNAPSZER}", f"--out={tmp_path / 'kept.json'}", *options]
    done = run("analysis.experts.tune", *given, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr and len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["tune", "fit_coinche"])
def test_help_says_where_to_start(command):
    done = run(f"analysis.experts.{command}", "--help")
    assert done.returncode == 0 and "--start: committed; zeros, except for" in done.stdout


def test_no_sweep_reports_the_start(tmp_path):
    """At once, as nothing is searched; the file has the numbers of the report."""
    out = tmp_path / "weights.json"
    options = [f"--game={SNAPSZER}", f"--out={out}", "--sweeps=0", "--final_deals=50"]
    done = run("analysis.experts.tune", *options)
    assert done.returncode == 0 and "0 sweeps, 0 changes" in done.stdout
    kept = json.loads(out.read_text())
    assert [final["opponent"] for final in kept["finals"]] == [tune.FIRST, "standard", "expert"]
    assert kept["finals"][0]["mean"] == 0  # the committed weights against themselves


def test_least_squares_finds_the_weights_within_decisions():
    """Each decision has an offset of its own, which tells nothing."""
    rng = np.random.default_rng(1)
    rows, weights = empty_rows(deals=200, columns=2), np.array([[2.0, -1.0], [0.5, 3.0]])
    rows.filled[:] = ROWS
    rows.told[:] = rng.normal(size=rows.told.shape)
    rows.kind[:] = rng.integers(0, 2, (200, ROWS // 8)).repeat(8, axis=1)
    rows.decision[:] = np.arange(rows.decision.size).reshape(rows.decision.shape) // 8
    offsets = rng.normal(0, 100, rows.decision.max() + 1)
    rows.worth[:] = (rows.told * weights.T[rows.kind]).sum(-1) + offsets[rows.decision]
    np.testing.assert_allclose(fit(rows, 2, within=True), weights, atol=0.02)
