"""Agents as OpenSpiel's policies and bots, and the other way round."""

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy as openspiel_policy
from open_spiel.python.algorithms import expected_game_score, exploitability
from open_spiel.python.bots import uniform_random

from spielgames import Batch
from spielgames.adapters import AgentBot, AgentPolicy, BotAgent, PolicyAgent
from spielgames.agents import make_agent
from spielgames.contest import play_deals

TINY = "python_hokm(suits=2,ranks=2)"
SNAPSZER = "python_snapszer(suits=2,ranks=3,hand=2)"


def test_the_random_agent_is_openspiels_uniform_policy():
    game = pyspiel.load_game(SNAPSZER)
    ours = AgentPolicy(make_agent("random", SNAPSZER))
    theirs = openspiel_policy.UniformRandomPolicy(game)
    assert exploitability.nash_conv(game, ours) == pytest.approx(
        exploitability.nash_conv(game, theirs), abs=1e-6
    )


def test_openspiel_judges_the_rules_as_a_contest_does():
    game = pyspiel.load_game(TINY)
    rules, random = make_agent("rules", TINY), make_agent("random", TINY)
    seats = [AgentPolicy(rules), AgentPolicy(random)] * 2
    exact = expected_game_score.policy_value(game.new_initial_state(), seats)
    utilities = play_deals([rules, random], np.array([[0, 1, 0, 1]]), 40_000, seed=1)[:, 0]
    error = utilities.std(axis=0) / np.sqrt(len(utilities))
    np.testing.assert_allclose(utilities.mean(axis=0), exact, atol=5 * error.max())


def test_a_policy_as_an_agent_gives_the_policys_probabilities():
    batch = Batch(TINY, 8, seed=2)
    uniform = PolicyAgent(TINY, openspiel_policy.UniformRandomPolicy(pyspiel.load_game(TINY)))
    there_and_back = PolicyAgent(TINY, AgentPolicy(make_agent("random", TINY)))
    random = make_agent("random", TINY).probabilities(batch.states)
    for agent in (uniform, there_and_back):
        np.testing.assert_allclose(agent.probabilities(batch.states), random)


def test_bots_play_as_agents_and_agents_as_bots():
    game = pyspiel.load_game("python_hearts")
    agent = make_agent("rules", "python_hearts")
    bots = [AgentBot(agent, seed) for seed in range(3)]
    bots.append(uniform_random.UniformRandomBot(3, np.random.RandomState(4)))
    utilities = pyspiel.evaluate_bots(game.new_initial_state(), bots, 7)
    assert sum(utilities) == pytest.approx(0)
    seated = BotAgent("python_hearts", bots)
    both = play_deals([seated, agent], np.array([[0, 1, 0, 1], [1, 0, 1, 0]]), 2, seed=1)
    np.testing.assert_allclose(both.sum(axis=2), 0, atol=1e-9)


def test_as_many_bots_as_seats():
    with pytest.raises(ValueError, match="python_hearts has 4 seats, not 1"):
        BotAgent("python_hearts", [uniform_random.UniformRandomBot(0, np.random)])


def test_a_policy_is_asked_for_the_seat_to_move():
    state = Batch(TINY, 1).states
    policy = AgentPolicy(make_agent("rules", TINY))
    with pytest.raises(ValueError, match="seat 3 is not to move; seat 0 is"):
        policy.action_probabilities(pyspiel.load_game(TINY).state_of(state), 3)


def test_openspiel_s_ismcts_prefers_a_sure_win():
    """Snapszer at the last lead but one: whatever the search samples, it finds the best card."""
    agent = make_agent("openspiel_ismcts:sims=50", SNAPSZER)
    batch = Batch(SNAPSZER, 30, seed=3)
    chances = agent.probabilities(batch.states)
    np.testing.assert_allclose(chances.sum(axis=1), 1, rtol=1e-6)
    np.testing.assert_array_equal(agent.probabilities(batch.states), chances)
    random = make_agent("random", SNAPSZER)
    utilities = play_deals([agent, random], np.array([[0, 1], [1, 0]]), 60, seed=5)
    gains = (utilities[:, 0, 0] + utilities[:, 1, 1]) / 2
    assert gains.mean() > 3 * gains.std() / np.sqrt(len(gains))
