"""Deep Monte Carlo learns what comes of actions, and a run is the same however often it stops."""

import numpy as np
import pytest

from analysis.tournament.pairs import meet
from solvers.deep_monte_carlo.learner import Learner
from solvers.deep_monte_carlo.settings import Settings
from solvers.environments.card_game import Records
from spielgames.agents import make_agent
from tests.solvers.deep_monte_carlo.test_player import HABITS

pytestmark = pytest.mark.usefixtures("one_thread")

GAME = "python_snapszer(suits=2,ranks=4,hand=3)"
QUICK = {
    "network": {"kind": "mlp", "hidden": 16, "layers": 1},
    "habits": {"always": HABITS.always, "never": HABITS.never, "split": HABITS.split},
    "deals": 60,
    "steps": 4,
    "batch": 64,
    "anneal_iterations": 4,
}


def learner_in(folder, **more):
    return Learner(Records(GAME), Settings.of(QUICK | more), folder, seed=3)


class Stopped(Exception):
    pass


def test_an_interrupted_run_comes_to_the_same_networks(tmp_path):
    straight = learner_in(tmp_path / "a")
    reports = [straight.iterate() for _ in range(3)]

    def stop(step):
        raise Stopped

    for _ in range(3):
        with pytest.raises(Stopped):
            learner_in(tmp_path / "b").iterate(stop)
        report = learner_in(tmp_path / "b").iterate()
    assert report["losses"] == reports[-1]["losses"]
    names = sorted(path.name for path in (tmp_path / "a/networks").iterdir())
    assert [name.partition(".")[0] for name in names] == [
        f"{name}-000003" for name in ("memory-0", "values-0", "values-1")
    ]
    for name in names[1:]:
        files = [(tmp_path / run / "networks" / name).read_bytes() for run in "ab"]
        assert files[0] == files[1]


def test_samples_are_the_decisions_with_a_choice_and_how_their_deals_ended(tmp_path):
    for wins in (False, True):
        learner = learner_in(tmp_path / str(wins), wins=wins)
        samples, (_, variant) = learner._play(1), (0, learner.env.variant)
        outcomes = samples.outcomes.numpy()
        points = set(np.round(outcomes * (1 if wins else variant.max_utility), 6).tolist())
        assert points <= ({-1.0, 1.0} if wins else {-3.0, -2.0, -1.0, 1.0, 2.0, 3.0})
        assert len(points) > 1
        assert not set(samples.actions.tolist()) & set(HABITS.never)
        assert set(samples.kinds.tolist()) == {0, 1}


def test_it_learns(tmp_path):
    learner = learner_in(tmp_path, deals=400, steps=100, batch=256, learning_rate=3e-3)
    losses = [learner.iterate()["losses"]["value"] for _ in range(4)]
    assert losses[-1] < losses[0]
    assert meet(f"net:{tmp_path}", "random", GAME, 300, 9).low > 0.3


def test_epsilon_goes_from_the_first_to_the_last():
    settings = Settings(epsilon=0.5, final_epsilon=0.1, anneal_iterations=4)
    assert [round(settings.epsilon_at(i), 6) for i in (0, 2, 4, 9)] == [0.5, 0.3, 0.1, 0.1]


def test_its_agent_has_no_strategies_to_choose_from(tmp_path):
    learner_in(tmp_path).iterate()
    for option in ("strategy=last", "network=actor", "play=best"):
        with pytest.raises(ValueError, match="was trained by Deep Monte Carlo, which has no"):
            make_agent(f"net:{tmp_path},{option}", GAME)


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ({"epsilon": 1.5}, "epsilon=1.5 is not allowed"),
        ({"deals": 0}, "deals=0 is not allowed"),
        ({"habits": {"ever": (1,)}}, "there is no setting 'ever'"),
    ],
)
def test_settings_that_mean_nothing_are_refused(given, why):
    with pytest.raises(ValueError, match=why):
        Settings.of(given)
