import numpy as np
import pytest

from solvers.pomdp.actor_critic import (
    ActorCriticSettings,
    Steps,
    learn_choices,
    learn_merits,
    learn_values,
    soft_max,
    td_errors,
)
from solvers.pomdp.approximator import make_approximator
from solvers.pomdp.settings import Forgetting, LinearSettings

LINEAR = LinearSettings(ridge=1e-6, forgetting=Forgetting(first=0.9, last=0.9))
STATES = np.eye(3)[:, :2]  # the third is told from the others by the constant


def critic():
    return make_approximator(LINEAR, 2, 1, seed=1)


def test_values_of_a_chain_are_learnt():
    """0 → 1 → 2 → end with rewards 1, 0 and 2."""
    steps = Steps(STATES, np.array([1.0, 0, 2]), STATES[[1, 2, 0]], np.array([False, False, True]))
    chosen, found = ActorCriticSettings(discount=0.5), critic()
    first = learn_values(found, steps, chosen)
    assert first[0] == 1
    for _ in range(100):
        learn_values(found, steps, chosen)
    np.testing.assert_allclose(found.predict(STATES)[:, 0], [1.5, 1, 2], atol=1e-6)
    np.testing.assert_allclose(td_errors(found, steps, 0.5), 0, atol=1e-6)


def test_td_errors_follow_their_definition():
    known = critic()
    known.update(np.tile(STATES, (100, 1)), np.tile([[1.0], [2], [5]], (100, 1)))
    steps = Steps(STATES, np.array([1.0, 0, 2]), STATES[[1, 2, 0]], np.array([False, False, True]))
    np.testing.assert_allclose(td_errors(known, steps, 0.5), [1, 0.5, -3], atol=0.01)


def test_soft_max():
    merits = np.log([[1.0, 2, 5], [4, 1, 4]])
    allowed = np.array([[True, True, False], [True, True, True]])
    np.testing.assert_allclose(soft_max(merits, allowed, 1.0)[0], [1 / 3, 2 / 3, 0])
    np.testing.assert_allclose(soft_max(merits, allowed, 0.5)[1], np.array([16, 1, 16]) / 33)
    assert np.isfinite(soft_max(1e6 * merits, allowed, 1e-3)).all()
    with pytest.raises(ValueError, match="a row allows no action"):
        soft_max(merits, np.zeros((2, 3), bool), 1.0)


def test_only_merits_of_chosen_actions_are_nudged():
    actor, other = (make_approximator(LINEAR, 2, 3, seed=1) for _ in range(2))
    learn_merits(actor, STATES, np.array([1, 0, 1]), np.array([1.0, 2.0, -1.0]), rate=0.5)
    other.nudge(STATES, np.array([[0, 0.5, 0], [1, 0, 0], [0, -0.5, 0]]))
    np.testing.assert_array_equal(actor.predict(STATES), other.predict(STATES))
    assert not actor.predict(STATES)[:, 2].any()


def test_choices_that_were_seen_become_as_probable_as_they_are():
    luck, chances = np.random.default_rng(1), np.array([[0.8, 0.2, 0], [0.1, 0.3, 0.6]])
    settings = LinearSettings(forgetting=Forgetting(first=0.99, last=0.99))
    predictor, states = make_approximator(settings, 2, 3, seed=1), luck.integers(2, size=5000)
    actions = np.array([luck.choice(3, p=chances[s]) for s in states])
    allowed = np.array([[True, True, False], [True, True, True]])
    before = learn_choices(predictor, STATES[states], actions, allowed[states], 1.0, 0.5)
    found = soft_max(predictor.predict(STATES[:2]), allowed, 0.5)
    np.testing.assert_allclose(found, chances, atol=0.1)
    assert before[0] == pytest.approx(np.log(1 / allowed[states[0]].sum()))
    assert before[-2000:].mean() > before[:100].mean()
    with pytest.raises(ValueError, match="an action that was chosen is not allowed"):
        learn_choices(predictor, STATES[:1], np.array([2]), allowed[:1], 1.0, 1.0)


def test_rows_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match=r"steps have one length, not \[1, 3\]"):
        Steps(STATES, np.zeros(3), STATES, np.zeros(1, bool))
    wide = Steps(np.zeros((2, 5)), np.zeros(2), np.zeros((2, 5)), np.zeros(2, bool))
    with pytest.raises(ValueError, match=r"x has shape \[2, 5\]; it must be \[n, 2\]"):
        learn_values(critic(), wide, ActorCriticSettings())
    predictor, flags = make_approximator(LINEAR, 2, 3, seed=1), np.ones((1, 4), bool)
    with pytest.raises(ValueError, match=r"allowed has shape \[1, 4\]; it must be \[n, 3\]"):
        learn_choices(predictor, STATES[:1], np.array([0]), flags, 1.0, 1.0)


def test_bad_settings_are_refused():
    with pytest.raises(ValueError, match="discount=2 is not allowed"):
        ActorCriticSettings(discount=2)
    with pytest.raises(ValueError, match="temperature=0 is not allowed"):
        ActorCriticSettings(temperature=0)
