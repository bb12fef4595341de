"""An agent that sees hidden cards is caught, and one that does not is left alone."""

import numpy as np
import pytest

from spielgames.agent_check import check_agent, find_peek, sample_positions
from spielgames.agents import Agent, legal_flags, make_agent
from spielgames.core.worlds import sample_worlds
from spielgames.play.share import lengthen
from tests.commands import run

SNAPSZER, HOKM = "python_snapszer", "python_hokm"
HEARTS = "experiments/results/hearts_deepcfr/network,strategy=best"
HONEST = [
    (SNAPSZER, "random"),
    (SNAPSZER, "rules"),
    (SNAPSZER, "rules:expert"),
    (SNAPSZER, "pimc:worlds=4"),
    (SNAPSZER, "ismcts:sims=20"),
    (SNAPSZER, "net:snapszer"),
    (SNAPSZER, "alphazero:snapszer,worlds=2"),
    (HOKM, "rules"),
    (HOKM, "net:hokm,play=best"),
]
NAMED = [
    ("python_coinche", "rules:strong"),
    ("python_coinche", "rules:simple"),
    ("python_coinche", "rules:expert"),
    ("python_coinche", "search"),
    ("python_coinche", "net:coinche"),
    ("python_hearts", "rules"),
    ("python_hearts", "search"),
    ("python_hearts", f"net:{HEARTS}"),
    ("python_hearts", "ismcts:sims=50"),
    ("python_hokm", "search"),
    ("python_hokm", "openspiel_ismcts:sims=5"),
    ("python_sheephead", "rules"),
    ("python_sheephead", "rules:random_cards"),
    ("python_sheephead", "search"),
    ("python_sheephead", "pomdp:experiments/results/sheephead_pomdp/networks/learned-1-0"),
    (SNAPSZER, "rules:quick"),
    (SNAPSZER, "search"),
    (SNAPSZER, "trees:snapszer"),
    (SNAPSZER, "alpha_mu:worlds=4"),
    (SNAPSZER, "pimc:worlds=10,belief=exact(100)"),
    (SNAPSZER, "pimc:worlds=10,belief=reweighted(50)"),
    (SNAPSZER, "pimc:worlds=4,continuation=double_dummy"),
    (SNAPSZER, "openspiel_ismcts:sims=5"),
]


class Counting(Agent):
    """Prefers an action by some property of the record."""

    def probabilities(self, states):
        legal = legal_flags(states, self.game.actions)
        key = (self.count(states)[:, None] + np.arange(self.game.actions)) % 3
        chances = legal * (1 + key)
        return (chances / chances.sum(axis=1, keepdims=True)).astype(np.float32)

    def count(self, states):
        return states["length"].astype(int)


class Sneaking(Counting):
    """Looks at the next seat's hand."""

    def count(self, states):
        return (states["hands"][:, 1] >> np.uint64(1)).astype(int) % 3


class Wavering(Counting):
    """Answers differently each time."""

    calls = 0

    def count(self, states):
        self.calls += 1
        return np.full(len(states), self.calls)


@pytest.mark.parametrize(("game", "spec"), HONEST)
def test_honest_agents_pass(game, spec):
    assert find_peek(make_agent(spec, game), spec, positions=12, worlds=2) is None


@pytest.mark.slow
@pytest.mark.parametrize(("game", "spec"), NAMED)
def test_all_named_agents_are_honest(game, spec):
    assert find_peek(make_agent(spec, game), spec) is None


@pytest.mark.parametrize(
    "spec", ["pimc:worlds=1,belief=true_hands,caution=0", "search:clairvoyant"]
)
def test_a_search_that_sees_all_hands_is_caught(spec):
    found = find_peek(make_agent(spec, SNAPSZER), spec)
    assert found is not None
    assert found.agent == spec


def test_a_peek_names_two_worlds_of_one_seat():
    agent = Sneaking(HOKM)
    found = find_peek(agent, "sneaking")
    one, other = (lengthen(text, finished=False) for text in found.worlds)
    seat = found.seat
    assert one.current_player() == other.current_player() == seat
    assert one.information_state_string(seat) == other.information_state_string(seat)
    assert one.history() != other.history()
    action = one.string_to_action(found.action)
    chances = [float(agent.probabilities(state.row)[0][action]) for state in (one, other)]
    assert found.chances == pytest.approx(chances)
    assert abs(chances[0] - chances[1]) > 0.01
    with pytest.raises(ValueError, match=f"^sneaking sees hidden cards: seat {seat} cannot tell"):
        check_agent(agent, "sneaking")


def test_an_agent_that_wavers_is_told_apart_from_one_that_peeks():
    assert find_peek(Counting(HOKM), "counting") is None
    found = find_peek(Wavering(HOKM), "wavering")
    assert str(found).startswith("wavering answers differently when asked twice: seat ")


def test_positions_have_a_choice_and_many_worlds():
    agent = make_agent("rules", HOKM)
    states = sample_positions(agent, 20, seed=1)
    assert len(states) == 20
    assert (legal_flags(states, agent.game.actions).sum(axis=1) > 1).all()
    assert len(np.unique(states["length"])) > 10
    worlds = sample_worlds(states, states["turn"].astype(np.int64), 1, 0)
    assert (worlds["hands"] != states["hands"]).any(axis=1).mean() > 0.8


def test_a_tournament_checks_on_request():
    cheat = "pimc:worlds=1,belief=true_hands,caution=0"
    tell = ("analysis.tournament", "--game=python_snapszer", "--deals=4", "--control=")
    found = run(*tell, f"--agents=rules,{cheat}", "--check")
    assert found.returncode == 2
    assert found.stderr.startswith(f"{cheat} sees hidden cards: seat ")
    assert found.stdout == ""
    assert run(*tell, "--agents=rules,random", "--check").returncode == 0
