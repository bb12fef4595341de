"""Many deals at once: those of one environment after the other, and of tournaments."""

import gymnasium
import numpy as np
import pytest

from spielgames.agents import make_agent
from spielgames.contest import play_deals
from spielgames.gymnasium_vector import VectorSeatEnv
from tests.rl.test_gymnasium import Lowest
from tests.variants import FULL


def first_episodes(vector, shown):
    """The reward of the first deal of each row, by lowest actions."""
    rewards = np.full(vector.num_envs, np.nan)
    while np.isnan(rewards).any():
        shown, reward, ended, cut, info = vector.step(shown["action_mask"].argmax(axis=1))
        np.testing.assert_array_equal(shown["action_mask"], info["action_mask"])
        assert not shown["action_mask"][ended].any() and not cut.any()
        assert (reward[~ended] == 0).all()
        rewards = np.where(ended & np.isnan(rewards), reward, rewards)
    return rewards


@pytest.mark.parametrize("name", FULL)
def test_rows_are_the_deals_of_a_tournament(name):
    seats = make_agent("random", name).game.players
    specs = ["rules" if seat % 2 else "random" for seat in range(seats)]
    seat = seats - 1
    vector = VectorSeatEnv(name, 3, specs, seat)
    got = first_episodes(vector, vector.reset(seed=5)[0])
    agents = [*(make_agent(spec, name) for spec in specs), Lowest(name)]
    expected = play_deals(agents, np.array([[*range(seat), seats]]), deals=3, seed=5)
    assert got.tolist() == expected[:, 0, seat].tolist()


@pytest.mark.parametrize("perfect_recall", [True, False])
def test_a_vector_of_one_is_one_environment(perfect_recall):
    """Over several deals, and with one step more between them."""
    options = {"seat": 1, "opponents": "random", "perfect_recall": perfect_recall}
    name = "spielgames.gymnasium:spielgames/Hokm-v1"
    one, vector = gymnasium.make(name, **options), gymnasium.make_vec(name, num_envs=1, **options)
    assert isinstance(vector, VectorSeatEnv)
    (expected, _), (shown, _) = one.reset(seed=4), vector.reset(seed=4)
    ends = 0
    while ends < 3:
        assert vector.observation_space.contains(shown)
        np.testing.assert_array_equal(shown["observation"][0], expected["observation"])
        np.testing.assert_array_equal(shown["action_mask"][0], expected["action_mask"])
        action = int(expected["action_mask"].argmax())
        expected, reward, over, _, _ = one.step(action)
        shown, rewards, ended, _, _ = vector.step(np.array([action]))
        assert (reward, over) == (rewards[0], ended[0])
        if over:
            ends += 1
            expected, _ = one.reset()
            shown, rewards, ended, _, _ = vector.step(np.array([0]))
            assert (rewards[0], ended[0]) == (0, False)


def test_seats_are_drawn_for_each_deal():
    vector = VectorSeatEnv("python_hearts", 40)
    assert set(vector.reset(seed=1)[1]["seat"]) == {0, 1, 2, 3}


def test_an_illegal_action_ends_its_own_deal_alone():
    vector = VectorSeatEnv("python_snapszer", 3, seat=0)
    shown, _ = vector.reset(seed=1)
    legal = shown["action_mask"].argmax(axis=1)
    illegal = shown["action_mask"].argmin(axis=1)
    _, rewards, ended, *_ = vector.step(np.array([legal[0], illegal[1], -1]))
    assert ended.tolist() == [False, True, True] and rewards.tolist() == [0, -3, -3]
    shown, rewards, ended, *_ = vector.step(legal)
    assert not ended[1:].any() and (rewards[1:] == 0).all() and shown["action_mask"][1:].any()


def test_seeds_begin_anew_and_other_resets_go_on():
    vector = VectorSeatEnv("python_snapszer", 2, seat=0)
    first, again = vector.reset(seed=1)[0], vector.reset(seed=1)[0]
    np.testing.assert_array_equal(first["observation"], again["observation"])
    assert (vector.reset()[0]["observation"] != first["observation"]).any()
