"""One seat as a Gymnasium environment: an episode is a deal of a tournament."""

import pickle
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from spielgames.agents import Agent, make_agent
from spielgames.contest import play_deals
from spielgames.gymnasium import SeatEnv
from tests.variants import FULL


class Lowest(Agent):
    """Plays the lowest legal action."""

    def probabilities(self, states):
        legal = make_agent("random", self.name).probabilities(states) > 0
        return np.eye(self.game.actions, dtype=np.float32)[legal.argmax(axis=1)]


def play(environment, shown, info):
    """Play an episode with lowest actions; return the sum of its rewards."""
    total, over = 0.0, False
    while not over:
        assert environment.observation_space.contains(shown)
        np.testing.assert_array_equal(shown["action_mask"], info["action_mask"])
        shown, reward, over, _, info = environment.step(shown["action_mask"].argmax())
        total += reward
    return total


@pytest.mark.parametrize("perfect_recall", [True, False])
@pytest.mark.parametrize("name", FULL)
def test_gymnasiums_checker_finds_nothing(name, perfect_recall):
    with warnings.catch_warnings(record=True) as complaints:
        warnings.simplefilter("always")
        check_env(SeatEnv(name, perfect_recall=perfect_recall))
    said = {str(complaint.message) for complaint in complaints}
    assert all("render modes" in text or "infinity" in text for text in said)


@pytest.mark.parametrize("name", FULL)
def test_an_episode_is_the_deal_of_a_tournament(name):
    """The same cards, and opponents who choose the same: so the same utilities."""
    seats = make_agent("random", name).game.players
    specs = ["rules" if seat % 2 else "random" for seat in range(seats)]
    panel = [make_agent(spec, name) for spec in specs]
    seat = seats - 1
    environment = SeatEnv(name, specs, seat)
    lineup = np.array([[*range(seat), seats]])
    expected = play_deals([*panel, Lowest(name)], lineup, deals=3, seed=5)[:, 0, seat]
    got = [play(environment, *environment.reset(seed=seed)) for seed in (5, None, None)]
    assert got == expected.tolist()


def test_the_seat_is_drawn_anew_or_fixed():
    drawn, fixed = SeatEnv("python_hearts"), SeatEnv("python_hearts", seat=2)
    drawn.reset(seed=1), fixed.reset(seed=1)
    assert {drawn.reset()[1]["seat"] for _ in range(40)} == {0, 1, 2, 3}
    assert {fixed.reset()[1]["seat"] for _ in range(10)} == {2}


def test_an_illegal_action_ends_the_deal_with_the_lowest_utility():
    environment = SeatEnv("python_hearts", seat=0)
    shown, _ = environment.reset(seed=1)
    _, reward, terminated, truncated, _ = environment.step(shown["action_mask"].argmin())
    assert (reward, terminated, truncated) == (environment.deal.variant.min_utility, True, False)


def test_registered_ids_have_the_versions_of_the_games():
    environment = gymnasium.make("spielgames.gymnasium:spielgames/Hearts-v2", seat=1)
    shown, info = environment.reset(seed=1)
    assert info["seat"] == 1 and environment.render().startswith("seat: 1\n")
    np.testing.assert_array_equal(environment.unwrapped.action_masks(), shown["action_mask"])
    check_env(environment.unwrapped)
    copy = pickle.loads(pickle.dumps(environment.unwrapped))
    np.testing.assert_array_equal(copy.reset(seed=1)[0]["observation"], shown["observation"])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"seat": 4}, "seat=4 is not allowed; seats range from 0 to 3"),
        ({"opponents": ["rules"]}, "1 opponents are not allowed; name one agent, or one for each"),
        ({"opponents": "rule"}, "there is no agent 'rule'"),
    ],
)
def test_wrong_options_are_refused(options, message):
    with pytest.raises(ValueError, match=message):
        SeatEnv("python_hearts", **options)
