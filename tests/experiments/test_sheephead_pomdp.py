"""The report on learners with a belief state, from made-up money; sessions; calibration."""

import signal

import numpy as np
import pytest

from experiments.common import calibration, sessions
from experiments.common.runs import read_lines
from experiments.configs.sheephead_pomdp import get_config
from experiments.reports import sheephead_pomdp as pomdp
from experiments.reports.sheephead_pomdp_figures import save_figures
from experiments.sheephead_pomdp import EXPERIMENT
from spielgames.agents import Agent, make_agent
from tests import commands
from tests.interrupts import start, stop_after_a_line

HANDS = 100
# Of each seat: a hand as picker with 10 cents, two as a partner with 5, one against with -20, in
# which rule-based players win nothing.
SEATS = [[[1, 10, 0], [2, 5, 0], [1, -20, 0]]] * 4 + [[[0, 0, 0], [0, 0, 0], [4, 40, 8]]]
CONFIG = {
    "hands": HANDS,
    "sessions": 5,
    "curves": {name: {"learners": 1} for name in pomdp.DESCRIPTIONS},
}
CONFIG["curves"]["thesis-3"]["learners"] = 3


def lines(name, learners, lead, seeds=5, blocks=4):
    """Sessions in which each learner wins `lead` cents per hand more than the others."""
    rng, found = np.random.default_rng(1), []
    for seed in range(seeds):
        for block in range(blocks):
            money = rng.normal(0, 50, (5, 5))
            money[:, :learners] += lead * HANDS
            money -= money.mean(axis=1, keepdims=True)
            loss = 1.0 - 0.1 * block
            found.append(
                {"curve": name, "seed": seed, "block": block + 1, "td_error": loss}
                | {"money": money.tolist(), "gain": [lead] * 5, "log_loss": loss}
                | {"seats": SEATS, "seconds": 2.0}
            )
    return found


def test_the_numbers_of_a_curve():
    (found,) = pomdp.results(lines("thesis-3", 3, 2.0), CONFIG)
    assert (found.runs, found.hands, found.learners) == (5, 2000, 3)
    assert found.lead.mean == pytest.approx(2.0, abs=0.2)
    assert found.each.mean == pytest.approx(0.8, abs=0.1)
    assert found.lead.low < 2.0 < found.lead.high
    assert found.gain.mean == 2.0
    assert found.log_loss == (1.0, 0.7)
    assert found.by_seat == [[-1.25, 0.0]] * 4 + [[10.0, 2.0]]
    assert found.by_role == [[0.2, 10.0, 0.0], [0.4, 2.5, 0.0], [0.4, -5.0, 1.0]]
    assert found.by_both[0] == [[0.25, 10.0, 0.0], [0.5, 2.5, 0.0], [0.25, -20.0, 0.0]]
    assert found.explained == [0.25] * 4 + [1.0]
    assert found.speed == 250.0


@pytest.mark.parametrize(
    ("name", "learners", "lead", "agrees"),
    [
        ("thesis-1", 1, 2.0, True),
        ("thesis-1", 1, -2.0, False),
        ("thesis-3", 3, 2.0, False),
        ("thesis-3", 3, -2.0, True),
    ],
)
def test_both_halves_of_the_claim_are_judged(name, learners, lead, agrees):
    (found,) = pomdp.results(lines(name, learners, lead), CONFIG)
    assert ("as the thesis says" in pomdp.verdict(found)) == agrees


def test_everything_is_drawn_and_told(tmp_path):
    given = lines("thesis-1", 1, 1.0) + lines("learned-1", 1, 1.0)
    beliefs = [
        {"belief": "uniform", "deals": 5, "log_loss": 1.2, "low": 1.1, "high": 1.3}
        | {"reliability": [[10, 0.1, 0.1], [5, 0.6, 0.5]]}
    ]
    text = pomdp.report(pomdp.results(given, CONFIG), beliefs)
    assert "Figure 10 (`thesis-1`)" in text and "| `uniform`" in text
    files = save_figures(given, CONFIG, beliefs, tmp_path)
    names = ["money", "beliefs", "predictors", "gains", "seats"]
    assert sorted(file.stem for file in files) == sorted(names * 3)


def test_all_curves_have_descriptions_and_bad_ones_are_refused():
    config = get_config("cpu")
    assert set(config.curves) == set(pomdp.DESCRIPTIONS)
    EXPERIMENT.check(config)
    config.curves["linear"].learners = 5
    with pytest.raises(ValueError, match=r"curves.linear.learners=5 is not from 1 to 4"):
        EXPERIMENT.check(config)
    config = get_config("cpu")
    config.curves["moved-to-rules"].trained = "unheard"
    with pytest.raises(ValueError, match="there is no curve 'unheard'"):
        EXPERIMENT.check(config)


@pytest.mark.compiled
def test_a_session_is_that_of_matches_but_for_its_luck():
    """Everybody has each seat in a fifth of the hands; money is doubled after a tie."""
    rules = make_agent("rules", "python_sheephead(nola=false)")
    found = sessions.play_session([rules] * 5, np.array([3, 1, 0, 4, 2]), 500, seed=1, first=0)
    again = sessions.play_session([rules] * 5, np.array([3, 1, 0, 4, 2]), 500, seed=1, first=0)
    np.testing.assert_array_equal(found.money, again.money)
    assert found.players[:2].tolist() == [[3, 1, 0, 4, 2], [1, 0, 4, 2, 3]]
    assert (found.money.sum(axis=1) == 0).all()
    assert (found.finals["picker"] < 5).all()  # deals that all pass are dealt again
    assert len(np.unique(found.finals["dealt"][:, 0])) > 490


class Wrapped(Agent):
    """The rules, so that nobody knows that they are compiled."""

    def probabilities(self, states):
        return make_agent("rules", self.name).probabilities(states)


@pytest.mark.compiled
def test_an_agent_with_several_seats_plays_as_several_agents_do():
    name, order = "python_sheephead(nola=false)", np.array([3, 1, 0, 4, 2])
    one, many = [Wrapped(name)] * 5, [Wrapped(name) for _ in range(5)]
    finals = [
        sessions.play_session(each, order, 20, seed=1, first=0).finals for each in (one, many)
    ]
    np.testing.assert_array_equal(*finals)


@pytest.mark.compiled
def test_uniform_beliefs_say_what_is_true_of_random_players():
    """Where others are rule-based, too: not all is said, but of the cards most is."""
    found = calibration.calibrate("python_sheephead(suits=3,ranks=6)", "uniform", 60, seed=1)
    assert 0 < found["low"] < found["log_loss"] < found["high"] < np.log(5)
    for _, said, true in found["reliability"]:
        assert abs(said - true) < 0.25


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_metrics(tmp_path):
    """After SIGKILL, the same command comes to what a run comes to that nobody has stopped."""
    shrunk = {"hands": 10, "sessions": 1, "curves.linear.iterations": 40}
    shrunk |= {"curves.linear.seeds": (0,), "beliefs.kinds": ()}
    fields = [f"--config.{name}={value}" for name, value in shrunk.items()]
    config, killed, whole = get_config("cpu"), tmp_path / "killed", tmp_path / "whole"
    config.update_from_flattened_dict(shrunk)
    own = killed / "curves" / "linear-0" / "metrics.jsonl"
    chosen = f"--config={EXPERIMENT.config}:cpu", "--only=linear", f"--workdir={killed}"
    process = start(EXPERIMENT.script, *chosen, *fields)
    said = stop_after_a_line(process, own, signal.SIGKILL)
    assert 0 < len(read_lines(own)) < 40, said
    for folder in (killed, whole):
        EXPERIMENT.carry_out(folder, config, ["linear"])
    lines = [
        [line | {"seconds": 0} for line in read_lines(folder / "metrics.jsonl")]
        for folder in (killed, whole)
    ]
    assert lines[0] == lines[1] and len(lines[1]) == 40


@pytest.mark.slow
def test_the_script_runs_and_says_what_comes_next(tmp_path):
    script = "experiments/sheephead_pomdp.py"
    done = commands.run(script, f"--workdir={tmp_path}", timeout=300)
    assert done.returncode == 0, done.stderr
    assert f"pomdp:{tmp_path}/networks/learned-1-0" in done.stdout
