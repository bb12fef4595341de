"""The report on learners with a belief state, from made-up money; sessions; calibration."""

import numpy as np
import pytest

from experiments.common import calibration, sessions
from experiments.configs.sheephead_pomdp import get_config
from experiments.reports import sheephead_pomdp as pomdp
from experiments.reports.sheephead_pomdp_figures import save_figures
from experiments.sheephead_pomdp import EXPERIMENT
from spielgames.agents import make_agent
from tests import commands

HANDS = 100
CONFIG = {"hands": HANDS, "curves": {name: {"learners": 1} for name in pomdp.DESCRIPTIONS}}
CONFIG["curves"]["thesis-3"]["learners"] = 3


def lines(name, learners, lead, seeds=5, blocks=4):
    """Sessions in which each learner wins `lead` cents per hand more than the others."""
    rng, found = np.random.default_rng(1), []
    for seed in range(seeds):
        for block in range(blocks):
            money = rng.normal(0, 50, (5, 5))
            money[:, :learners] += lead * HANDS
            money -= money.mean(axis=1, keepdims=True)
            loss = [[1.0 - 0.1 * block] * learners] * 5
            found.append(
                {"curve": name, "seed": seed, "block": block + 1, "td_error": loss}
                | {"money": money.tolist(), "gain": [lead] * 5, "log_loss": loss}
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
    given = lines("thesis-1", 1, 1.0) + lines("learned", 1, 1.0)
    beliefs = [
        {"belief": "uniform", "deals": 5, "log_loss": 1.2, "low": 1.1, "high": 1.3}
        | {"reliability": [[10, 0.1, 0.1], [5, 0.6, 0.5]]}
    ]
    text = pomdp.report(pomdp.results(given, CONFIG), beliefs)
    assert "Figure 10 (`thesis-1`)" in text and "| `uniform`" in text
    files = save_figures(given, CONFIG, beliefs, tmp_path)
    assert sorted(file.stem for file in files) == sorted(["money", "beliefs", "predictors"] * 3)


def test_all_curves_have_descriptions_and_bad_ones_are_refused():
    config = get_config("cpu")
    assert set(config.curves) == set(pomdp.DESCRIPTIONS)
    EXPERIMENT.check(config)
    config.curves["learned"].learners = 5
    with pytest.raises(ValueError, match=r"curves.learned.learners=5 is not from 1 to 4"):
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


@pytest.mark.compiled
def test_uniform_beliefs_say_what_is_true_of_random_players():
    """Where others are rule-based, too: not all is said, but of the cards most is."""
    found = calibration.calibrate("python_sheephead(suits=3,ranks=6)", "uniform", 60, seed=1)
    assert 0 < found["low"] < found["log_loss"] < found["high"] < np.log(5)
    for _, said, true in found["reliability"]:
        assert abs(said - true) < 0.25


@pytest.mark.slow
def test_the_script_runs_and_says_what_comes_next(tmp_path):
    done = commands.run("experiments/sheephead_pomdp.py", "--workdir=here", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "pomdp:here/networks/learned-0" in done.stdout
