"""Contests: the same deals for everybody, whatever plays them."""

import numpy as np
import pytest

from spielgames import HEARTS, HOKM, SHEEPHEAD, SNAPSZER, Batch
from spielgames.agents import Agent, RuleAgent, make_agent
from spielgames.contest import pair_lineups, play_deals
from tests.variants import FULL


class Wrapped(Agent):
    """Another agent, wrapped so that nobody knows that it is a compiled one."""

    def __init__(self, agent: Agent) -> None:
        super().__init__(agent.name)
        self.agent = agent

    def probabilities(self, states):
        return self.agent.probabilities(states)


class Stubborn(Agent):
    """Always plays action 0, legal or not; or gives half a distribution."""

    chance = 1.0

    def probabilities(self, states):
        out = np.zeros((len(states), self.game.actions), np.float32)
        out[:, 0] = self.chance
        return out


def test_lineups_of_a_pair():
    assert pair_lineups(HOKM).tolist() == [[0, 1, 0, 1], [1, 0, 1, 0]]
    assert pair_lineups(SNAPSZER).tolist() == [[0, 1], [1, 0]]
    hearts = pair_lineups(HEARTS)
    assert len(hearts) == 6 and (hearts.sum(axis=1) == 2).all()
    sheephead = pair_lineups(SHEEPHEAD)
    assert sorted(sheephead.sum(axis=1)) == 5 * [1] + 5 * [4]


@pytest.mark.parametrize("game", [HOKM, SNAPSZER, HEARTS, SHEEPHEAD])
def test_every_lineup_has_its_complement(game):
    lineups = pair_lineups(game).tolist()
    assert len({*map(tuple, lineups)}) == len(lineups)
    for lineup in lineups:
        assert [1 - agent for agent in lineup] in lineups


@pytest.mark.parametrize("name", FULL)
def test_compiled_and_batched_play_are_the_same(name):
    rules, random = RuleAgent(name, 0), RuleAgent(name, -1)
    lineups = pair_lineups(rules.game)
    compiled = play_deals([rules, random], lineups, 100, seed=5)
    np.testing.assert_array_equal(
        play_deals([Wrapped(rules), Wrapped(random)], lineups, 100, seed=5), compiled
    )
    parts = [play_deals([rules, random], lineups, 50, seed=5, first=f) for f in (0, 50)]
    np.testing.assert_array_equal(np.concatenate(parts), compiled)


def test_players_without_whims_get_the_same_result_in_every_lineup():
    """Draws included: the luck of a deal belongs to the deal."""
    rules = RuleAgent("python_snapszer", 0)
    utilities = play_deals([rules, rules], pair_lineups(SNAPSZER), 50, seed=8)
    np.testing.assert_array_equal(utilities[:, 0], utilities[:, 1])
    assert (play_deals([rules, rules], pair_lineups(SNAPSZER), 50, seed=9) != utilities).any()


def test_pimc_beats_random_hokm():
    agents = [make_agent("pimc:worlds=5", "python_hokm"), make_agent("random", "python_hokm")]
    lineups = pair_lineups(HOKM)
    gains = play_deals(agents, lineups, 60, seed=3)[:, lineups == 0].mean(axis=1)
    assert gains.mean() > 5 * gains.std() / np.sqrt(len(gains))


def test_an_illegal_action_or_half_a_distribution_is_refused():
    agents = [Stubborn("python_hearts"), RuleAgent("python_hearts", 0)]
    with pytest.raises(
        ValueError, match="Stubborn must give a distribution over the legal actions"
    ):
        play_deals(agents, pair_lineups(HEARTS), 5, seed=0)
    coinche = Stubborn("python_coinche")  # 0 is pass, always legal in the auction
    assert (play_deals([coinche], np.zeros((1, 4), int), 5, seed=0) == 0).all()
    coinche.chance = 0.5
    with pytest.raises(ValueError, match="a distribution"):
        play_deals([coinche], np.zeros((1, 4), int), 5, seed=0)


def test_strange_lineups_are_refused():
    rules = RuleAgent("python_hearts", 0)
    with pytest.raises(ValueError, match="a line-up has 4 seats"):
        play_deals([rules], np.zeros((1, 3), int), 5, seed=0)
    with pytest.raises(ValueError, match="agents from 0 to 0"):
        play_deals([rules], np.ones((1, 4), int), 5, seed=0)
    with pytest.raises(ValueError, match="an agent of python_hokm can't meet one of"):
        play_deals([rules, RuleAgent("python_hokm", 0)], np.zeros((1, 4), int), 5, seed=0)


def test_a_batch_of_the_same_seed_has_the_same_deals():
    """Deal k of a contest is game k of a batch, in every line-up."""
    seen = []

    class Spy(Wrapped):
        def probabilities(self, states):
            seen.append(states.copy())
            return super().probabilities(states)

    play_deals([Spy(RuleAgent("python_hearts", 0))], np.zeros((2, 4), int), 7, seed=4)
    dealt = Batch("python_hearts", 7, 4).states["dealt"]
    np.testing.assert_array_equal(seen[0]["dealt"], dealt.repeat(2, axis=0))
