"""The games pass PettingZoo's own tests, and play the deals of batches and tournaments."""

import pickle
import warnings

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test
from pettingzoo.test.save_obs_test import test_save_obs as save_obs_test
from pettingzoo.utils.wrappers import TerminateIllegalWrapper

from spielgames import Batch
from spielgames.pettingzoo import env
from tests.variants import FULL

SMALL = "python_hearts(suits=2,ranks=4,pass=left,pass_count=1)"


def lowest(mask):
    return int(np.flatnonzero(mask)[0])


def play(environment):
    """Each seat's observations and rewards as PettingZoo's users meet them, with lowest actions."""
    seen, totals = [], dict.fromkeys(environment.possible_agents, 0.0)
    for agent in environment.agent_iter():
        observation, reward, over, _, _ = environment.last()
        totals[agent] += reward
        seen.append((agent, observation["observation"]))
        environment.step(None if over else lowest(observation["action_mask"]))
    return seen, list(totals.values())


@pytest.mark.parametrize("perfect_recall", [True, False])
@pytest.mark.parametrize("name", [*FULL, SMALL])
def test_pettingzoos_own_tests_pass(name, perfect_recall, capsys):
    with warnings.catch_warnings(action="ignore"):  # of observations with masks
        api_test(env(name, perfect_recall), num_cycles=40)
        save_obs_test(env(name, perfect_recall))
    seed_test(lambda: env(name, perfect_recall), num_cycles=40)
    assert "Passed API test" in capsys.readouterr().out


@pytest.mark.parametrize("perfect_recall", [True, False])
@pytest.mark.parametrize("name", FULL)
def test_deals_are_those_of_a_batch(name, perfect_recall):
    """Deal k of a seed: what every mover sees, and what all get."""
    batch = Batch(name, games=2, seed=7)
    environment = env(name, perfect_recall)
    environment.reset(seed=7)
    plays = [play(environment)]
    environment.reset()
    plays.append(play(environment))
    step = 0
    while batch.running():
        shown = batch.infostate() if perfect_recall else batch.observe()
        for game in np.flatnonzero(batch.actors() >= 0):
            agent, observation = plays[game][0][step]
            assert agent == f"seat_{batch.actors()[game]}"
            np.testing.assert_array_equal(observation, shown[game])
        batch.step(batch.legal_mask().argmax(axis=1))
        step += 1
    assert [totals for _, totals in plays] == batch.returns().tolist()


def test_seats_that_wait_see_their_own_cards_and_have_no_actions():
    environment = env("python_hokm")
    environment.reset(seed=1)
    waiting = [a for a in environment.agents if a != environment.agent_selection]
    row = environment.deal.states
    for agent in waiting:
        seat = environment.seats[agent]
        shown = environment.observe(agent)
        expected = Batch("python_hokm", games=1, seed=1).infostate(seats=np.array([seat]))[0]
        np.testing.assert_array_equal(shown["observation"], expected)
        assert not shown["action_mask"].any()
    assert len(waiting) == 3 and row["turn"][0] == environment.seats[environment.agent_selection]


def test_an_illegal_action_names_the_legal_ones_and_changes_nothing():
    environment = env("python_snapszer")
    environment.reset(seed=1)
    before = environment.last()[0]
    illegal = lowest(1 - before["action_mask"])
    for action in (illegal, -1, 1000, None):
        with pytest.raises(ValueError, match=r"action \S+ is illegal; allowed are .*\(\d+\)"):
            environment.step(action)
    np.testing.assert_array_equal(environment.last()[0]["observation"], before["observation"])


def test_pettingzoos_wrapper_ends_the_deal_instead():
    environment = TerminateIllegalWrapper(env("python_snapszer"), illegal_reward=-3)
    environment.reset(seed=1)
    mover = environment.agent_selection
    environment.step(lowest(1 - environment.last()[0]["action_mask"]))
    assert environment.rewards[mover] == -3 and all(environment.terminations.values())


def test_copies_and_names():
    environment = pettingzoo.make("aec", "spielgames/hearts_v2", perfect_recall=False)
    copy = pickle.loads(pickle.dumps(environment))
    assert str(copy) == str(environment) == "hearts_v2"
    environment.reset(seed=3), copy.reset(seed=3)
    shown, again = environment.last()[0], copy.last()[0]
    np.testing.assert_array_equal(shown["observation"], again["observation"])
    assert environment.render().startswith("seat: ") and environment.render() == copy.render()


def test_fresh_environments_deal_different_cards():
    first, second = env(FULL[2]), env(FULL[2])
    first.reset(), second.reset()
    assert (first.deal.states["hands"] != second.deal.states["hands"]).any()


def test_a_wrong_game_is_refused():
    with pytest.raises(ValueError, match="there is no game 'python_bridge'; the games are"):
        env("python_bridge")
    with pytest.raises(ValueError, match="ranks=99 is not allowed"):
        env("python_hearts(ranks=99)")
