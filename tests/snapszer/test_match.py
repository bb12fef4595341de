"""Deals that are part of a match: the score is drawn or given, seen by both, and decides what they
are worth."""

import numpy as np
import pyspiel
import pytest

from solvers.search.endings import exact_values, open_rows
from spielgames import SNAPSZER
from spielgames.agents import Agent, RuleAgent, make_agent
from spielgames.contest import pair_lineups
from spielgames.core.batch import Batch
from spielgames.core.match import utilities
from spielgames.core.record import TERMINAL
from spielgames.matches import Matches
from spielgames.snapszer.chances import CHANCES, WORTHS, chances_of_winning
from spielgames.snapszer.record import GOAL
from tests.snapszer.table import Table, play_randomly

MATCH = "python_snapszer(match=true)"
NETWORK = "net:experiments/results/snapszer_alphazero/networks/rollouts-0,play=best"


class Spy(Agent):
    """A rule-based player that notes the positions in which it decides."""

    def __init__(self, name):
        super().__init__(name)
        self.rules, self.seen = RuleAgent(name, 0), []

    def probabilities(self, states):
        self.seen.append(states.copy())
        return self.rules.probabilities(states)


def test_chances_of_winning_by_hand():
    """If every deal is worth 1, a match at 5:6 takes two deals in a row."""
    ones = chances_of_winning((1.0, 0.0, 0.0))
    assert ones[[6, 5, 4], [6, 6, 6]].tolist() == [1 / 2, 1 / 4, 1 / 8]
    threes = chances_of_winning((0.0, 0.0, 1.0))
    assert threes[[4, 3, 0], [6, 6, 4]].tolist() == [1 / 2, 1 / 4, 1 / 8]


def test_the_chances_of_both_sides_sum_to_one_and_grow_with_points():
    assert sum(WORTHS) == pytest.approx(1)
    np.testing.assert_allclose(CHANCES[:GOAL] + CHANCES[:GOAL].T, 1)
    assert (np.diff(CHANCES[: GOAL + 1], axis=0) > 0).all() and (CHANCES[GOAL:] == 1).all()


def test_a_deal_is_worth_what_the_chance_of_winning_grows_by():
    table = Table(MATCH)
    table.states["turn"] = TERMINAL
    cases = [((6, 6), 0, 1), ((6, 6), 0, 3), ((0, 6), 1, 1), ((2, 3), 1, 2)]
    grows = [0.5, 0.5, CHANCES[0, 6], CHANCES[5, 2] - CHANCES[3, 2]]
    for (score, winner, worth), gain in zip(cases, grows, strict=True):
        table.s.score, table.s.winner, table.s.worth = score, winner, worth
        assert table.utilities()[winner] == pytest.approx(gain)
        assert sum(table.utilities()) == 0


def dealt(name):
    """The state of OpenSpiel after the deal, by the first outcome of each chance node."""
    state = pyspiel.load_game(name).new_initial_state()
    while state.row["undealt"][0]:
        state.apply_action(state.legal_actions()[0])
    return state


def test_chance_tells_the_score_after_the_deal():
    state = dealt(MATCH)
    for points in (6, 2):
        chances = state.chance_outcomes()
        assert [a for a, _ in chances] == list(range(GOAL))
        assert [p for _, p in chances] == pytest.approx([1 / GOAL] * GOAL)
        state.apply_action(points)
    assert state.row["score"][0].tolist() == [6, 2] and state.current_player() == 0
    for seat, seen in enumerate(([6, 2], [2, 6])):
        assert "chance:match points 6 chance:match points 2" in state.information_state_string(seat)
        shown = np.reshape(state.observation_tensor(seat)[-2 * GOAL :], (2, GOAL))
        np.testing.assert_array_equal(shown, np.eye(GOAL)[seen])
    assert "match points: 6 2" in state.observation_string(0)


def test_a_deal_outside_a_match_shows_no_score():
    state = dealt("python_snapszer")
    assert state.current_player() == 0
    assert "match" not in state.information_state_string() + state.observation_string()
    assert len(state.observation_tensor()) == SNAPSZER.pieces.size


def test_a_given_score_is_certain():
    table = Table(MATCH)
    table.states["given"] = [4, 0]
    table.deal("A♥ 10♥ J♠ Q♦ K♦", "K♥ Q♥ J♥ A♦ Q♠", "A♠")
    assert table.chances().tolist() == np.eye(1, 20, 4)[0].tolist()


def test_deals_of_a_match_are_told_its_score():
    """To 9, what is missing to the goal counts: 5 points are told as 3, and 1 as 0."""
    spies = [Spy(MATCH), Spy(MATCH)]
    table = Matches(spies, pair_lineups(SNAPSZER)[None].repeat(20, 0), seed=3, goal=9)
    while table.running():
        before = table.totals[table.rows[:, None], table.players()]
        for spy in spies:
            spy.seen.clear()
        scores = table.play_deal()
        told = np.concatenate([spy.seen[0]["score"] for spy in spies])
        assert sorted(map(tuple, told)) == sorted(map(tuple, np.clip(before - 2, 0, 6)))
        assert set(scores.max(axis=1)) <= {1, 2, 3} and (scores.min(axis=1) == 0).all()


def late(n):
    """Positions of deals in a match, in which nothing is hidden any more."""
    batch, found = Batch(MATCH, n, seed=5), []
    for _ in play_randomly(batch, seed=6, close=0.0):
        found.append(batch.states[open_rows(batch.states)])
    return np.concatenate(found)


def test_endings_are_worth_the_gain_by_the_points_of_perfect_play():
    states = late(40)
    assert len(states) > 50
    plain = states.copy()
    plain["match"] = False
    points = exact_values(SNAPSZER, plain).astype(int)
    mover = states["turn"]
    winner = np.where(points > 0, mover, 1 - mover)
    ended = states.copy()
    ended["winner"], ended["worth"], ended["turn"] = winner, np.abs(points), TERMINAL
    gains = utilities(ended)[np.arange(len(ended)), mover]
    np.testing.assert_allclose(exact_values(SNAPSZER, states), gains)


def test_who_has_learnt_deals_for_their_own_sake_plays_them_so_in_a_match():
    states = Batch(MATCH, 50, seed=7).states
    alone = states.copy()
    alone["match"] = False
    in_match = make_agent(NETWORK, MATCH).probabilities(states)
    np.testing.assert_array_equal(
        in_match, make_agent(NETWORK, "python_snapszer").probabilities(alone)
    )
    with pytest.raises(ValueError, match="has learnt"):
        make_agent(NETWORK, "python_snapszer(match=true,rules=schnapsen)")
