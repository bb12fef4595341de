"""The Coinche experiment, shrunk to some seconds, and the judge of what its learners call."""

import json
import signal
from pathlib import Path

import numpy as np
import pytest

from analysis.coinche.all_pass.threshold_bidder import BIDS, CLASSES
from analysis.coinche.judge import ThresholdBidder, judge
from analysis.coinche.metrics import ALONE
from experiments import coinche_deepcfr
from experiments.coinche_deepcfr import EXPERIMENT
from experiments.configs.coinche_deepcfr import get_config
from experiments.reports.coinche_deepcfr import DESCRIPTIONS, names_in
from spielgames import Batch
from spielgames.agents import Agent, make_agent
from spielgames.coinche.rules import FIRST_BID, PASS, PLAYERS
from spielgames.coinche.tables import SUITS
from spielgames.contest import play_deals
from tests.commands import run
from tests.interrupts import start, stop_after_a_line

SCRIPT = "experiments/coinche_deepcfr.py"
SHRUNK = {
    "deals": 20,
    "judged_deals": 60,
    **{f"curves.{name}.iterations": 3 for name in ("printed", "strong")},
    **{f"curves.{name}.settings.traversals": 2 for name in ("printed", "strong")},
    **{f"curves.{name}.settings.fit.steps": 20 for name in ("printed", "strong")},
    **{f"curves.{name}.settings.policy.fit.steps": 20 for name in ("printed", "strong")},
}


def small(**fields):
    config = get_config("quick")
    config.update_from_flattened_dict(SHRUNK | fields)
    return config


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    where = tmp_path_factory.mktemp("coinche")
    EXPERIMENT.carry_out(where, small())
    return where


def lines_of(folder):
    return [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]


def without_time(line):
    """Nor the fits of advantages, which a run that is killed at the wrong moment doesn't note."""
    kept = {k: v for k, v in line.items() if k not in ("seconds", "traversing", "fits")}
    return json.dumps(kept | {"loss": line["fits"]["policy-0"]["last_loss"]})  # NaN is NaN here


@pytest.fixture
def undrawn(monkeypatch):
    """Figures take longest."""
    monkeypatch.setattr(coinche_deepcfr, "save_learning_figures", lambda *_: [])


def test_the_folder_holds_everything(folder):
    lines = lines_of(folder)
    assert [(one["curve"], one["iteration"]) for one in lines] == [
        (name, t) for name in ("printed", "strong") for t in (1, 2, 3)
    ]
    for one in lines:
        assert one["play"].keys() == {"policy", "mode", "last"}
        assert one["fits"].keys() == {"advantages-0", "policy-0"}
    for name in ("figure_1", "self_play", "opponents"):
        for kind in ("pdf", "png", "csv"):
            assert (folder / "figures" / f"{name}.{kind}").stat().st_size > 100
    drawn = (folder / "figures" / "figure_1.csv").read_text()
    label = f'"printed: {DESCRIPTIONS["printed"]}"'
    assert drawn.count(f"{label},as learnt,") == 3
    assert drawn.count(f"{label},most likely action,") == 3
    assert not (folder / "figures" / "rewards.png").exists()  # it would only repeat `opponents`
    report = (folder / "report.md").read_text()
    assert f"- `printed`: {DESCRIPTIONS['printed']}" in report
    assert "| `strong` " in report
    assert list(json.loads((folder / "judged.json").read_text())) == ["printed"]
    size = sum(p.stat().st_size for p in (folder / "networks" / "printed").rglob("*"))
    assert size < 5_000_000


def test_a_learner_is_measured_where_it_has_learnt_to_sit(folder):
    """The strong player in the other two seats attacks in the rest of the deals."""
    strong = [one for one in lines_of(folder) if one["curve"] == "strong"]
    assert [one["opponents"] for one in strong] == ["rules:strong"] * 3
    for one in strong:
        for play in one["play"].values():
            assert play["reward_cases"] == 20
            rates = ("attacking_rate", "defending_rate", "all_pass_rate")
            assert sum(play[rate] for rate in rates) == pytest.approx(1)


def test_the_exported_networks_play_as_the_run_does(folder):
    def played(where, strategy):
        agent = make_agent(f"net:{folder / where},strategy={strategy}", "python_coinche")
        return play_deals([agent], ALONE, deals=20, seed=3)

    for strategy in ("last", "policy"):
        kept, exported = played("curves/printed", strategy), played("networks/printed", strategy)
        np.testing.assert_array_equal(kept, exported)
    assert (played("networks/printed", "last") != played("networks/printed", "policy")).any()


def test_a_finished_run_computes_nothing_again(folder, undrawn):
    before = (folder / "metrics.jsonl").read_bytes()
    stamp = (folder / "curves" / "printed" / "judged.json").stat().st_mtime_ns
    EXPERIMENT.carry_out(folder, small())
    assert (folder / "metrics.jsonl").read_bytes() == before
    assert (folder / "curves" / "printed" / "judged.json").stat().st_mtime_ns == stamp


def test_a_curve_can_go_further_alone(tmp_path, folder, undrawn):
    """In two runs, of which the first knows a lower limit, it comes out as in one."""
    short = small(**{"curves.printed.iterations": 1})
    EXPERIMENT.carry_out(tmp_path, short, ["printed"])
    assert [one["iteration"] for one in lines_of(tmp_path)] == [1]
    EXPERIMENT.carry_out(tmp_path, small(), ["printed"])
    whole = [one for one in lines_of(folder) if one["curve"] == "printed"]
    assert [without_time(o) for o in lines_of(tmp_path)] == [without_time(o) for o in whole]
    assert not (tmp_path / "curves" / "strong").exists()
    judged = [json.loads((f / "judged.json").read_text()) for f in (tmp_path, folder)]
    assert judged[0] == judged[1]


def command(workdir, *overrides):
    fields = [f"--config.{name}={value}" for name, value in SHRUNK.items()]
    return [SCRIPT, f"--workdir={workdir}", *fields, *overrides]


@pytest.mark.parametrize("blow", [signal.SIGKILL, signal.SIGINT])
def test_a_stopped_run_goes_on_to_the_same_metrics(tmp_path, folder, blow, undrawn):
    metrics = tmp_path / "curves" / "printed" / "metrics.jsonl"
    said = stop_after_a_line(start(*command(tmp_path, "--only=printed")), metrics, blow)
    assert blow == signal.SIGKILL or "--only=printed" in said
    assert 0 < len(metrics.read_bytes().splitlines()) < 3
    EXPERIMENT.carry_out(tmp_path, small(), ["printed"])
    whole = [one for one in lines_of(folder) if one["curve"] == "printed"]
    assert [without_time(o) for o in lines_of(tmp_path)] == [without_time(o) for o in whole]


@pytest.mark.parametrize(
    ("fields", "only", "why"),
    [
        ({}, ["weak"], "there is no curve 'weak'; there are printed, strong"),
        ({"log_every": 0}, [], "log_every=0 is not allowed; it is at least 1"),
        ({"curves.printed.game": "python_hearts"}, [], "it is Coinche"),
        ({"curves.printed.shown": "average"}, [], "shown=average is not among"),
        ({"curves.printed.strategies": ("policy", "luck")}, [], "there is no strategy 'luck'"),
        ({"curves.strong.settings.learners": (1, 3)}, [], "learners=(1, 3) is not allowed"),
        ({"curves.printed.settings.sampling.kind": "all"}, [], "sampling.kind is one of external"),
        ({"threads": 0}, [], "threads=0 is not allowed"),
    ],
)
def test_what_is_refused(tmp_path, fields, only, why):
    with pytest.raises(ValueError) as error:
        EXPERIMENT.carry_out(tmp_path, small(**fields), only)
    assert why in str(error.value)


@pytest.mark.parametrize(
    ("flag", "why"),
    [
        ("--only=weak", "there is no curve 'weak'; there are printed, strong"),
        ("--config.curves.weak.iterations=1", "the config has no field 'weak'"),
        ("--config.curves.printed.iteration=1", "the config has no field 'iteration'"),
    ],
)
def test_bad_input_ends_with_one_sentence(tmp_path, flag, why):
    done = run(*command(tmp_path, flag))
    assert done.returncode == 2
    assert done.stderr.startswith(why)
    assert len(done.stderr.splitlines()) == 1
    assert not any(tmp_path.iterdir())


def test_another_learner_is_refused(folder):
    with pytest.raises(ValueError, match="fit_steps was 20, is 21"):
        EXPERIMENT.carry_out(folder, small(**{"curves.printed.settings.fit.steps": 21}))


def test_every_variant_has_its_curves():
    for variant in ("cpu", "paper"):
        config = get_config(variant)
        EXPERIMENT.check(config)
        curves = EXPERIMENT.curves(config, Path("x"))
        assert {curve.name for curve in curves} == {*DESCRIPTIONS}
    with pytest.raises(ValueError, match="there is no variant 'tiny'"):
        get_config("tiny")


def test_the_paper_variant_is_table_3():
    learner = get_config("paper").curves.printed
    s = learner.settings
    assert (learner.iterations, s.traversals, s.sampling.breadth) == (5000, 256, 4)
    assert (s.network.hidden, s.network.layers) == (64, 2)
    assert (s.fit.batch, s.fit.learning_rate, s.memory.samples, s.policy.samples) == (
        256,
        3e-4,
        10**5,
        5 * 10**5,
    )
    assert s.fit.steps * s.fit.batch == pytest.approx(4 * s.memory.samples, rel=0.01)
    fit, samples = s.policy.fit, s.policy.samples
    assert fit.steps * fit.batch == pytest.approx(4 * samples, rel=0.01)


def test_figures_show_what_there_is():
    lines = [{}]
    assert names_in({"better": lines, "printed": lines}, "self_play") == ["printed", "better"]
    assert names_in({"strong": lines}, "rewards") == []
    assert names_in({"strong": lines, "mirror": lines}, "rewards") == ["strong", "mirror"]


class Passer(Agent):
    """Never bids, and plays its cards by the rules."""

    def __init__(self, game):
        super().__init__(game)
        self.cards = make_agent("rules:strong", game)

    def probabilities(self, states):
        out = self.cards.probabilities(states)
        calling = states["playing"] == 0
        out[calling] = 0
        out[calling, PASS] = 1
        return out


def test_against_passers_both_gains_are_the_same_and_certain():
    """All-pass is worth 0, and the rule gains some 11 points against three who play by the rules:
    the all-pass analysis.
    """
    found = judge(Passer("python_coinche"), "python_coinche", deals=40_000, seed=1)
    assert found["all_pass"] == 1
    assert found["learner"]["mean"] == 0
    assert found["gain"]["mean"] == pytest.approx(found["gain_if_others_pass"]["mean"], abs=1.5)
    assert 8 < found["gain"]["low"] < found["gain"]["mean"] < found["gain"]["high"] < 14
    assert 0 < found["gain"]["surely_above"] < found["gain"]["low"]


def test_the_bidder_bids_once_then_passes():
    """A rule that thinks 90 worth most whatever the hand: against passers, it always plays 90."""
    rule = np.zeros((CLASSES, BIDS))
    rule[:, 1] = 1
    bidder = ThresholdBidder("python_coinche", rule)
    agents = [bidder, Passer("python_coinche")]
    played = play_deals(agents, np.array([[0, 1, 1, 1]]), deals=200, seed=1)[:, 0, 0]
    assert set(played) == {90.0, -160.0}
    batch, seats = Batch("python_coinche", games=3, seed=1), np.zeros(3, np.int64)
    assert (batch.actors() == seats).all()
    first = bidder.probabilities(batch.states).argmax(axis=1)
    assert ((first >= FIRST_BID + SUITS) & (first < FIRST_BID + 2 * SUITS)).all()
    batch.states["calls"] = PLAYERS
    assert (bidder.probabilities(batch.states)[:, PASS] == 1).all()
